"""Infers the owners of all values of a kernel from the layouts that it states."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.work_groups.inference import Inference
from passes.support.work_groups.sharing import Sharing
from passes.xegpu.wg_to_sg_distribute.layout_rules import LayoutRules, lanes_of
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import vector_type
from xegpu.dialects.xegpu import LoadNdOp, PrefetchOp, StoreMatrixOp, StoreNdOp, StoreOp


def infer(function: FuncOp, rules: LayoutRules) -> dict[SSAValue, Sharing]:
    """Returns the sharing of each vector, and of each descriptor with an address for each element.

    What no layout reaches is divided evenly where it is stored or prefetched; every subgroup owns the rest.
    """
    inference = Inference(function, rules)
    inference.run()
    for op in function.walk():
        value = _accessed(op)
        if value is not None and value not in inference.sharings:
            inference.set(value, rules.default(op, vector_type(value).get_shape()))
            inference.propagate()
    for op in function.walk():
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.args)
        for value in (*op.results, *arguments):
            if rules.is_shareable(value) and value not in inference.sharings:
                inference.set(value, Sharing.replicated(lanes_of(value) or vector_type(value).get_shape()))
    for op in function.walk():
        if isinstance(op, LoadNdOp) and (sharing := _wanted(op, rules, inference)) is not None:
            inference.set(op.value, sharing)
    return inference.sharings


def _accessed(op: Operation) -> SSAValue | None:
    """Returns the vector that an access without a result stores, or the addresses that it prefetches."""
    match op:
        case StoreNdOp() | StoreMatrixOp() | StoreOp():
            value: SSAValue | None = op.value
        case PrefetchOp():
            value = op.offsets
        case _:
            value = None
    return value if value is not None and isa(value.type, VectorType) else None


def _wanted(op: LoadNdOp, rules: LayoutRules, inference: Inference) -> Sharing | None:
    """Returns the sharing that all users of a loaded block need; None if they differ, or need none.

    Loading it so takes no exchange, whatever the layout of the load.
    """
    needed = {rules.operand_sharing(use.operation, use.index, inference.sharings) for use in op.value.uses}
    return needed.pop() if len(needed) == 1 else None
