"""The facts about operations that passes rely on."""

from __future__ import annotations

import pytest

from tests.unit.xegpu.dialects.support import context, parse
from xegpu.dialects.upstream.traits import BroadcastInterface, Elementwise, ReductionInterface, TransposeInterface

OPS = """
func.func @f(%x: f32, %row: vector<1x16xf32>, %v: vector<8x16xf32>, %acc: vector<16xf32>) {
  %0 = vector.transpose %v, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
  %1 = xetile.transpose %v, [1, 0] : vector<8x16xf32> -> vector<16x8xf32>
  %2 = vector.broadcast %acc : vector<16xf32> to vector<8x16xf32>
  %3 = vector.splat %x : vector<16xf32>
  %4 = xetile.broadcast %row [0] : vector<1x16xf32> -> vector<8x16xf32>
  %5 = vector.multi_reduction <add>, %v, %acc [0] : vector<8x16xf32> to vector<16xf32>
  %6 = xetile.reduction <add>, %v [0] : vector<8x16xf32> -> vector<1x16xf32>
  return
}
"""


@pytest.mark.parametrize(("dialect", "others"), [("arith", {"arith.constant"}), ("math", set())], ids=str)
def test_whole_dialects_are_elementwise(dialect, others):
    operations = context().get_dialect(dialect).operations
    assert {op.name for op in operations if not op.has_trait(Elementwise)} == others


def test_of_the_vector_dialect_only_fma_is_elementwise():
    operations = context().get_dialect("vector").operations
    assert {op.name for op in operations if op.has_trait(Elementwise)} == {"vector.fma"}


def test_the_shape_of_a_result_is_known_from_the_interface():
    ops = {op.name: op for op in parse(OPS).walk()}
    transposes = {name: op.permuted_dims for name, op in ops.items() if isinstance(op, TransposeInterface)}
    broadcasts = {name: op.repeated.type for name, op in ops.items() if isinstance(op, BroadcastInterface)}
    reductions = {
        name: (op.reduced_dims, op.KEEPS_DIMS) for name, op in ops.items() if isinstance(op, ReductionInterface)
    }
    assert transposes == {"vector.transpose": (1, 0), "xetile.transpose": (1, 0)}
    assert {name: str(type) for name, type in broadcasts.items()} == {
        "vector.broadcast": "vector<16xf32>",
        "vector.splat": "f32",
        "xetile.broadcast": "vector<1x16xf32>",
    }
    assert reductions == {"vector.multi_reduction": ((0,), False), "xetile.reduction": ((0,), True)}
