"""Replaces values by sequences of values, through loops, conditionals and branches: a 1:N type conversion.

xDSL's patterns convert one type to one other; values that loops and branches forward take a rewrite of the region.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from passes.support.control_flow import CARRIERS, reverse_post_order
from xegpu.diagnostics import CompileError, inherit_location
from xegpu.dialects.xegpu import integers


class ValueExpansion(ABC):
    """Rewrites a region in which some values become sequences of others.

    Loops, conditionals and branches that forward such values are rebuilt; `rewrite` handles all other operations that
    use or define them. Unreachable blocks are erased.
    """

    def __init__(self) -> None:
        self._parts: dict[SSAValue, Sequence[SSAValue]] = {}
        self._replaced: list[Operation] = []
        self._arguments: list[BlockArgument] = []

    @abstractmethod
    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        """Returns the types of the values that replace this one; None if it stays."""

    @abstractmethod
    def rewrite(self, op: Operation) -> bool:
        """Inserts the replacement of an operation in front of it, and calls `bind` for its expanded results.

        Returns False for an operation that stays, or that merely forwards values.
        """

    def parts(self, value: SSAValue) -> Sequence[SSAValue]:
        """Returns the values that replace a value: the value itself if it stays."""
        return self._parts.get(value, (value,))

    def bind(self, value: SSAValue, parts: Sequence[SSAValue]) -> None:
        """Records the values that replace a value."""
        for part in parts:
            if part.name_hint is None:
                part.name_hint = value.name_hint
        self._parts[value] = parts

    def run(self, body: Region) -> None:
        """Rewrites a region. Raises `CompileError` for an operation that cannot use expanded values."""
        self._visit(body)
        for op in self._replaced:
            assert op.parent is not None
            op.parent.detach_op(op).drop_all_references()
        for op in self._replaced:
            op.erase()
        for argument in self._arguments:
            argument.block.erase_arg(argument)

    def _visit(self, region: Region) -> None:
        if not region.blocks:
            return
        order = reverse_post_order(region)
        for block in [block for block in region.blocks if block not in order]:
            region.erase_block(block, safe_erase=False)
        for block in order:
            self._expand_arguments(block)
        for block in order:
            for op in list(block.ops):
                self._visit_operation(op)

    def _visit_operation(self, op: Operation) -> None:
        if self.rewrite(op):
            self._replaced.append(op)
            return
        if any(value in self._parts for value in op.operands) or any(self.types(r) is not None for r in op.results):
            if type(op) not in CARRIERS:
                value = next(v for v in (*op.operands, *op.results) if v in self._parts or self.types(v) is not None)
                raise CompileError(op, f"cannot be lowered: it uses or returns a {value.type}")
            op = self._carry(op)
        for region in op.regions:
            self._visit(region)

    def _expand_arguments(self, block: Block) -> None:
        for argument in list(block.args):
            if (types := self.types(argument)) is not None:
                index = argument.index
                parts = [block.insert_arg(type, index + i) for i, type in enumerate(types)]
                self.bind(argument, parts)
                self._arguments.append(argument)

    def _carry(self, op: Operation) -> Operation:
        """Rebuilds an operation so that it forwards all parts of its operands."""
        operands = [part for value in op.operands for part in self.parts(value)]
        expanded = [self.types(result) for result in op.results]
        result_types: list[Attribute] = []
        for result, types in zip(op.results, expanded, strict=True):
            result_types.extend((result.type,) if types is None else types)
        new = type(op).create(
            operands=operands,
            result_types=result_types,
            properties={**op.properties, **self._segments(op)},
            attributes=op.attributes,
            successors=op.successors,
            regions=[op.detach_region(region) for region in list(op.regions)],
        )
        inherit_location(op, new)
        block = op.parent
        assert block is not None
        block.insert_op_before(new, op)
        made = iter(new.results)
        for result, types in zip(op.results, expanded, strict=True):
            if types is None:
                (own := next(made)).name_hint = result.name_hint
                result.replace_all_uses_with(own)
            else:
                self.bind(result, [next(made) for _ in types])
        self._replaced.append(op)
        return new

    def _segments(self, op: Operation) -> dict[str, Attribute]:
        """Returns the new sizes of the operand groups of an operation that has such."""
        sizes = op.properties.get("operandSegmentSizes")
        if not isa(sizes, DenseArrayBase[IntegerType]):
            return {}
        rest = iter(op.operands)
        counts = [sum(len(self.parts(next(rest))) for _ in range(size)) for size in integers(sizes)]
        return {"operandSegmentSizes": DenseArrayBase.from_list(i32, counts)}
