"""Rewrites a kernel in blocks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, Operation, SSAValue

from passes.support.control_flow import CARRIERS
from passes.support.op_builder import OpBuilder
from passes.support.value_expansion import ValueExpansion
from passes.support.vectors.elementwise import vector_shape
from passes.xetile.blocking.analysis import BlockingAnalysis
from passes.xetile.blocking.grid import Grid, Shape
from passes.xetile.blocking.operations import RULES, elementwise
from passes.xetile.blocking.shapes import shape_of, works_block_by_block
from passes.xetile.blocking.sizes import Sizes
from passes.xetile.blocking.slices import recut
from passes.xetile.blocking.values import BlockedValues, part_type
from xegpu.diagnostics import CompileError
from xegpu.dialects.xetile import TileType


class Blocking(ValueExpansion, BlockedValues):
    """Rewrites one kernel according to its analysis."""

    def __init__(self, analysis: BlockingAnalysis, sizes: Sizes):
        ValueExpansion.__init__(self)
        self._analysis = analysis
        self.sizes = sizes
        self._cuts: dict[tuple[SSAValue, Shape, Block], list[SSAValue]] = {}

    # What values become

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        grid = self._grid(value)
        return None if grid is None or grid.count == 1 else [part_type(value.type, grid.block)] * grid.count

    def _grid(self, value: SSAValue) -> Grid | None:
        """Returns the division of a value; None if it is neither vector nor tile."""
        shape = shape_of(value)
        return None if shape is None else Grid(shape, self._analysis.block(value) or shape)

    # What operations ask for

    def block(self, value: SSAValue) -> Shape:
        grid = self._grid(value)
        assert grid is not None
        return grid.block

    def cut(self, value: SSAValue, block: Shape) -> Sequence[SSAValue]:
        grid, parts = self._grid(value), self.parts(value)
        assert grid is not None
        if grid.block == block:
            return parts
        here = self.builder.anchor.parent
        assert here is not None
        key = (value, block, here)
        if key not in self._cuts:
            self._cuts[key] = recut(self.builder, parts, grid, block)
        return self._cuts[key]

    def define(self, value: SSAValue, block: Shape, parts: Sequence[SSAValue]) -> None:
        grid = self._grid(value)
        assert grid is not None
        self.bind(value, recut(self.builder, parts, Grid(grid.shape, block), grid.block))

    # Operations

    def rewrite(self, op: Operation) -> bool:
        if type(op) in CARRIERS or not self._is_concerned(op):
            return False
        self.builder = OpBuilder(op)
        if (rule := RULES.get(op)) is not None and rule(self, op):
            return True
        if works_block_by_block(op) and self.types(op.results[0]) is not None:
            elementwise(self, op)
            return True
        return self._keep(op)

    def _is_concerned(self, op: Operation) -> bool:
        """Returns whether an operation uses or defines a divided value, or belongs to XeTile."""
        return (
            op.name.startswith("xetile.")
            or any(operand not in self.parts(operand) for operand in op.operands)
            or any(self.types(result) is not None for result in op.results)
        )

    def _keep(self, op: Operation) -> bool:
        """Handles an operation without a rule: it uses whole vectors, and its results are divided.

        Raises `CompileError` for tiles, which cannot be put together.
        """
        for value in (*op.operands, *op.results):
            if isinstance(value.type, TileType):
                raise CompileError(
                    op,
                    f"uses or returns a {value.type}: only operations of XeTile and control flow have blocks",
                )
        for index, operand in enumerate(op.operands):
            if operand not in self.parts(operand):
                shape = vector_shape(operand)
                assert shape is not None
                (op.operands[index],) = self.cut(operand, shape)
        if all(self.types(result) is None for result in op.results):
            return False
        whole = op.clone()
        self.builder.insert(whole)
        for result, made in zip(op.results, whole.results, strict=True):
            shape = vector_shape(result)
            if shape is None:
                result.replace_all_uses_with(made)
            else:
                self.define(result, shape, [made])
        return True
