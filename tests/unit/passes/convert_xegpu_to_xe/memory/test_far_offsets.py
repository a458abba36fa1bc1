"""Offsets that 32 bits do not hold are outside of surfaces and of small memories, wherever their low bits point."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.simulator import DeviceFault
from tests.unit.passes.kernels.harness import ENGINES, compile_one, kernel_text, run
from xegpu.targets import ARC, PVC, Target

DESC, VALUE, SOURCE = "!xegpu.tensor_desc<8x16xf32>", "vector<8x16xf32>", "memref<32x64xf32>"
ACCESS = f"""
%v = xegpu.load_nd %t : {DESC} -> {VALUE}
%to = xegpu.create_nd_tdesc %o[0, 0] : memref<8x16xf32> -> {DESC}
xegpu.store_nd %v, %to : {VALUE}, {DESC}
%mark = arith.constant dense<-1.0> : {VALUE}
xegpu.store_nd %mark, %t : {VALUE}, {DESC}
"""
CREATED = f"%t = xegpu.create_nd_tdesc %a[%y, %x] : {SOURCE} -> {DESC}"
UPDATED = f"""
%origin = xegpu.create_nd_tdesc %a[0, 0] : {SOURCE} -> {DESC}
%t = xegpu.update_nd_offset %origin, [%y, %x] : {DESC}"""
PLACES = [
    (1 << 32, 0),
    ((1 << 32) + 8, 4),
    (-(1 << 31), 3),
    (4, (1 << 32) + 8),
    (0, (1 << 31) - 3),
    (1 << 40, 0),
    (8, -2),
]
"""Columns and rows of a tile's first element; the last tile lies partly inside."""


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
@pytest.mark.parametrize("tile", [CREATED, UPDATED], ids=["created", "updated"])
def test_tiles_far_from_their_surface(tile: str, target: Target) -> None:
    source = np.arange(1, 32 * 64 + 1, dtype=np.float32).reshape(32, 64)
    arguments = f"%a: {SOURCE}, %o: memref<8x16xf32>"
    dynamic = compile_one(kernel_text(f"{arguments}, %x: index, %y: index", tile + ACCESS), target)
    for number, (x, y) in enumerate(PLACES):
        loaded, stored = np.zeros((8, 16), np.float32), source.copy()
        rows, columns = np.meshgrid(np.arange(y, y + 8), np.arange(x, x + 16), indexing="ij")
        inside = (rows >= 0) & (rows < 32) & (columns >= 0) & (columns < 64)
        loaded[inside] = source[rows[inside], columns[inside]]
        stored[rows[inside], columns[inside]] = -1
        outcomes = [run(dynamic, source, np.zeros_like(loaded), x, y, target=target)]
        if number < 2:
            constants = f"%x = arith.constant {x} : index\n%y = arith.constant {y} : index\n"
            known = compile_one(kernel_text(arguments, constants + tile + ACCESS), target)
            outcomes.append(run(known, source, np.zeros_like(loaded), target=target))
        for after, value in outcomes:
            np.testing.assert_array_equal(value, loaded)
            np.testing.assert_array_equal(after, stored)


LOCAL = "memref<64xi32, 3>"
LANES = "!xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<memory_space = slm>>"
SMALL = {
    "load": f"%v = memref.load %m[%i] : {LOCAL}\nmemref.store %v, %o[%c0] : memref<64xi32>",
    "store": f"memref.store %one, %m[%i] : {LOCAL}",
    "atomic": f"%v = memref.atomic_rmw addi %one, %m[%i] : (i32, {LOCAL}) -> i32",
    "vector": f"""
    %v = vector.load %m[%i] : {LOCAL}, vector<16xi32>
    vector.store %v, %o[%c0] : memref<64xi32>, vector<16xi32>""",
    "gather": f"""
    %each = vector.broadcast %i : index to vector<16xindex>
    %mask = arith.constant dense<true> : vector<16xi1>
    %t = xegpu.create_tdesc %m, %each : {LOCAL}, vector<16xindex> -> {LANES}
    %v = xegpu.load %t, %mask : {LANES}, vector<16xi1> -> vector<16xi32>
    vector.store %v, %o[%c0] : memref<64xi32>, vector<16xi32>""",
    "view": f"""
    %s = memref.subview %m[%i] [1] [1] : {LOCAL} to memref<1xi32, strided<[1], offset: ?>, 3>
    memref.store %one, %s[%c0] : memref<1xi32, strided<[1], offset: ?>, 3>""",
    "private": """
    %p = memref.alloca() : memref<64xi32, 5>
    memref.store %one, %p[%i] : memref<64xi32, 5>""",
}


@pytest.mark.parametrize("access", SMALL)
def test_elements_far_from_small_memories(access: str) -> None:
    """2^30 elements of four bytes are 2^32 bytes, the range of an address of these memories."""
    body = f"%m = memref.alloc() : {LOCAL}\n%c0 = arith.constant 0 : index\n%one = arith.constant 1 : i32\n"
    kernel = compile_one(kernel_text("%o: memref<64xi32>, %i: index", body + SMALL[access]))
    run(kernel, np.zeros(64, np.int32), 0)
    for index in (1 << 30, 1 << 32, -(1 << 30)):
        for engine in ENGINES:
            with pytest.raises(DeviceFault):
                run(kernel, np.zeros(64, np.int32), index, engines=[engine])
