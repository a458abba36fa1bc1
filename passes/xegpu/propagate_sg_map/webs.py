"""Webs of descriptors: descriptors that may be the same one at run time, and must have one type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from passes.support.disjoint_sets import DisjointSets
from passes.support.fragments.anchors import Accesses
from passes.support.fragments.structure import passed
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import SgMapAttr, TensorDescType, UpdateNdOffsetOp, UpdateOffsetOp


@dataclass(eq=False)
class DescriptorWeb:
    """Descriptors that flow into one another, through updates and control flow, and the accesses through them."""

    type: TensorDescType
    values: list[SSAValue] = field(default_factory=list)
    accesses: list[Accesses] = field(default_factory=list)

    def set_map(self, sg_map: SgMapAttr) -> None:
        """Sets the map of all descriptors."""
        self.type = self.type.with_map(sg_map)
        self.values = [Rewriter.replace_value_with_new_type(value, self.type) for value in self.values]


def descriptor_webs(function: FuncOp) -> list[DescriptorWeb]:
    """Returns the webs of a function, in program order."""
    sets = DisjointSets[SSAValue]()
    for op in function.walk():
        for taker, giver in _flows(op):
            if isinstance(taker.type, TensorDescType):
                sets.unite(taker, giver)
    webs: dict[SSAValue, DescriptorWeb] = {}
    for value in _values(function):
        if isinstance(value.type, TensorDescType):
            web = webs.setdefault(sets.find(value), DescriptorWeb(value.type))
            web.values.append(value)
            web.accesses += [
                use.operation
                for use in value.uses
                if isinstance(use.operation, Accesses) and use.operation.tensor_desc is value
            ]
    return list(webs.values())


def _flows(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    yield from passed(op)
    if isinstance(op, UpdateNdOffsetOp | UpdateOffsetOp):
        yield op.results[0], op.operands[0]


def _values(function: FuncOp) -> Iterator[SSAValue]:
    for op in function.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.args
