"""Tiles of shared local memory: which are known not to cross edges, and what the others return there."""

from __future__ import annotations

import numpy as np
import pytest

from passes.pipelines import compile_to_kernels
from tests.unit.passes.kernels.harness import compile_one, kernel_text, run
from xegpu.isa.text.disassembler import disassemble
from xegpu.targets import ARC, PVC, Target

SHARED = "#xetile.tile_attr<memory_space = 3 : i64>"
THIRD = 1431655766
"""A number whose triple is 2 modulo 2^32."""


def rows_from(start: str) -> str:
    """Three rows of 3 x 16 numbers in shared memory, from a row on that is computed from %x; others lie behind them."""
    return kernel_text(
        "%a: memref<3x16xf32>, %b: memref<3x16xf32>, %x: i32",
        f"""
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : i32
    %minus = arith.constant dense<-1.0> : vector<3x16xf32>
    %s = memref.alloc() : memref<3x16xf32, 3>
    %n = memref.alloc() : memref<3x16xf32, 3>
    %ta = xetile.init_tile %a[%c0, %c0] : memref<3x16xf32> -> !xetile.tile<3x16xf32>
    %va = xetile.load_tile %ta : !xetile.tile<3x16xf32> -> vector<3x16xf32>
    %ts = xetile.init_tile %s[%c0, %c0] : memref<3x16xf32, 3> -> !xetile.tile<3x16xf32, {SHARED}>
    %tn = xetile.init_tile %n[%c0, %c0] : memref<3x16xf32, 3> -> !xetile.tile<3x16xf32, {SHARED}>
    xetile.store_tile %va, %ts : vector<3x16xf32>, !xetile.tile<3x16xf32, {SHARED}>
    xetile.store_tile %minus, %tn : vector<3x16xf32>, !xetile.tile<3x16xf32, {SHARED}>
    {start}
    %t = xetile.init_tile %s[%m, %c0] : memref<3x16xf32, 3> -> !xetile.tile<3x16xf32, {SHARED}>
    %v = xetile.load_tile %t : !xetile.tile<3x16xf32, {SHARED}> -> vector<3x16xf32>
    %u = xetile.init_tile %b[%c0, %c0] : memref<3x16xf32> -> !xetile.tile<3x16xf32>
    xetile.store_tile %v, %u : vector<3x16xf32>, !xetile.tile<3x16xf32>""",
        "VectorComputeFunctionINTEL",
    )


WRAPPING = {
    "%r = arith.muli %x, %c3 : i32\n%m = arith.index_cast %r : i32 to index": lambda x: 3 * x,
    "%r = arith.muli %x, %c3 : i32\n%y = arith.addi %r, %c3 : i32\n%m = arith.index_cast %y : i32 to index": lambda x: (
        3 * x + 3
    ),
    "%w = arith.extui %x : i32 to i64\n%k = arith.constant 3 : i64\n%r = arith.muli %w, %k : i64\n"
    "%y = arith.trunci %r : i64 to i32\n%m = arith.index_cast %y : i32 to index": lambda x: 3 * x,
}
"""How the first row is computed of x, modulo 2^32."""


@pytest.mark.parametrize("x", [0, 1, THIRD, THIRD - 1, -1])
@pytest.mark.parametrize("start", WRAPPING)
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_multiples_of_three_that_wrap_around(start: str, x: int, target: Target) -> None:
    """Rows outside are zero, though the number of the first one was computed as a multiple of the tile's rows."""
    a = np.arange(1, 49, dtype=np.float32).reshape(3, 16)
    b = np.zeros((3, 16), np.float32)
    first = ((WRAPPING[start](x) + (1 << 31)) & (1 << 32) - 1) - (1 << 31)
    rows = np.arange(first, first + 3)
    wanted = np.where(((rows >= 0) & (rows < 3))[:, None], a[rows % 3], 0)
    _, found, *_ = run(compile_one(rows_from(start), target), a, b, np.int32(x), target=target)
    np.testing.assert_array_equal(found, wanted)


ALIGNED = [
    "%m = arith.shli %i, %c4 : index",
    "%o = arith.ori %i, %c15 : index\n%m = arith.addi %o, %c1 : index",
    "%m = arith.andi %i, %rest : index",
    "%n = arith.index_cast %i : index to i32\n%k = arith.constant 4 : i32\n%s = arith.shli %n, %k : i32\n"
    "%m = arith.index_castui %s : i32 to index",
    "%s = arith.shli %i, %c4 : index\n%p = arith.cmpi ult, %i, %c4 : index\n%m = arith.select %p, %s, %c16 : index",
    "%s = arith.shrui %i, %c4 : index\n%m = arith.muli %s, %c16 : index",
    "%s = arith.shli %i, %c4 : index\n%m = arith.xori %s, %c16 : index",
    "%s = index.shl %i, %c4\n%m = index.maxs %s, %c16",
]
"""Ways to compute a multiple of 16."""


def messages(start: str, target: Target, end: str = "") -> list[str]:
    """Returns the messages that load a tile of 16 x 32 from shared memory, from a row on that is computed from %i."""
    text = kernel_text(
        "%a: memref<64x64xf16, 3>, %b: memref<64x64xf16>",
        f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %rest = arith.constant -16 : index
    %i = gpu.block_id x
    {start}
    %t = xetile.init_tile %a[%m, %c0] : memref<64x64xf16, 3> -> !xetile.tile<16x32xf16, {SHARED}>
    %v = xetile.load_tile %t : !xetile.tile<16x32xf16, {SHARED}> -> vector<16x32xf16>
    %u = xetile.init_tile %b[%c0, %c0] : memref<64x64xf16> -> !xetile.tile<16x32xf16>
    xetile.store_tile %v, %u : vector<16x32xf16>, !xetile.tile<16x32xf16>
    {end}""",
        "VectorComputeFunctionINTEL",
    )
    (kernel,) = compile_to_kernels(text, target)
    words = (word for line in disassemble(kernel.code).splitlines() for word in line.split())
    return [word for word in words if word.startswith("load.slm")]


@pytest.mark.parametrize("start", ALIGNED)
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_what_is_a_multiple_of_the_rows_is_loaded_row_by_row(start: str, target: Target) -> None:
    by_factor = messages("%m = arith.muli %i, %c16 : index", target)
    assert messages(start, target) == by_factor
    assert len(by_factor) < len(messages("%m = arith.muli %i, %c4 : index", target))


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("scf.for %m = %c0 to %i step %c16 {", "}"),
        (
            "scf.while (%y = %c16) : (index) -> () {\n%p = arith.cmpi slt, %y, %i : index\nscf.condition(%p)\n} do {\n"
            "%m = arith.constant 0 : index",
            "scf.yield %c16 : index\n}",
        ),
        (
            "%r = scf.for %n = %c0 to %i step %c1 iter_args(%m = %c16) -> (index) {",
            "%next = arith.addi %m, %c16 : index\nscf.yield %next : index\n}",
        ),
    ],
)
def test_loops_that_see_nothing_but_multiples(start: str, end: str) -> None:
    assert messages(start, PVC, end) == messages("%m = arith.muli %i, %c16 : index", PVC)
