"""A built ZEBIN says of each kernel what is true of it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.unit.zebin.support import CODE, compiled_kernel
from xegpu.isa import ArgumentKind, CompiledKernel, ImplicitArgument, KernelArgument
from xegpu.isa.code.features import CodeFeatures
from xegpu.isa.cost import KernelCost, Pipe, RegionCost, TripCount
from xegpu.targets import ARC, PVC, Target
from zebin import ZebinError, build, pack, read
from zebin.binary.model import ZebinKernel
from zebin.building.builder import describe
from zebin.elf.constants import NoteType, SymbolBinding, SymbolType
from zebin.ze_info.schema import CostArgument, ExecutionEnv, LoopCost, LoopCount
from zebin.ze_info.text import write_ze_info


def built(kernel: CompiledKernel, target: Target = PVC) -> ZebinKernel:
    return read(build(target, [kernel])).kernels[kernel.name]


def environment(**changes: object) -> ExecutionEnv:
    return built(compiled_kernel(**changes)).execution_env


@pytest.mark.parametrize(
    ("changes", "key", "value"),
    [
        ({"simd_size": 32}, "simd_size", 32),
        ({"grf_count": 256}, "grf_count", 256),
        ({"grf_count": 256}, "eu_thread_count", 4),
        ({"barrier_count": 1}, "barrier_count", 1),
        ({"barrier_count": 5}, "barrier_count", 8),
        ({"slm_size": 4096}, "slm_size", 4096),
        ({"spill_size": 640}, "spill_size", 640),
        ({"private_size": 256}, "private_size", 256),
        ({"features": CodeFeatures(has_dpas=True)}, "has_dpas", True),
        ({"features": CodeFeatures(has_sample=True)}, "has_sample", True),
        ({"features": CodeFeatures(has_global_atomics=True)}, "has_global_atomics", True),
        ({"features": CodeFeatures(fences_images=True)}, "has_fence_for_image_access", True),
        ({"features": CodeFeatures(overrides_l1=True)}, "has_lsc_stores_with_non_default_l1_cache_controls", True),
        ({"features": CodeFeatures(waits_for_others=True)}, "thread_scheduling_mode", "round_robin"),
        ({"features": CodeFeatures()}, "has_4gb_buffers", False),
        ({"features": CodeFeatures()}, "has_no_stateless_write", True),
        ({"features": CodeFeatures(reaches_global=True)}, "has_no_stateless_write", True),
        ({"printf_strings": ("%d",)}, "has_printf_calls", True),
        ({"indirect_accesses": 3}, "indirect_stateless_count", 3),
        ({"required_subgroup_size": 16}, "required_sub_group_size", 16),
        ({"spill_size": 64, "private_size": 64}, "has_multi_scratch_spaces", True),
        ({"required_work_group_size": (8, 4, 1)}, "required_work_group_size", (8, 4, 1)),
    ],
)
def test_execution_env_follows_the_kernel(changes: dict[str, object], key: str, value: object) -> None:
    assert getattr(environment(), key) != value
    assert getattr(environment(**changes), key) == value


def test_execution_env_of_every_kernel() -> None:
    env = environment()
    assert (env.grf_count, env.eu_thread_count, env.simd_size) == (128, 8, 16)
    assert env.has_4gb_buffers
    assert env.subgroup_independent_forward_progress


def test_one_kind_of_scratch_is_one_space() -> None:
    assert not environment(spill_size=64).has_multi_scratch_spaces
    assert not environment(private_size=64).has_multi_scratch_spaces


def test_the_walk_order_is_stated_where_code_relies_on_it() -> None:
    info = built(compiled_kernel(ordered_subgroups=True)).info
    assert info.user_attributes is not None
    assert info.user_attributes.intel_reqd_workgroup_walk_order == (0, 1, 2)
    assert "work_group_walk_order_dimensions" in info.execution_env.explicit
    assert "work_group_walk_order_dimensions" not in environment().explicit


def test_a_required_subgroup_size_is_an_attribute_of_the_programmer_too() -> None:
    info = built(compiled_kernel(required_subgroup_size=16)).info
    assert info.user_attributes is not None
    assert info.user_attributes.intel_reqd_sub_group_size == 16


def test_a_number_that_is_used_as_an_address() -> None:
    numbers = tuple(KernelArgument.at(8 * n, 8, f"{n}", "i64", is_address=bool(n)) for n in range(2))
    arguments = built(compiled_kernel(arguments=numbers, implicit_arguments=())).payload_arguments
    assert [argument.is_ptr for argument in arguments] == [False, True]


def test_a_structure_says_which_of_its_bytes_it_passes() -> None:
    values = tuple(KernelArgument.at(16 * n, 12, f"{n}", "S", is_structure=bool(n)) for n in range(2))
    arguments = built(compiled_kernel(arguments=values, implicit_arguments=())).payload_arguments
    assert [argument.source_offset for argument in arguments] == [-1, 0]


@pytest.mark.parametrize(
    ("access", "qualifier"),
    [("readonly", "__read_only"), ("writeonly", "__write_only"), ("readwrite", "__read_write"), ("", "__read_write")],
)
def test_images_have_an_access_qualifier(access: str, qualifier: str) -> None:
    image = KernelArgument.at(32, 8, "i", "image2d_t", ArgumentKind.IMAGE, access)
    assert built(compiled_kernel(arguments=(image,))).args_info[0].access_qualifier == qualifier


def test_payload_arguments_stand_in_the_order_of_their_slots() -> None:
    arguments = [
        (a.arg_type, a.offset, a.size, a.arg_index, a.addrmode, a.addrspace, a.access_type)
        for a in built(compiled_kernel()).payload_arguments
    ]
    assert arguments == [
        ("global_id_offset", 0, 12, -1, None, None, None),
        ("local_size", 12, 12, -1, None, None, None),
        ("arg_bypointer", 32, 8, 0, "stateless", "global", "readonly"),
        ("arg_bypointer", 40, 8, 1, "stateless", "global", "readwrite"),
        ("arg_byvalue", 48, 8, 2, None, None, None),
        ("arg_byvalue", 56, 4, 3, None, None, None),
    ]


def test_a_pointer_to_local_memory() -> None:
    pointer = KernelArgument.at(32, 8, "p", "memref<4xf32, 3>", ArgumentKind.LOCAL)
    kernel = built(compiled_kernel(arguments=(pointer,), implicit_arguments=()))
    (argument,) = kernel.payload_arguments
    assert (argument.addrmode, argument.addrspace, argument.access_type) == ("slm", "local", "readwrite")
    assert argument.slm_alignment == 16
    assert kernel.args_info[0].address_qualifier == "__local"


@pytest.mark.parametrize(
    ("target", "simd_size", "dimensions", "expected"),
    [
        (PVC, 16, 3, ("local_id", 192)),
        (PVC, 16, 1, ("local_id", 64)),
        (PVC, 32, 2, ("local_id", 128)),
        (ARC, 8, 3, ("local_id", 96)),
        (ARC, 16, 1, ("local_id", 32)),
        (ARC, 32, 1, ("local_id", 64)),
        (PVC, 1, 3, ("packed_local_ids", 6)),
        (PVC, 1, 1, ("packed_local_ids", 6)),
    ],
)
def test_local_ids_take_whole_registers(
    target: Target, simd_size: int, dimensions: int, expected: tuple[str, int]
) -> None:
    kernel = built(compiled_kernel(simd_size=simd_size, local_id_dimensions=dimensions), target)
    (argument,) = kernel.per_thread_payload_arguments
    assert (argument.arg_type, argument.offset, argument.size) == (expected[0], 0, expected[1])


def test_a_kernel_that_reads_no_local_ids_gets_none() -> None:
    assert built(compiled_kernel(local_id_dimensions=0)).per_thread_payload_arguments == []


def test_scratch_memory() -> None:
    assert built(compiled_kernel()).per_thread_memory_buffers == []
    spill, private = built(compiled_kernel(spill_size=640, private_size=256)).per_thread_memory_buffers
    assert (spill.type, spill.usage, spill.size, spill.slot) == ("scratch", "spill_fill_space", 640, 0)
    assert (private.type, private.usage, private.size, private.slot) == ("scratch", "private_space", 256, 1)


def test_argument_information() -> None:
    information = built(compiled_kernel()).args_info
    assert [(a.index, a.name, a.address_qualifier, a.type_name) for a in information] == [
        (0, "a", "__global", "memref<256x256xbf16>;8"),
        (1, "c", "__global", "memref<?x8xf32>;8"),
        (2, "c.size0", "__private", "index;8"),
        (3, "alpha", "__private", "f32;4"),
    ]


def test_a_required_size_is_an_attribute_of_the_programmer_too() -> None:
    info = built(compiled_kernel(required_work_group_size=(8, 4, 1))).info
    assert info.user_attributes is not None
    assert info.user_attributes.reqd_work_group_size == (8, 4, 1)
    assert built(compiled_kernel()).info.user_attributes is None


def test_code_is_kept_and_padded() -> None:
    kernel = compiled_kernel(code=CODE + b"\xff" * 100)
    result = built(kernel)
    assert bytes(result.code) == kernel.code
    assert len(result.text) == 128 + 128
    assert not any(result.text[116:])
    assert result.entry_offset == 16


def test_sections_and_symbols() -> None:
    zebin = read(build(PVC, [compiled_kernel("a"), compiled_kernel("b")]))
    assert [section.name for section in zebin.sections] == [
        "",
        ".text.a",
        ".text.b",
        ".symtab",
        ".ze_info",
        ".note.intelgt.compat",
        ".strtab",
    ]
    assert [(s.name, s.section_index, s.value) for s in zebin.symbols[1:]] == [
        ("a", 1, 0),
        ("_entry", 1, 16),
        ("b", 2, 0),
        ("_entry", 2, 16),
    ]
    assert {s.binding for s in zebin.symbols} == {SymbolBinding.LOCAL}
    assert [s.type for s in zebin.symbols[1:3]] == [SymbolType.FUNC, SymbolType.NOTYPE]
    assert all(section.offset % 8 == 0 for section in zebin.sections)
    assert zebin.findings == []


@pytest.mark.parametrize(("target", "family", "core"), [(PVC, 1271, 0xC08), (ARC, 1270, 0xC07)])
def test_notes_name_the_target(target: Target, family: int, core: int) -> None:
    zebin = read(build(target, [compiled_kernel()]))
    assert [note.type for note in zebin.notes] == list(NoteType)[:4]
    notes = zebin.target
    assert (notes.product_family, notes.gfx_core, notes.metadata_word, notes.version) == (family, core, 0, "1.61")


def test_a_name_that_yaml_could_misread() -> None:
    for name in ("on", "null", "1", "a.b$c", "memref<2xf32>", "it's"):
        assert built(compiled_kernel(name)).name == name


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": "a/b"}, "kernel.name"),
        ({"name": ""}, "kernel.name"),
        ({"name": "kernels_misc_info"}, "kernel.name-reserved"),
        ({"grf_count": 100}, "value.grf"),
        ({"simd_size": 4}, "enum.simd"),
        ({"barrier_count": 33}, "value.barrier"),
        ({"slm_size": 1 << 20}, "value.slm"),
        ({"spill_size": 1 << 20}, "mem.limit"),
        ({"required_work_group_size": (1024, 2, 1)}, "value.group-size"),
        ({"implicit_arguments": (ImplicitArgument("local_size", 0, 16),)}, "arg.slot-size"),
        ({"arguments": (KernelArgument.at(70000, 4, "x", "f32"),)}, "arg.range"),
    ],
)
def test_what_a_driver_would_refuse_is_not_built(changes: dict[str, object], code: str) -> None:
    with pytest.raises(ZebinError) as caught:
        build(PVC, [compiled_kernel(**changes)])
    assert code in {finding.code for finding in caught.value.findings}


def test_two_kernels_of_one_name_are_not_built() -> None:
    with pytest.raises(ZebinError, match="duplicate of section"):
        build(PVC, [compiled_kernel(), compiled_kernel()])


def test_limits_are_those_of_the_target() -> None:
    kernel = compiled_kernel(slm_size=100 << 10)
    assert built(kernel, PVC).execution_env.slm_size == 100 << 10
    with pytest.raises(ZebinError, match="local memory"):
        build(ARC, [kernel])


def test_a_module_without_kernels() -> None:
    zebin = read(build(PVC, []))
    assert zebin.kernels == {}


def test_the_same_kernels_make_the_same_bytes() -> None:
    """In another process too: nothing may depend on the order of a set or on a hash."""
    program = (
        "import sys; from tests.unit.zebin.support import compiled_kernel; from xegpu.targets import PVC;"
        "import zebin; sys.stdout.buffer.write(zebin.build(PVC, [compiled_kernel('a'), compiled_kernel('b')]))"
    )
    here = build(PVC, [compiled_kernel("a"), compiled_kernel("b")])
    for seed in ("1", "2"):
        environ = {"PYTHONHASHSEED": seed}
        there = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env=environ)
        assert there.stdout == here


def test_the_cost_of_kernels_follows_their_other_information() -> None:
    """Drivers cut the text at the word `kernels_misc_info`, so what they do not know must stand behind it."""
    pipes = dict.fromkeys(Pipe, 0)
    count = TripCount(-5, 16, argument=1, scale=2)
    loops = (RegionCost(20, pipes, 64, 0, 1, count), RegionCost(1 << 40, pipes, 0, 1 << 40, 0, TripCount(7)))
    cost = KernelCost(RegionCost(10, pipes, 0, 128, 1), loops)
    kernels = [compiled_kernel(name="a", cost=cost), compiled_kernel(name="b"), compiled_kernel(name="c", cost=cost)]
    zebin = read(build(PVC, kernels), strict=True)
    assert zebin.ze_info is not None
    first, second = zebin.ze_info.kernels_cost_info
    assert (first.name, second.name) == ("a", "c")
    assert [values(symbol) for symbol in first.kcm_args_sym] == [(1, 0, 8, False)]
    assert [values(count) for count in first.kcm_loop_count_exps] == [(0.125, 0, -0.3125), (0.0, -1, 7.0)]
    most = (1 << 31) - 1
    assert [values(part) for part in first.kcm_loop_costs] == [(10, 0, 128, 1), (20, 64, 0, 1), (most, 0, most, 0)]
    text = bytes(next(s.data for s in zebin.elf.sections if s.name == ".ze_info"))
    assert 0 < text.index(b"kernels_misc_info") < text.index(b"kernels_cost_info")


def values(record: CostArgument | LoopCount | LoopCost) -> tuple[object, ...]:
    return tuple(getattr(record, attribute.name) for attribute in record.attributes)


def test_the_texts_of_kernels_stand_together() -> None:
    """Each kernel has its own, which it numbers; those that print nothing have none."""
    first, second = ("%d\n", "100%%"), ("ä", "", "%f")
    kernels = [
        compiled_kernel(name="a", printf_strings=first),
        compiled_kernel(name="quiet"),
        compiled_kernel(name="b", printf_strings=second),
    ]
    binary = read(build(PVC, kernels))
    assert {name: tuple(kernel.printf_strings) for name, kernel in binary.kernels.items()} == {
        "a": first,
        "quiet": (),
        "b": second,
    }
    section = binary.section(".data.const.string")
    assert section is not None
    assert bytes(section.data) == "".join(text + "\0" for text in (*first, *second)).encode()
    assert read(build(PVC, kernels[1:2])).section(".data.const.string") is None


def test_code_written_by_hand_is_packed() -> None:
    kernel = compiled_kernel()
    description = write_ze_info(describe(PVC, [kernel], ())).decode()
    packed = read(pack(PVC, description, kernel.code, 16))
    expected = built(kernel)
    (found,) = packed.kernels.values()
    assert (found.info, bytes(found.code), found.entry_offset) == (expected.info, bytes(expected.code), 16)
    assert packed.notes == read(build(PVC, [kernel])).notes


@pytest.mark.parametrize("names", [(), ("one", "two")])
def test_a_description_of_other_than_one_kernel_is_refused(names: tuple[str, ...]) -> None:
    kernels = [compiled_kernel(name) for name in names]
    description = write_ze_info(describe(PVC, kernels, ())).decode()
    with pytest.raises(ZebinError, match=re.escape("kernel.count")):
        pack(PVC, description, CODE)
