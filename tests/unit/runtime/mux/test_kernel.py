"""Kernels whose compilation waits for their launches."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import zebin
from runtime.mux import ArgumentDescriptor, DescriptorKind, Kernel, NDRangeOptions, Result
from runtime.mux.program import kernel as kernels
from tests.unit.runtime.mux.support import device, needs_clang, opencl, refused
from xegpu import targets

pytestmark = needs_clang

IDS = """
kernel void ids(global ulong *out) {
  size_t i = get_global_linear_id();
  global ulong *o = out + 24 * i;
  for (int d = 0; d < 4; d++) {
    o[d] = get_global_id(d); o[4 + d] = get_local_id(d); o[8 + d] = get_group_id(d);
    o[12 + d] = get_global_size(d) << 32 | get_local_size(d) << 16 | get_num_groups(d);
    o[16 + d] = get_global_offset(d);
  }
  o[20] = get_local_linear_id(); o[21] = get_global_linear_id();
}
"""
SCALE = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef struct { int a; float b[3]; long c; } S;
kernel void scale(global float *x, float f, S s, int n, uchar4 v, global float *more, half h, char3 t) {
  size_t i = get_global_id(0);
  s.a += n;
  float sum = 0;
  if (n > 100) for (int j = 0; j < n; j++) sum += sin(x[j]);
  else sum = s.b[n % 3] + s.b[0] * n;
  x[i] = x[i] * f + sum + s.a + s.c + v.x + 2 * v.w + (float)h + t.z + (more ? more[i] : 100);
}
"""


def kernel(source: str, name: str, gpu: str = "pvc", options: str = "") -> Kernel:
    module = opencl(source, options, gpu)
    module.finalize()
    found = module.get_kernel(name)
    assert found is not None
    return found


def facts(binary: bytes, name: str, gpu: str = "pvc") -> zebin.ZebinKernel:
    return zebin.read(binary).kernels[name]


def implicit(binary: bytes, name: str) -> set[str]:
    """Returns the values that the runtime supplies."""
    return {each.arg_type.value for each in facts(binary, name).info.payload_arguments if each.arg_index < 0}


