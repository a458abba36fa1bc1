"""Descriptors that flow into one another through updates, loops and branches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from passes.support.control_flow import passed
from passes.support.webs.disjoint_sets import DisjointSets
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import TensorDescType, UpdateNdOffsetOp, UpdateOffsetOp


@dataclass(eq=False)
class DescriptorWeb:
    """Descriptors that may be the same one at run time, and the operations that use them, in program order."""

    values: list[SSAValue] = field(default_factory=list)
    users: list[Operation] = field(default_factory=list)


def descriptor_webs(function: FuncOp) -> list[DescriptorWeb]:
    """Returns the webs of all descriptors of a function, in program order."""
    sets = DisjointSets[SSAValue]()
    descriptors: dict[SSAValue, None] = {}
    for op in function.walk():
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.args)
        for value in (*op.operands, *op.results, *arguments):
            if isinstance(value.type, TensorDescType):
                descriptors[value] = None
        for taker, giver in _flows(op):
            if isinstance(taker.type, TensorDescType):
                sets.unite(taker, giver)
    webs: dict[SSAValue, DescriptorWeb] = {}
    for value in descriptors:
        webs.setdefault(sets.find(value), DescriptorWeb()).values.append(value)
    for op in function.walk():
        for root in dict.fromkeys(sets.find(value) for value in op.operands if value in descriptors):
            webs[root].users.append(op)
    return list(webs.values())


def _flows(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    yield from passed(op)
    if isinstance(op, UpdateNdOffsetOp | UpdateOffsetOp):
        yield op.result, op.tensor_desc
