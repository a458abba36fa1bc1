"""Infers the layouts of all values of a kernel from anchors, backward to what they are computed from."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from passes.support.control_flow import branch_operands, loop_operands, region_operands
from passes.support.value_layouts.kinds import LayoutKind
from passes.support.value_layouts.wants import given_layout, wants
from passes.support.webs.descriptors import descriptor_webs
from passes.support.webs.disjoint_sets import DisjointSets
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import DistributionAttr, DpasOp, TensorDescType

_OWN = ("layout", "layout_cd", "target_layout")
"""The names under which operations have the layout of their only result."""


class ValueLayouts:
    """The layouts of one level of the vectors and descriptors of a kernel.

    What the text states stays. Other values have the layout that the last of their users in the text asks for.
    """

    def __init__(self, function: FuncOp, kind: LayoutKind):
        self.kind = kind
        self._classes: DisjointSets[SSAValue] = DisjointSets()
        self._layouts: dict[SSAValue, DistributionAttr] = {}
        operations = list(function.walk())
        for op in operations:
            for target, source in (*branch_operands(op), *region_operands(op), *loop_operands(op)):
                self._classes.unite(target, source)
        for web in descriptor_webs(function):
            for value in web.values[1:]:
                self._classes.unite(web.values[0], value)
        for op in operations:
            for value, layout in self._given(op):
                self._set(value, layout)
        changed = True
        while changed:
            changed = False
            for op in reversed(operations):
                for value, layout in wants(op, kind, self.of):
                    changed |= self._set(value, layout)

    def of(self, value: SSAValue) -> DistributionAttr | None:
        """Returns the layout of a value; None if nothing determines it."""
        return self._layouts.get(self._classes.find(value))

    def wanted(self, op: Operation) -> Iterator[tuple[int, DistributionAttr]]:
        """Yields the operands, by number, that an operation wants to have another layout than they have."""
        asked = {value: layout for value, layout in wants(op, self.kind, self.of) if layout is not None}
        for number, operand in enumerate(op.operands):
            layout = asked.get(operand)
            if layout is not None and isinstance(operand.type, VectorType) and layout != self.of(operand):
                yield number, layout

    def _set(self, value: SSAValue, layout: DistributionAttr | None) -> bool:
        """Gives a value a layout unless it has one. Returns whether it did."""
        if not isinstance(value.type, VectorType | TensorDescType):
            return False
        root = self._classes.find(value)
        if layout is None or root in self._layouts:
            return False
        self._layouts[root] = layout
        return True

    def _given(self, op: Operation) -> Iterator[tuple[SSAValue, DistributionAttr | None]]:
        """Yields the layouts that the text states for the results of an operation."""
        if len(op.results) == 1 and not isinstance(op, DpasOp):
            for name in _OWN:
                yield op.results[0], given_layout(op, name, self.kind)
        for number, result in enumerate(op.results):
            yield result, given_layout(op, f"layout_result_{number}", self.kind)
            if isinstance(result.type, TensorDescType) and isinstance(result.type.map, DistributionAttr):
                yield result, result.type.map if self.kind.has(result.type.map) else None
