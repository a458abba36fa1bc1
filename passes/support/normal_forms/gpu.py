"""Operations of lanes as simpler ones."""

from __future__ import annotations

from xdsl.dialects.arith import ShLIOp
from xdsl.dialects.builtin import IndexType, IntegerType, i32
from xdsl.ir import SSAValue

from passes.support.normal_forms.rewriting import Add, constant, expands
from xegpu.dialects.upstream.arith import ExtUIOp, IndexCastOp, SelectOp, TruncIOp
from xegpu.dialects.upstream.gpu import BallotOp, LaneIdOp, Reduction, SubgroupReduceOp


@expands(BallotOp)
def _ballot(add: Add, op: BallotOp) -> list[SSAValue]:
    """Each lane whose predicate holds contributes its bit to a word; subgroups have at most 32 lanes."""
    lane = add(IndexCastOp(add(LaneIdOp(result_types=[IndexType()])), i32))
    bit = add(ShLIOp(add(constant(i32, 1)), lane))
    own = add(SelectOp(op.predicate, bit, add(constant(i32, 0))))
    word = add(SubgroupReduceOp(own, Reduction.OR))
    type = op.result.type
    assert isinstance(type, IntegerType)
    if type.width.data == i32.width.data:
        return [word]
    return [add((ExtUIOp if type.width.data > i32.width.data else TruncIOp)(word, type))]