class TestSpecialization:
    @pytest.mark.parametrize("engine", ["jit", "interpreter"])
    @pytest.mark.parametrize(
        ("local", "whole", "dimensions"),
        [
            ((16, 1, 1), (64,), 1),
            ((4, 2, 1), (8, 4), 2),
            ((2, 3, 4), (4, 3, 8), 3),
            ((1, 1, 1), (3,), 1),
            ((5, 1, 1), (5,), 1),
        ],
    )
    def test_ids_and_sizes_are_those_of_the_launch(
        self, local: tuple[int, int, int], whole: Sequence[int], dimensions: int, engine: str
    ) -> None:
        made = kernel(IDS, "ids")
        binary = made.create_specialized_kernel(NDRangeOptions(local, whole, (0,) * dimensions, dimensions))
        sizes = (*whole, 1, 1)[:3]
        items = int(np.prod(sizes))
        out = np.zeros((items, 24), np.uint64)
        groups = tuple(size // part for size, part in zip(sizes, local, strict=True))
        device(engine=engine).load(binary)["ids"][groups, local](out)
        z, y, x = (each.ravel() for each in np.meshgrid(*(range(size) for size in sizes[::-1]), indexing="ij"))
        places = np.stack([x, y, z], 1)
        np.testing.assert_array_equal(out[:, :3], places)
        np.testing.assert_array_equal(out[:, 4:7], places % local)
        np.testing.assert_array_equal(out[:, 8:11], places // local)
        wanted = [s << 32 | part << 16 | s // part for s, part in zip(sizes, local, strict=True)]
        np.testing.assert_array_equal(out[:, 12:15], np.tile(wanted, (items, 1)))
        np.testing.assert_array_equal(out[:, [3, 7, 11, 16, 17, 18, 19]], 0)
        np.testing.assert_array_equal(out[:, 15], 1 << 32 | 1 << 16 | 1)
        a, b, c = (places % local).T
        np.testing.assert_array_equal(out[:, 20], (c * local[1] + b) * local[0] + a)
        np.testing.assert_array_equal(out[:, 21], np.arange(items))

    def test_offsets_are_constants(self) -> None:
        source = (
            "kernel void k(global ulong *x) { "
            "x[get_global_id(0) - 5] = get_global_id(0) * 1000 + get_global_offset(0); }"
        )
        made = kernel(source, "k")
        out = np.zeros(32, np.uint64)
        device().load(made.create_specialized_kernel(NDRangeOptions((8, 1, 1), (32,), (5,), 1)))["k"][
            (4, 1, 1), (8, 1, 1)
        ](out)
        np.testing.assert_array_equal(out, (np.arange(32) + 5) * 1000 + 5)

    def test_a_specialized_binary_needs_no_sizes_and_states_the_one_it_has(self) -> None:
        made = kernel(IDS, "ids")
        general = opencl(IDS)
        general.finalize()
        assert {"global_id_offset", "enqueued_local_size", "group_count"} <= implicit(general.create_binary(), "ids")
        binary = made.create_specialized_kernel(NDRangeOptions((16, 2, 1), (64, 2), (3, 0), 2))
        assert not implicit(binary, "ids") & {"global_id_offset", "local_size", "group_count", "enqueued_local_size"}
        assert facts(binary, "ids").execution_env.required_work_group_size == (16, 2, 1)

    def test_values_and_null_pointers_are_constants(self) -> None:
        made = kernel(SCALE, "scale")
        packed = struct.pack("<i3fq", 2, 0.5, 1.5, 2.5, 40)
        values = {
            1: struct.pack("<f", 1.25),
            2: packed,
            3: struct.pack("<i", 4),
            4: bytes([1, 2, 3, 4]),
            6: np.float16(0.5).tobytes(),
            7: bytes([9, 9, 7, 0]),
        }
        local, whole = (8, 1, 1), (24,)
        descriptors = [
            ArgumentDescriptor(DescriptorKind.PLAIN_OLD_DATA, values[i])
            if i in values
            else ArgumentDescriptor(DescriptorKind.NULL_BUFFER if i == 5 else DescriptorKind.BUFFER)
            for i in range(8)
        ]
        binary = made.create_specialized_kernel(NDRangeOptions(local, whole, (0,), 1, descriptors))
        x = np.arange(24, dtype=np.float32)
        # The arguments of the launch are not read: other values give the same.
        zeros = (np.float32(0), np.zeros(24, np.uint8), np.int32(0), np.zeros(4, np.uint8), 0)
        device().load(binary)["scale"][(3, 1, 1), local](x, *zeros, np.float16(0), np.zeros(4, np.int8))
        sum = 1.5 + 0.5 * 4
        np.testing.assert_array_equal(x, np.arange(24) * 1.25 + sum + 6 + 40 + 1 + 8 + 0.5 + 7 + 100)
        general = kernel(SCALE, "scale").create_specialized_kernel(NDRangeOptions(local, whole, (0,), 1))
        assert facts(binary, "scale").execution_env.grf_count <= facts(general, "scale").execution_env.grf_count
        assert len(facts(binary, "scale").code) < len(facts(general, "scale").code) // 2

    def test_local_memory_stays_an_argument(self) -> None:
        source = (
            "kernel void k(global int *x, local int *l) { l[get_local_id(0)] = x[get_global_id(0)]; "
            "barrier(1); x[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)]; }"
        )
        descriptors = [
            ArgumentDescriptor(DescriptorKind.BUFFER),
            ArgumentDescriptor(DescriptorKind.SHARED_LOCAL_BUFFER, size=32),
        ]
        binary = kernel(source, "k").create_specialized_kernel(NDRangeOptions((8, 1, 1), (16,), (0,), 1, descriptors))
        x = np.arange(16, dtype=np.int32)
        device().load(binary)["k"][(2, 1, 1), (8, 1, 1)](x, 32)
        assert x.tolist() == [*range(7, -1, -1), *range(15, 7, -1)]

    def test_a_kernel_outlives_its_module(self) -> None:
        module = opencl(IDS)
        module.finalize()
        made = module.get_kernel("ids")
        assert made is module.get_kernel("ids")
        module.clear()
        assert module.get_kernel("ids") is None
        assert made is not None
        assert made.create_specialized_kernel(NDRangeOptions((8, 1, 1), (8,), (0,), 1))

    def test_what_was_compiled_in_advance_is_not_compiled_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = kernel("kernel void k(global int *x) { x[get_global_id(0)] = 3; }", "k")
        made.precache_local_size(8, 1, 1)

        def fail(*_: object) -> bytes:
            raise AssertionError("compiles")

        with monkeypatch.context() as patch:
            patch.setattr(kernels, "compile_ir", fail)
            binary = made.create_specialized_kernel(NDRangeOptions((8, 1, 1), (64,), (0,), 1))
            with pytest.raises(AssertionError, match="compiles"):
                made.create_specialized_kernel(NDRangeOptions((8, 1, 1), (64,), (1,), 1))
        x = np.zeros(64, np.int32)
        device().load(binary)["k"][(8, 1, 1), (8, 1, 1)](x)
        assert x.tolist() == [3] * 64

    def test_options_name_the_sizes_to_compile_in_advance(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[tuple[int, ...]] = []
        monkeypatch.setattr(Kernel, "precache_local_size", lambda self, *size: seen.append(size))
        opencl("kernel void k() {}", "-cl-precache-local-sizes=8,1,1:4,4,1:4096,4096,1").finalize()
        assert seen == [(8, 1, 1), (4, 4, 1)]


@pytest.fixture(scope="module")
def simple() -> Kernel:
    return kernel("kernel void k(global int *x, int n) { x[get_global_id(0)] = n; }", "k")


B, P = ArgumentDescriptor(DescriptorKind.BUFFER), ArgumentDescriptor(DescriptorKind.PLAIN_OLD_DATA, bytes(4))
GOOD = NDRangeOptions((8, 1, 1), (16,), (0,), 1)


class TestLaunches:
    @pytest.mark.parametrize(
        ("options", "reason"),
        [
            (replace(GOOD, descriptors=[B, P], descriptors_length=0), "their number is 0"),
            (replace(GOOD, descriptors=[], descriptors_length=0), "their number is 0"),
            (replace(GOOD, descriptors=None, descriptors_length=2), "there are no descriptors"),
            (replace(GOOD, descriptors=[B, P], descriptors_length=3), "there are 2 descriptors"),
            (replace(GOOD, descriptors=[B]), "takes 2 arguments"),
            (replace(GOOD, descriptors=[P, B]), "is a plain old data, expected global"),
            (
                replace(GOOD, descriptors=[B, ArgumentDescriptor(DescriptorKind.PLAIN_OLD_DATA, bytes(8))]),
                "has 4 bytes, got 8",
            ),
            (replace(GOOD, descriptors=[B, ArgumentDescriptor(DescriptorKind.CUSTOM_BUFFER)]), "no custom buffers"),
            (replace(GOOD, local_size=(0, 1, 1)), "each dimension is at least 1"),
            (replace(GOOD, local_size=(8, 0, 1)), "each dimension is at least 1"),
            (replace(GOOD, local_size=(8, 1, 0)), "each dimension is at least 1"),
            (replace(GOOD, local_size=(8,)), "less than 3 dimensions"),
            (replace(GOOD, local_size=(2048, 1, 1), global_size=(2048,)), "at most 1024 work-items fit"),
            (replace(GOOD, global_offset=None), "no global offset"),
            (replace(GOOD, global_offset=(-1,)), "at least 0"),
            (replace(GOOD, global_size=None), "no global size"),
            (replace(GOOD, global_size=(12,)), "no multiple of the local size"),
            (replace(GOOD, global_size=(0,)), "at least 1"),
            (replace(GOOD, dimensions=0), "expected 1 to 3"),
            (replace(GOOD, dimensions=4), "expected 1 to 3"),
            (replace(GOOD, dimensions=2), "less than 2 dimensions"),
        ],
    )
    def test_a_launch_that_breaks_a_rule_is_an_invalid_value(
        self, simple: Kernel, options: NDRangeOptions, reason: str
    ) -> None:
        assert refused(simple.create_specialized_kernel, options, match=reason) is Result.INVALID_VALUE

    def test_code_that_cannot_be_made_is_a_failure(self) -> None:
        made = kernel(
            "kernel void k(global int *x) { local int a[1 << 20]; a[get_local_id(0)] = *x; barrier(1); *x = a[*x]; }",
            "k",
        )
        options = NDRangeOptions((8, 1, 1), (8,), (0,), 1)
        assert refused(made.create_specialized_kernel, options) is Result.FINALIZE_PROGRAM_FAILURE
        assert refused(made.precache_local_size, 8, 1, 1) is Result.FINALIZE_PROGRAM_FAILURE


class TestQueries:
    @pytest.mark.parametrize("size", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (-1, 1, 1)])
    def test_no_dimension_of_a_work_group_is_zero(self, simple: Kernel, size: tuple[int, int, int]) -> None:
        for ask in (
            simple.precache_local_size,
            simple.get_dynamic_work_width,
            simple.query_sub_group_size_for_local_size,
        ):
            assert refused(ask, *size) is Result.INVALID_VALUE

    @pytest.mark.parametrize(
        ("size", "width"), [((1, 1, 1), 1), ((5, 1, 1), 5), ((4, 4, 1), 16), ((8, 8, 8), 16), ((1, 1, 3), 3)]
    )
    def test_work_items_execute_together_up_to_a_subgroup(
        self, simple: Kernel, size: tuple[int, int, int], width: int
    ) -> None:
        assert simple.get_dynamic_work_width(*size) == width
        assert simple.query_sub_group_size_for_local_size(*size) == width

    @pytest.mark.parametrize(
        ("gpu", "options", "size"),
        [("pvc", "", 16), ("pvc", "--subgroup-size=32", 32), ("arc", "", 16), ("arc", "--subgroup-size 32", 32)],
    )
    def test_options_choose_the_size_of_subgroups(self, gpu: str, options: str, size: int) -> None:
        made = kernel(
            "kernel void k(global int *x) { x[get_global_id(0)] = get_max_sub_group_size(); }", "k", gpu, options
        )
        assert made.get_sub_group_size() == size
        assert made.query_local_size_for_sub_group_count(2) == (2 * size, 1, 1)
        most = made.query_max_sub_group_count()
        assert most == made.facts.max_group_size(targets.get(gpu)) // size
        assert made.query_local_size_for_sub_group_count(most) == (most * size, 1, 1)
        assert made.query_local_size_for_sub_group_count(most + 1) == (0, 0, 0)
        assert made.query_local_size_for_sub_group_count(0) == (0, 0, 0)
        x = np.zeros(8, np.int32)
        device(gpu).load(made.create_specialized_kernel(NDRangeOptions((8, 1, 1), (8,), (0,), 1)))["k"][
            (1, 1, 1), (8, 1, 1)
        ](x)
        assert x.tolist() == [size] * 8

    def test_a_kernel_with_one_size_has_only_that(self) -> None:
        made = kernel("kernel __attribute__((reqd_work_group_size(16, 3, 1))) void k(global int *x) { *x = 1; }", "k")
        assert made.preferred_local_size == (16, 3, 1)
        assert made.query_max_sub_group_count() == 3
        assert made.query_local_size_for_sub_group_count(3) == (0, 0, 0)
        assert made.get_dynamic_work_width(16, 3, 1) == 16
        assert refused(made.precache_local_size, 16, 1, 1, match="requires") is Result.INVALID_VALUE
        assert (
            refused(made.create_specialized_kernel, NDRangeOptions((16, 1, 1), (16,), (0,), 1)) is Result.INVALID_VALUE
        )
        binary = made.create_specialized_kernel(NDRangeOptions((16, 3, 1), (32, 3), (0, 0), 2))
        assert facts(binary, "k").execution_env.required_work_group_size == (16, 3, 1)

    def test_a_kernel_may_prefer_a_size(self) -> None:
        made = kernel("kernel __attribute__((work_group_size_hint(4, 8, 2))) void k(global int *x) { *x = 1; }", "k")
        assert (made.preferred_local_size_x, made.preferred_local_size_y, made.preferred_local_size_z) == (4, 8, 2)
        assert made.takes_local_size((7, 1, 1))

    def test_other_kernels_prefer_what_fills_the_device(self, simple: Kernel) -> None:
        x, y, z = simple.preferred_local_size
        assert x % simple.get_sub_group_size() == 0
        assert simple.takes_local_size((x, y, z))

    def test_memory_of_work_groups_and_work_items_is_known(self) -> None:
        source = (
            "kernel void k(global int *x, int n) { local int l[100]; int p[64]; for (int i = 0; i < 64; "
            "i++) p[i] = x[i] * VALUE; l[get_local_id(0)] = p[n]; barrier(1); *x = l[n]; }"
        )
        made = kernel(source.replace("VALUE", "(int)get_local_id(0)"), "k")
        assert made.local_memory_size >= 400
        assert made.private_memory_size == 64 * 4 * made.get_sub_group_size()
        assert kernel(source.replace("VALUE", "n"), "k").private_memory_size == 64 * 4  # work-items share it
        assert made.spill_memory_size == 0
        small = kernel("kernel void k(global int *x) { *x = 1; }", "k")
        assert (small.local_memory_size, small.private_memory_size) == (0, 0)

    @pytest.mark.parametrize("items", [1, 15, 16, 40, 64])
    def test_subgroups_have_the_size_that_was_told(self, items: int) -> None:
        made = kernel("kernel void k(global int *x) { x[get_global_id(0)] = get_sub_group_size(); }", "k")
        told = made.query_sub_group_size_for_local_size(items, 1, 1)
        x = np.zeros(items, np.int32)
        binary = made.create_specialized_kernel(NDRangeOptions((items, 1, 1), (items,), (0,), 1))
        device().load(binary)["k"][(1, 1, 1), (items, 1, 1)](x)
        assert x.tolist() == [told] * (items // told * told) + [items % told] * (items % told)

    def test_a_required_subgroup_size_is_kept(self) -> None:
        made = kernel(
            "kernel __attribute__((intel_reqd_sub_group_size(32))) void k(global int *x) { "
            "*x = get_max_sub_group_size(); }",
            "k",
        )
        assert made.get_sub_group_size() == 32
        assert (
            facts(
                made.create_specialized_kernel(NDRangeOptions((64, 1, 1), (64,), (0,), 1)), "k"
            ).execution_env.simd_size
            == 32
        )


def test_a_compiler_without_deferred_compilation_has_no_kernels(
    simple: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = simple.module
    info = replace(module.target.compiler_info, supports_deferred_compilation=False)
    monkeypatch.setattr(module.target, "_info", info)
    assert module.create_kernel("k") is None


def test_a_device_without_subgroups_supports_no_questions_about_them(
    simple: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = simple.module.target
    info = target.compiler_info
    without = replace(info, device_info=replace(info.device_info, max_sub_group_count=0))
    monkeypatch.setattr(target, "_info", without)
    assert refused(simple.query_sub_group_size_for_local_size, 8, 1, 1) is Result.FEATURE_UNSUPPORTED
    assert refused(simple.query_local_size_for_sub_group_count, 1) is Result.FEATURE_UNSUPPORTED
    assert refused(simple.query_max_sub_group_count) is Result.FEATURE_UNSUPPORTED
