"""Addresses that accesses compute: constants in messages, sums that are negative on the way, pointers in memory."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device
from tests.unit.passes.convert_xegpu_to_xe.pointers.test_pointers import launch, module

SPACES = {
    "private": ("!llvm.ptr", "%base = llvm.alloca %c32 x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr"),
    "global": ("!llvm.ptr<1>", "%base = llvm.getelementptr %x[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8"),
    "shared": ("!llvm.ptr<3>", "%base = llvm.mlir.addressof @shared : !llvm.ptr<3>"),
}
SHARED = "llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<32 x i32>"


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("back", [0, 20])
def test_constant_distances(space: str, back: int, engine: str) -> None:
    """An index may be negative if a constant behind it makes up for it."""
    type, base = SPACES[space]
    text = module(
        "%x: !llvm.ptr<1>, %y: !llvm.ptr<1>",
        f"""
        %c32 = arith.constant 32 : i32
        %v = arith.trunci %n : i64 to i32
        {base}
        %c{back} = arith.constant {-back} : i64
        %m = arith.addi %n, %c{back} : i64
        %p = llvm.getelementptr %base[%m] : ({type}, i64) -> {type}, i32
        %q = llvm.getelementptr %p[{4 * back + 8}] : ({type}) -> {type}, i8
        llvm.store %v, %q : i32, {type}
        gpu.barrier
        %w = llvm.load %q : {type} -> i32
        %yn = llvm.getelementptr %y[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        %far = llvm.getelementptr %yn[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
        llvm.store %w, %far : i32, !llvm.ptr<1>""",
        SHARED,
    )
    x, y = np.zeros(64, np.int32), np.zeros(16, np.int32)
    launch(Device(engine=engine), text, x, y)
    np.testing.assert_array_equal(y, np.arange(16))
    if space == "global":
        np.testing.assert_array_equal(x[34:50], np.arange(16))


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
@pytest.mark.parametrize("target", ["pvc", "arc"])
@pytest.mark.parametrize("space", ["private", "shared"])
@pytest.mark.parametrize("bits", [8, 16])
def test_narrow_indices_are_signed(bits: int, space: str, target: str, engine: str) -> None:
    """An index of few bits, which is small as an unsigned number, may be negative."""
    type, base = SPACES[space]
    text = module(
        "%x: !llvm.ptr<1>, %y: !llvm.ptr<1>",
        f"""
        %c32 = arith.constant 32 : i32
        %v = arith.trunci %n : i64 to i32
        {base}
        %xn = llvm.getelementptr %x[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i{bits}
        %m = llvm.load %xn : !llvm.ptr<1> -> i{bits}
        %p = llvm.getelementptr %base[%m] : ({type}, i{bits}) -> {type}, i32
        %q = llvm.getelementptr %p[80] : ({type}) -> {type}, i8
        llvm.store %v, %q : i32, {type}
        gpu.barrier
        %w = llvm.load %q : {type} -> i32
        %yn = llvm.getelementptr %y[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        llvm.store %w, %yn : i32, !llvm.ptr<1>""",
        SHARED,
    )
    x, y = np.arange(-20, -4).astype(f"i{bits // 8}"), np.zeros(16, np.int32)
    launch(Device(target, engine=engine), text, x, y)
    np.testing.assert_array_equal(y, np.arange(16))


@pytest.mark.parametrize("distance", [(1 << 19) - 4096, 1 << 19, 1 << 22, -(1 << 19), -(1 << 22)])
def test_distances_beyond_a_message(distance: int) -> None:
    text = module(
        "%x: !llvm.ptr<1>",
        f"""
        %v = arith.trunci %n : i64 to i32
        %middle = llvm.getelementptr %x[{1 << 23}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
        %p = llvm.getelementptr %middle[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        %q = llvm.getelementptr %p[{distance}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
        llvm.store %v, %q : i32, !llvm.ptr<1>""",
    )
    x = np.zeros(1 << 22, np.int32)
    launch(Device(), text, x)
    start = ((1 << 23) + distance) // 4
    np.testing.assert_array_equal(x[start : start + 16], np.arange(16))
    assert np.count_nonzero(x) == 15


def test_pointers_in_memory() -> None:
    """A pointer to local memory takes 64 bits in memory, and leads back to where it points."""
    text = module(
        "%y: !llvm.ptr<1>",
        """
        %one = arith.constant 1 : i32
        %base = llvm.mlir.addressof @shared : !llvm.ptr<3>
        %p = llvm.getelementptr %base[%n] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
        %pair = llvm.alloca %one x !llvm.array<2 x i64> {alignment = 8 : i64} : (i32) -> !llvm.ptr
        %second = llvm.getelementptr %pair[8] : (!llvm.ptr) -> !llvm.ptr, i8
        %mark = arith.constant -1 : i64
        llvm.store %mark, %pair : i64, !llvm.ptr
        llvm.store %mark, %second : i64, !llvm.ptr
        llvm.store %p, %pair : !llvm.ptr<3>, !llvm.ptr
        %q = llvm.load %pair : !llvm.ptr -> !llvm.ptr<3>
        %v = arith.trunci %n : i64 to i32
        llvm.store %v, %q : i32, !llvm.ptr<3>
        %w = llvm.load %p : !llvm.ptr<3> -> i32
        %high = llvm.getelementptr %pair[4] : (!llvm.ptr) -> !llvm.ptr, i8
        %zero = llvm.load %high : !llvm.ptr -> i32
        %behind = llvm.load %second : !llvm.ptr -> i32
        %a = arith.addi %w, %zero : i32
        %b = arith.addi %a, %behind : i32
        %yn = llvm.getelementptr %y[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        llvm.store %b, %yn : i32, !llvm.ptr<1>""",
        SHARED,
    )
    y = np.zeros(16, np.int32)
    launch(Device(), text, y)
    np.testing.assert_array_equal(y, np.arange(16) - 1)
