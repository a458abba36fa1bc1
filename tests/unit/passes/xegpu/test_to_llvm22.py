"""Kernels in the form of the RFC compute the same bits in the form of LLVM 22, and on the way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from xdsl.context import Context

from passes.xegpu.convert_generation import XegpuConvertGenerationPass
from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, random_array, run
from tests.unit.xegpu.dialects.support import custom
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.dialects import register_dialects
from xegpu.dialects.xegpu import is_of_llvm22
from xegpu.mlir import parse_module, verify


def converted(text: str, *generations: str) -> str:
    """The text after conversions to generations, one after the other, verified after each."""
    context = Context()
    register_dialects(context)
    module = parse_module(context, SourceBuffer("kernel.mlir", text))
    verify(module)
    for generation in generations:
        XegpuConvertGenerationPass("pvc", to=generation).apply(context, module)
        verify(module)
    return custom(module)


@dataclass(frozen=True)
class _Case:
    """A kernel whose arguments are buffers of 64x64 elements, unless it says otherwise."""

    arguments: str
    body: str
    elements: Sequence[str]
    group: tuple[int, int, int] = (1, 1, 1)
    attributes: str = "VectorComputeFunctionINTEL"


_B = "!xegpu.tensor_desc<8x16xf32>"
_S = "!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>"
_S4 = "!xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>"
_A_MAP = "#xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>"
_B_MAP = "#xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>"
_TWO = "%a: memref<64x64xf32>, %c: memref<64x64xf32>"

_CASES = {
    # Descriptors that a loop carries and moves, and one that starts in the middle.
    "loop": _Case(
        _TWO,
        f"""
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %y = gpu.thread_id y
        %c16 = arith.constant 16 : index
        %j = arith.muli %y, %c16 : index
        %s = xegpu.create_nd_tdesc %a[8, %j] : memref<64x64xf32> -> {_B}
        %d = xegpu.create_nd_tdesc %c[%c0, %j] : memref<64x64xf32> -> {_B}
        %x = gpu.thread_id x
        %c24 = arith.constant 24 : index
        %i = arith.muli %x, %c24 : index
        %s0 = xegpu.update_nd_offset %s, [%i, 0] : {_B}
        %d0 = xegpu.update_nd_offset %d, [%i, 0] : {_B}
        %e:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%p = %s0, %q = %d0) -> ({_B}, {_B}) {{
          xegpu.prefetch_nd %p : {_B}
          %v = xegpu.load_nd %p : {_B} -> vector<8x16xf32>
          %w = arith.addf %v, %v : vector<8x16xf32>
          xegpu.store_nd %w, %q : vector<8x16xf32>, {_B}
          %n = xegpu.update_nd_offset %p, [8, 0] : {_B}
          %m = xegpu.update_nd_offset %q, [8, 0] : {_B}
          scf.yield %n, %m : {_B}, {_B}
        }}
        """,
        ("f32", "f32"),
        (2, 4, 1),
    ),
    # A descriptor that is one of two.
    "choice": _Case(
        "%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>",
        f"""
        %x = gpu.thread_id x
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %i = arith.muli %x, %c8 : index
        %odd = arith.remui %x, %c1 : index
        %is = arith.cmpi eq, %x, %c1 : index
        %t = scf.if %is -> {_B} {{
          %p = xegpu.create_nd_tdesc %a[%i, 0] : memref<64x64xf32> -> {_B}
          scf.yield %p : {_B}
        }} else {{
          %p = xegpu.create_nd_tdesc %b[0, %i] : memref<64x64xf32> -> {_B}
          scf.yield %p : {_B}
        }}
        %v = xegpu.load_nd %t : {_B} -> vector<8x16xf32>
        %d = xegpu.create_nd_tdesc %c[%i, 16] : memref<64x64xf32> -> {_B}
        xegpu.store_nd %v, %d : vector<8x16xf32>, {_B}
        """,
        ("f32", "f32", "f32"),
        (3, 1, 1),
    ),
    # Gathers whose addresses a loop moves, chunks in columns, and an atomic update, which keeps its descriptor.
    "gathers": _Case(
        "%a: memref<4096xf32>, %c: memref<4096xf32>",
        f"""
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %step = vector.step : vector<16xindex>
        %five = arith.constant dense<5> : vector<16xindex>
        %o = arith.muli %step, %five : vector<16xindex>
        %far = arith.constant dense<2048> : vector<16xindex>
        %p = arith.addi %o, %far : vector<16xindex>
        %m = arith.constant dense<true> : vector<16xi1>
        %s = xegpu.create_tdesc %a, %o : memref<4096xf32>, vector<16xindex> -> {_S}
        %d = xegpu.create_tdesc %c, %o : memref<4096xf32>, vector<16xindex> -> {_S}
        %e:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%t = %s, %u = %d) -> ({_S}, {_S}) {{
          xegpu.prefetch %t : {_S}
          %v = xegpu.load %t, %m : {_S}, vector<16xi1> -> vector<16xf32>
          xegpu.store %v, %u, %m : vector<16xf32>, {_S}, vector<16xi1>
          %n = xegpu.update_offset %t, %five : {_S}, vector<16xindex>
          %l = xegpu.update_offset %u, %five : {_S}, vector<16xindex>
          scf.yield %n, %l : {_S}, {_S}
        }}
        %s4 = xegpu.create_tdesc %a, %p : memref<4096xf32>, vector<16xindex> -> {_S4}
        %d4 = xegpu.create_tdesc %c, %p : memref<4096xf32>, vector<16xindex> -> {_S4}
        %w = xegpu.load %s4, %m <{{transpose}}> : {_S4}, vector<16xi1> -> vector<4x16xf32>
        xegpu.store %w, %d4, %m <{{transpose}}> : vector<4x16xf32>, {_S4}, vector<16xi1>
        %g = xegpu.create_tdesc %c, %step : memref<4096xf32>, vector<16xindex> -> {_S}
        %one = arith.constant dense<1.0> : vector<16xf32>
        %r = xegpu.atomic_rmw addf %g, %m, %one : {_S}, vector<16xi1>, vector<16xf32> -> vector<16xf32>
        """,
        ("f32", "f32"),
    ),
    # Transposed and packed on the way, a product of whole matrices.
    "matrices": _Case(
        "%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>",
        f"""
        %ta = xegpu.create_nd_tdesc %a[8, 16] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
        %tb = xegpu.create_nd_tdesc %b[16, 32] : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
        %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<64x64xf32> -> {_B}
        %l = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
        %r = xegpu.load_nd %tb <{{packed}}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
        %q = xegpu.load_nd %tb <{{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}}> :
            !xegpu.tensor_desc<16x16xf16> -> vector<8x32xf16>
        %q3 = vector.shape_cast %q : vector<8x32xf16> to vector<8x16x2xf16>
        %d = xegpu.dpas %l, %r : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
        %e = xegpu.dpas %l, %q3, %d : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
        xegpu.store_nd %e, %tc : vector<8x16xf32>, {_B}
        """,
        ("f16", "f16", "f32"),
    ),
    # The fragments of lanes.
    "fragments": _Case(
        "%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>",
        f"""
        %c16 = arith.constant 16 : index
        %x = gpu.thread_id x
        %s = arith.divui %x, %c16 : index
        %c8 = arith.constant 8 : index
        %i = arith.muli %s, %c8 : index
        %ta = xegpu.create_nd_tdesc %a[%i, 16] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16, {_A_MAP}>
        %tb = xegpu.create_nd_tdesc %b[16, 32] : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16, {_B_MAP}>
        %tc = xegpu.create_nd_tdesc %c[%i, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32, {_A_MAP}>
        %l = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, {_A_MAP}> -> vector<8x1xf16>
        %r = xegpu.load_nd %tb <{{packed}}> : !xegpu.tensor_desc<16x16xf16, {_B_MAP}> -> vector<8x2xf16>
        %q = xegpu.load_nd %tc : !xegpu.tensor_desc<8x16xf32, {_A_MAP}> -> vector<8x1xf32>
        %d = xegpu.dpas %l, %r, %q {{sg_map_a = {_A_MAP}, sg_map_b = {_B_MAP}, sg_map_c = {_A_MAP}}} :
            vector<8x1xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
        xegpu.store_nd %d, %tc : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, {_A_MAP}>
        """,
        ("f16", "f16", "f32"),
        (32, 1, 1),
        "known_block_size = array<i32: 32, 1, 1>",
    ),
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("name", _CASES)
def test_results_stay_the_same(name: str) -> None:
    case = _CASES[name]
    text = kernel_text(case.arguments, case.body, case.attributes)
    rng = np.random.default_rng(len(name))
    shape = 4096 if "4096" in case.arguments else (64, 64)
    arrays = [random_array(rng, shape, element) for element in case.elements]
    newer = converted(text, "llvm22")
    assert is_of_llvm22(parse_module(_context(), SourceBuffer("k.mlir", newer)))
    assert converted(newer, "llvm22") == newer, "a kernel of LLVM 22 stays as it is"
    wide = (case.group[0] * (16 if "VectorCompute" in case.attributes else 1), *case.group[1:])
    first = _results(text, arrays, case.group)
    assert first[-1].tobytes() != arrays[-1].tobytes()
    for other in (newer, converted(text, "llvm22", "rfc")):
        for want, got in zip(first, _results(other, arrays, wide), strict=True):
            assert want.tobytes() == got.tobytes()


def _context() -> Context:
    context = Context()
    register_dialects(context)
    return context


def _results(text: str, arrays: Sequence[Array], group: tuple[int, int, int]) -> list[Array]:
    return run(compile_one(text), *arrays, local=group, engines=("jit",))


@pytest.mark.parametrize(
    ("arguments", "body", "attributes", "message"),
    [
        ("%a: ui64", "%t = xegpu.create_nd_tdesc %a[0] : ui64 -> !xegpu.tensor_desc<16xf32>", "", "no shape"),
        ("", "xegpu.compile_hint", "", "which can be removed"),
        (
            "%v: vector<1x2xf32>",
            "%c = xegpu.distribute %v {elements = array<i32: 0, 1>} : vector<1x2xf32> -> vector<1x1xf32>",
            "",
            "'xegpu.distribute' op has no counterpart",
        ),
        (
            "%a: memref<64x64xf32>",
            f'%t = xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xf32> -> {_B}\ngpu.printf "x"',
            "",
            "each of the 16 work-items of a subgroup would execute it",
        ),
        (
            "%a: memref<64x64xf32>",
            f"%t = xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xf32> -> {_B}",
            "spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 32>",
            "subgroups of 32 work-items",
        ),
        (
            "%a: memref<64x64xf32>",
            """
            %t = xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xf32> ->
              !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>>
            %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>>
              -> vector<8x1xf32>
            """,
            "",
            "has a fragment by #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>, which has no counterpart",
        ),
    ],
)
def test_what_has_no_counterpart(arguments: str, body: str, attributes: str, message: str) -> None:
    with pytest.raises(CompileError) as error:
        converted(kernel_text(arguments, body, attributes), "llvm22")
    assert message in str(error.value)


def test_launches_count_work_items() -> None:
    text = f"""
    module attributes {{gpu.container_module}} {{
      gpu.module @m {{
        gpu.func @k(%a: memref<64x64xf32>) kernel attributes {{known_block_size = array<i32: 4, 2, 1>}} {{
          %x = gpu.global_id x
          %t = xegpu.create_nd_tdesc %a[%x, 0] : memref<64x64xf32> -> {_B}
          xegpu.prefetch_nd %t : {_B}
          gpu.return
        }}
        gpu.func @plain(%a: memref<64x64xf32>) kernel {{
          %x = gpu.thread_id x
          gpu.return
        }}
      }}
      func.func @main(%a: memref<64x64xf32>, %n: index) {{
        gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<64x64xf32>)
        gpu.launch_func @m::@plain blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<64x64xf32>)
        return
      }}
    }}
    """
    newer = converted(text, "llvm22")
    assert "known_block_size = array<i32: 64, 2, 1>" in newer
    assert newer.count("arith.muli %n, %") == 1
    assert "threads in (%n, %n, %n)" in newer.partition("@plain blocks")[2]
