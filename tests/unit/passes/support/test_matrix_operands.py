"""The maps that matrix engines want, against the published tables of PVC and ARC."""

from __future__ import annotations

import pytest

from passes.support.matrix_operands import matrices, matrix_maps, matrix_step, multiplies_whole_matrices
from tests.unit.xegpu.dialects.support import parse
from xegpu.dialects.xegpu import DpasOp
from xegpu.targets import ARC, PVC, Target

# element, A (layout, data), B (layout, data)
TABLES = [
    (PVC, "bf16", "f32", 16, ((1, 16), (1, 1)), ((1, 16), (2, 1))),
    (PVC, "f16", "f32", 16, ((1, 16), (1, 1)), ((1, 16), (2, 1))),
    (PVC, "tf32", "f32", 8, ((2, 8), (1, 1)), ((1, 16), (1, 1))),
    (PVC, "ui8", "si32", 32, ((1, 16), (1, 2)), ((1, 16), (4, 1))),
    (ARC, "bf16", "f32", 16, ((1, 8), (1, 2)), ((1, 8), (2, 1))),
    (ARC, "tf32", "f32", 8, ((1, 8), (1, 1)), ((1, 8), (1, 1))),
    (ARC, "si8", "si32", 32, ((1, 8), (1, 4)), ((1, 8), (4, 1))),
]


def product(a: str, b: str, c: str) -> DpasOp:
    types = f"vector<{a}>, vector<{b}>"
    body = f"%c = xegpu.dpas %a, %b : {types} -> vector<{c}>"
    module = parse(f"func.func @f(%a: vector<{a}>, %b: vector<{b}>) {{\n{body}\nreturn\n}}")
    (op,) = [op for op in module.walk() if isinstance(op, DpasOp)]
    return op


@pytest.mark.parametrize(("target", "element", "result", "k", "a", "b"), TABLES)
def test_maps_of_the_tables(
    target: Target,
    element: str,
    result: str,
    k: int,
    a: tuple[tuple[int, int], tuple[int, int]],
    b: tuple[tuple[int, int], tuple[int, int]],
) -> None:
    n = target.platform.dpas.execution_size
    op = product(f"8x{k}x{element}", f"{k}x{n}x{element}", f"8x{n}x{result}")
    assert matrix_step(op, target) == k
    found = [(m.lane_map.layout, m.lane_map.data) for m in matrix_maps(op, target)]
    assert found == [a, b, ((1, n), (1, 1))]


def test_packed_operands_are_counted_unpacked() -> None:
    op = product("8x8x2xf16", "8x16x2xf16", "8x16xf32")
    assert multiplies_whole_matrices(op)
    assert matrices(op) == ((8, 16), (16, 16), (8, 16))
