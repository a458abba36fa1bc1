"""Values larger than the register file: computed in parts, the rest of them waiting in scratch space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, run
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)


def rows_of(target: Target, columns: int) -> int:
    """The rows of a value of f32 that takes more bytes than the register file, by an eighth."""
    return max(target.platform.grf_counts) * target.platform.grf_bytes // (4 * columns) * 9 // 8


@dataclass(frozen=True)
class Case:
    """A kernel from `%a` to `%o`, both of a shape, and what it computes."""

    columns: int
    body: str
    expected: Callable[[Array], Array]

    def text(self, rows: int) -> str:
        vector, memref = (f"{kind}<{rows}x{self.columns}xf32>" for kind in ("vector", "memref"))
        row = f"vector<{self.columns}xf32>"
        body = f"%c0 = arith.constant 0 : index\n%v = vector.load %a[%c0, %c0] : {memref}, {vector}\n{self.body}\n"
        body += f"vector.store %r, %o[%c0, %c0] : {memref}, {vector}"
        for name, type in (("VECTOR", vector), ("MEMREF", memref), ("ROW", row)):
            body = body.replace(name, type)
        return kernel_text(f"%a: {memref}, %o: {memref}", body)


CASES = {
    "elementwise": Case(
        96,
        "%w = vector.load %a[%c0, %c0] : MEMREF, VECTOR\n%s = arith.addf %v, %w : VECTOR\n"
        "%r = arith.mulf %s, %v : VECTOR",
        lambda a: (a + a) * a,
    ),
    "carried": Case(
        64,
        "%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n"
        "%r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %v) -> (VECTOR) {\n"
        "%w = vector.load %a[%c0, %c0] : MEMREF, VECTOR\n%s = arith.addf %acc, %w : VECTOR\nscf.yield %s : VECTOR\n}",
        lambda a: 4 * a,
    ),
    "chosen": Case(
        64,
        "%x = memref.load %a[%c0, %c0] : MEMREF\n%z = arith.constant 0.0 : f32\n%c = arith.cmpf olt, %x, %z : f32\n"
        "%r = scf.if %c -> (VECTOR) {\n%n = arith.negf %v : VECTOR\nscf.yield %n : VECTOR\n} else {\n"
        "scf.yield %v : VECTOR\n}",
        lambda a: -a if a[0, 0] < 0 else a,
    ),
    "reduced": Case(
        32,
        "%z = arith.constant dense<0.0> : ROW\n%s = vector.multi_reduction <add>, %v, %z [0] : VECTOR to ROW\n"
        "%b = vector.broadcast %s : ROW to VECTOR\n%r = arith.subf %v, %b : VECTOR",
        lambda a: a - a.sum(0),
    ),
}


@TARGETS
@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_vectors_of_subgroups(case: Case, target: Target) -> None:
    """Small integers, so that sums are exact in any order."""
    shape = rows_of(target, case.columns), case.columns
    kernel = compile_one(case.text(shape[0]), target)
    values = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
    _, result = run(kernel, values, np.zeros_like(values), local=(1, 1, 1), target=target)
    assert result.tolist() == case.expected(values).tolist()


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
def test_tiles(target: Target) -> None:
    """A tile of XeTile that has more elements than registers: scaled by its sums of columns."""
    rows = rows_of(target, 32) // 32 * 32 + 32
    memref, tile, vector = (f"{kind}<{rows}x32xf32>" for kind in ("memref", "!xetile.tile", "vector"))
    body = (
        f"%t = xetile.init_tile %a[0, 0] : {memref} -> {tile}\n%v = xetile.load_tile %t : {tile} -> {vector}\n"
        "%z = arith.constant dense<0.0> : vector<32xf32>\n"
        f"%s = vector.multi_reduction <add>, %v, %z [0] : {vector} to vector<32xf32>\n"
        "%c = vector.shape_cast %s : vector<32xf32> to vector<1x32xf32>\n"
        f"%b = vector.broadcast %c : vector<1x32xf32> to {vector}\n%r = arith.mulf %v, %b : {vector}\n"
        f"%u = xetile.init_tile %o[0, 0] : {memref} -> {tile}\nxetile.store_tile %r, %u : {vector}, {tile}"
    )
    kernel = compile_one(kernel_text(f"%a: {memref}, %o: {memref}", body), target)
    values = np.random.default_rng(1).integers(-9, 9, (rows, 32)).astype(np.float32)
    _, result = run(kernel, values, np.zeros_like(values), local=(1, 1, 1), target=target)
    assert result.tolist() == (values * values.sum(0)).tolist()


@pytest.mark.exhaustive
def test_values_that_each_work_item_has_whole() -> None:
    """Reductions along both dimensions of a distributed tile: broadcast, they take 32 KiB in 16 lanes."""
    desc = "!xegpu.tensor_desc<16x32xf32, #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>>"
    vector, memref = "vector<16x32xf32>", "memref<16x32xf32>"
    body = (
        f"%t = xegpu.create_nd_tdesc %a[0, 0] : {memref} -> {desc}\n%v = xegpu.load_nd %t : {desc} -> {vector}\n"
        "%z = arith.constant dense<0.0> : vector<16xf32>\n"
        f"%r = vector.multi_reduction <add>, %v, %z [1] : {vector} to vector<16xf32>\n"
        "%rc = vector.shape_cast %r : vector<16xf32> to vector<16x1xf32>\n"
        f"%rb = vector.broadcast %rc : vector<16x1xf32> to {vector}\n"
        "%y = arith.constant dense<-1000.0> : vector<32xf32>\n"
        f"%c = vector.multi_reduction <maximumf>, %v, %y [0] : {vector} to vector<32xf32>\n"
        f"%cb = vector.broadcast %c : vector<32xf32> to {vector}\n%w = arith.addf %rb, %cb : {vector}\n"
        f"%u = xegpu.create_nd_tdesc %o[0, 0] : {memref} -> {desc}\nxegpu.store_nd %w, %u : {vector}, {desc}"
    )
    kernel = compile_one(kernel_text(f"%a: {memref}, %o: {memref}", body, ""))
    values = np.random.default_rng(2).integers(-9, 9, (16, 32)).astype(np.float32)
    _, result = run(kernel, values, np.zeros_like(values), local=(16, 1, 1))
    assert result.tolist() == (values.sum(1, keepdims=True) + values.max(0)).tolist()
