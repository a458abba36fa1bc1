"""Reductions of distributed vectors: in each lane, then across lanes."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Operation, SSAValue

from passes.support.fragments.reductions import ReductionPlan
from passes.support.op_builder import OpBuilder
from passes.support.vectors.combining import combine
from passes.xegpu.distribute_sg_map.forms import Forms, chosen, flat, reshaped
from xegpu.dialects.upstream.gpu import Reduction, SubgroupReduceOp
from xegpu.dialects.upstream.vector import ExtractOp


def reduce_shared(build: OpBuilder, forms: Forms, op: Operation, plan: ReductionPlan) -> SSAValue:
    """Emits the reduction of a distributed vector.

    Returns its result as a fragment, or whole if all lanes have the same.
    """
    attribute = op.properties["kind"]
    assert isinstance(attribute, CombiningKindAttr)
    source, kind = flat(build, op.operands[0]), attribute.data
    rows = [chosen(build, source, source, row) for row in plan.positions.tolist()]
    total = rows[0]
    for row in rows[1:]:
        total = build.add(combine(kind, total, row))
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
    combined = build.add(combine(kind, start, total))
    return combined if whole is None else forms.record(combined, whole, result.type)
