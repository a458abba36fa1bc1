"""The place where a random operation is put, and the values that it can use there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Operation, SSAValue

T = TypeVar("T")

index = IndexType()

OFFSETS = st.integers(-(1 << 63) + 1, (1 << 63) - 1) | st.integers(-64, 64)
"""Static offsets; the lowest integer stands for a dynamic one."""


class Scope:
    """A block under construction. What encloses it is visible; arguments are added to the function as needed."""

    def __init__(self, draw: st.DrawFn, block: Block, visible: Sequence[SSAValue], entry: Block):
        self.draw = draw
        self.block = block
        self.entry = entry
        self.values = [*visible, *block.args]

    def inside(self, block: Block) -> Scope:
        """The scope of a block of an operation that will stand here."""
        return Scope(self.draw, block, self.values, self.entry)

    def one_of(self, choices: Sequence[T]) -> T:
        return self.draw(st.sampled_from(choices))

    def flip(self) -> bool:
        return self.draw(st.booleans())

    def add(self, op: Operation) -> list[SSAValue]:
        """Puts `op` at the end. Returns its results."""
        self.block.add_op(op)
        self.values += op.results
        return list(op.results)

    def value(self, type_: Attribute) -> SSAValue:
        """Some value of that type: one that there is, or a new argument of the function."""
        found = [value for value in self.values if value.type == type_]
        if found and self.draw(st.integers(0, 3)) > 0:
            return self.one_of(found)
        argument = self.entry.insert_arg(type_, len(self.entry.args))
        self.values.append(argument)
        return argument

    def index_or_constant(self) -> SSAValue | int:
        return self.value(index) if self.flip() else self.draw(OFFSETS)

    def list_of(self, count: int) -> list[SSAValue | int]:
        return [self.index_or_constant() for _ in range(count)]


Production = Callable[[Scope], None]
"""Adds one operation, or a few that belong together."""
