"""Reductions of shared vectors: first in each lane, then over lanes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Operation, SSAValue

from passes.support.fragments.reductions import ReductionPlan
from passes.support.op_builder import OpBuilder
from passes.xegpu.distribute_sg_map.forms import (
    Forms,
    chosen,
    flat,
    reshaped,
    value_type,
)
from xegpu.dialects.upstream.gpu import Reduction, SubgroupReduceOp
from xegpu.dialects.upstream.vector import ExtractOp

_Binary = Callable[[SSAValue, SSAValue], Operation]

_INTEGER: Mapping[CombiningKindFlag, _Binary] = {
    CombiningKindFlag.ADD: arith.AddiOp,
    CombiningKindFlag.MUL: arith.MuliOp,
    CombiningKindFlag.MINUI: arith.MinUIOp,
    CombiningKindFlag.MINSI: arith.MinSIOp,
    CombiningKindFlag.MAXUI: arith.MaxUIOp,
    CombiningKindFlag.MAXSI: arith.MaxSIOp,
    CombiningKindFlag.AND: arith.AndIOp,
    CombiningKindFlag.OR: arith.OrIOp,
    CombiningKindFlag.XOR: arith.XOrIOp,
}
_FLOAT: Mapping[CombiningKindFlag, _Binary] = {
    CombiningKindFlag.ADD: arith.AddfOp,
    CombiningKindFlag.MUL: arith.MulfOp,
    CombiningKindFlag.MINNUMF: arith.MinnumfOp,
    CombiningKindFlag.MAXNUMF: arith.MaxnumfOp,
    CombiningKindFlag.MINIMUMF: arith.MinimumfOp,
    CombiningKindFlag.MAXIMUMF: arith.MaximumfOp,
}


def reduce_shared(build: OpBuilder, forms: Forms, op: Operation, plan: ReductionPlan) -> SSAValue:
    """The result of a reduction whose operand lanes share: a fragment, or whole if all lanes have the same."""
    attribute = op.properties["kind"]
    assert isinstance(attribute, CombiningKindAttr)
    source, kind = flat(build, op.operands[0]), attribute.data
    rows = [chosen(build, source, source, row) for row in plan.places.tolist()]
    total = rows[0]
    for row in rows[1:]:
        total = _combined(build, kind, total, row)
    for cluster in plan.clusters:
        is_all = cluster.size == plan.result.lanes
        total = build.add(
            SubgroupReduceOp(
                total,
                Reduction(kind.value),
                cluster_size=None if is_all else cluster.size,
                cluster_stride=1 if is_all else cluster.stride,
            )
        )
    result = op.results[0]
    if not isinstance(result.type, VectorType):
        total = build.add(ExtractOp(total, [0]))
    elif plan.is_uniform:
        order = plan.result.elements[0].argsort()[: result.type.element_count()]
        total = reshaped(build, chosen(build, total, total, order.tolist()), result.type.get_shape())
    else:
        total = reshaped(build, total, plan.result.shape)
        forms.record(total, plan.result, result.type)
    if len(op.operands) == 1:
        return total
    start = op.operands[1]
    if isinstance(start.type, VectorType):
        start = forms.convert(build, start, forms[total])
    whole = forms[total]
    combined = _combined(build, kind, start, total)
    return combined if whole is None else forms.record(combined, whole, result.type)


def _combined(build: OpBuilder, kind: CombiningKindFlag, a: SSAValue, b: SSAValue) -> SSAValue:
    element = value_type(a).element_type if isinstance(a.type, VectorType) else a.type
    table = _INTEGER if isinstance(element, IntegerType) else _FLOAT
    return build.add(table[kind](a, b))
