"""Descriptors that flow into one another through updates, loops and branches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from passes.support.control_flow import branch_operands, loop_operands, region_operands
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import TensorDescType, UpdateNdOffsetOp, UpdateOffsetOp


@dataclass(eq=False)
class DescriptorWeb:
    """Descriptors that may be the same one at run time, and the operations that use them, in program order."""

    values: list[SSAValue] = field(default_factory=list)
    users: list[Operation] = field(default_factory=list)


def descriptor_webs(function: FuncOp) -> list[DescriptorWeb]:
    """Returns the webs of all descriptors of a function."""
    parents: dict[SSAValue, SSAValue] = {}

    def find(value: SSAValue) -> SSAValue:
        while (parent := parents.get(value, value)) is not value:
            parents[value] = parents.get(parent, parent)
            value = parent
        return value

    descriptors: dict[SSAValue, None] = {}
    for op in function.walk():
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.args)
        for value in (*op.operands, *op.results, *arguments):
            if isinstance(value.type, TensorDescType):
                descriptors[value] = None
        for target, source in _flows(op):
            if isinstance(target.type, TensorDescType) and (a := find(target)) is not (b := find(source)):
                parents[a] = b
    webs: dict[SSAValue, DescriptorWeb] = {}
    for value in descriptors:
        web = webs.setdefault(find(value), DescriptorWeb())
        web.values.append(value)
    for op in function.walk():
        for root in dict.fromkeys(find(value) for value in op.operands if value in descriptors):
            webs[root].users.append(op)
    return list(webs.values())


def _flows(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    yield from branch_operands(op)
    yield from region_operands(op)
    yield from loop_operands(op)
    if isinstance(op, UpdateNdOffsetOp | UpdateOffsetOp):
        yield op.result, op.tensor_desc
