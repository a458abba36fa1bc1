"""GEMMs of all types, shapes and tilings against numpy, and in whole-subgroup and sg_map form against each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.passes.kernels.gemm import ELEMENT_BITS, Form, Gemm
from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, random_array, run
from tests.unit.passes.kernels.tolerance import exact_product, product_bound
from xegpu.isa import CompiledKernel

PLAIN = [
    *(Gemm(64, 64, 64, element) for element in ELEMENT_BITS),
    *(Gemm(32, 64, 64, element, transposed_b=True) for element in ELEMENT_BITS),
    *(Gemm(16, 32, 64, element, loads_c=True) for element in ELEMENT_BITS),
    *(Gemm(16, 32, 64, element, packed=False) for element in ELEMENT_BITS),
    Gemm(16, 32, 64, "f16", result="f16"),
    Gemm(16, 32, 64, "f16", result="f16", loads_c=True),
    Gemm(16, 32, 64, "bf16", result="bf16"),
    Gemm(16, 32, 64, "bf16", result="bf16", loads_c=True),
]
TILED = [
    Gemm(64, 64, 32, tiles=(2, 2)),
    Gemm(64, 64, 32, tiles=(4, 1), subgroups=(1, 2)),
    Gemm(64, 64, 32, tiles=(1, 4), subgroups=(2, 1)),
    Gemm(64, 128, 32, tiles=(2, 2), subgroups=(2, 2)),
    Gemm(64, 128, 32, "si8", tiles=(2, 2), subgroups=(4, 2), transposed_b=True),
    Gemm(64, 64, 32, "tf32", tiles=(2, 2), subgroups=(2, 1), loads_c=True),
]
ODD = [
    *(Gemm(37, 53, 29, element) for element in ("bf16", "tf32", "ui8")),
    *(Gemm(19, 21, 29, element, transposed_b=True) for element in ("f16", "tf32")),
    Gemm(40, 56, 72),
    Gemm(1, 1, 1),
    Gemm(9, 17, 33, "i8", packed=False, loads_c=True),
    Gemm(33, 40, 24, tiles=(2, 1), subgroups=(1, 2)),
    Gemm(19, 21, 29, "bf16", result="bf16"),
]
DYNAMIC = [
    *(replace(gemm, dynamic=True) for gemm in (Gemm(64, 64, 64), Gemm(37, 53, 29), Gemm(40, 56, 72, "f16"))),
    Gemm(33, 48, 32, "tf32", dynamic=True, transposed_b=True),
    Gemm(32, 32, 64, "i8", dynamic=True, loads_c=True),
    Gemm(32, 32, 32, tiles=(2, 1), subgroups=(2, 1), dynamic=True),
]
MAPPED = [
    *(Gemm(32, 64, 64, element) for element in ELEMENT_BITS),
    *(Gemm(16, 64, 64, element, transposed_b=True) for element in ("bf16", "tf32", "i8")),
    *(Gemm(16, 32, 64, element, packed=False) for element in ("f16", "ui8")),
    Gemm(64, 64, 32, tiles=(2, 2), subgroups=(2, 2), loads_c=True),
    Gemm(19, 21, 29),
    Gemm(37, 53, 29, "si8", subgroups=(1, 2)),
    Gemm(33, 40, 24, "f16", result="f16", loads_c=True),
    Gemm(40, 56, 72, "bf16", dynamic=True, subgroups=(2, 1)),
]


def inputs(gemm: Gemm) -> tuple[Array, Array, Array]:
    """Random A, B and C; C is full of a number that no result leaves when the kernel does not load it."""
    rng = np.random.default_rng(7)
    a = random_array(rng, (gemm.m, gemm.k), gemm.element)
    b = random_array(rng, (gemm.n, gemm.k) if gemm.transposed_b else (gemm.k, gemm.n), gemm.element)
    shape, dtype = (gemm.m, gemm.n), DTYPES[gemm.result_type]
    c = random_array(rng, shape, gemm.result_type) if gemm.loads_c else np.full(shape, 77).astype(dtype)
    return a, b, c


def execute(gemm: Gemm, kernel: CompiledKernel) -> Array:
    """C after a launch."""
    arguments: list[Array | int] = []
    for array in inputs(gemm):
        arguments.append(array)
        if gemm.dynamic:
            arguments += array.shape
    return run(kernel, *arguments, groups=gemm.grid)[2]


def compare(gemm: Gemm, result: Array) -> None:
    """Integers are exact modulo 2^32, floats within the derived bound."""
    a, b, c = inputs(gemm)
    b = b.T if gemm.transposed_b else b
    start = c if gemm.loads_c else None
    if gemm.result_type == "i32":
        expected = a.astype(np.int64) @ b.astype(np.int64) + (0 if start is None else start.astype(np.int64))
        np.testing.assert_array_equal(result, expected.astype(np.int32))
        return
    error = np.abs(result.astype(np.float64) - exact_product(a, b, start))
    assert (error <= product_bound(a, b, start, gemm.result_type, gemm.step)).all(), error.max()


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("gemm", [*PLAIN, *TILED, *ODD, *DYNAMIC], ids=str)
def test_gemm_equals_numpy(gemm: Gemm) -> None:
    kernel = compile_one(gemm.text())
    assert kernel.features.has_dpas
    assert (kernel.facts.simd_size, kernel.facts.required_work_group_size) == (1, gemm.block)
    compare(gemm, execute(gemm, kernel))


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("gemm", MAPPED, ids=str)
def test_sg_map_forms_give_the_bits_of_the_whole_subgroup_form(gemm: Gemm) -> None:
    whole = execute(gemm, compile_one(gemm.text()))
    compare(gemm, whole)
    forms: tuple[Form, ...] = ("annotated", "distributed")
    for form in forms:
        mapped = replace(gemm, form=form)
        kernel = compile_one(mapped.text())
        assert (kernel.facts.simd_size, kernel.facts.required_work_group_size) == (16, mapped.block)
        assert execute(mapped, kernel).tobytes() == whole.tobytes(), form


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("tiles", "grf_count", "spills"), [((1, 1), 128, False), ((4, 4), 256, False), ((6, 4), 256, True)]
)
def test_register_mode_grows_before_anything_spills(tiles: tuple[int, int], grf_count: int, spills: bool) -> None:
    gemm = Gemm(8 * tiles[0], 16 * tiles[1], 32, tiles=tiles)
    kernel = compile_one(gemm.text())
    assert (kernel.facts.grf_count, kernel.facts.spill_size > 0) == (grf_count, spills)
    compare(gemm, execute(gemm, kernel))


@pytest.mark.parametrize("grf_count", [128, 256])
def test_register_mode_changes_no_bit(grf_count: int) -> None:
    gemm = Gemm(32, 48, 32, tiles=(4, 3), loads_c=True)
    kernel = compile_one(gemm.text(), grf_count=grf_count)
    assert kernel.facts.grf_count == grf_count
    assert (kernel.facts.spill_size > 0) == (grf_count == 128)
    compare(gemm, execute(gemm, kernel))
    assert execute(gemm, kernel).tobytes() == execute(gemm, compile_one(gemm.text())).tobytes()
