"""The dpas of a run, and orders in which they may be performed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xegpu.isa import DataType
from xegpu.isa.formats import Footprint


@dataclass(frozen=True)
class DpasOperation:
    """A dpas: its types, the offsets of its operands in the register file (C: None for zeros) and its rows."""

    types: tuple[DataType, DataType, DataType, DataType]
    rows: int
    d: int
    c: int | None
    b: int
    a: int
    sizes: tuple[int, ...]
    touched: Footprint

    @property
    def shares(self) -> tuple[object, ...]:
        """The properties that operations of a group have in common."""
        return self.types, self.rows, self.b

    @property
    def overwrites_c(self) -> bool:
        """Returns whether storing rows of D would overwrite rows of C that are still to be read."""
        if self.c is None or (self.c == self.d and self.types[0].bits == self.types[1].bits):
            return False
        return self.d < self.c + self.sizes[1] and self.c < self.d + self.sizes[0]


def groups(operations: Sequence[DpasOperation]) -> list[list[DpasOperation]]:
    """Reorders operations so that those with the same B are adjacent, as far as dependences allow."""
    groups: list[list[DpasOperation]] = []
    remaining = list(operations)
    while remaining:
        group: list[DpasOperation] = [remaining[0]]
        skipped: list[DpasOperation] = []
        for operation in remaining[1:]:
            fits = operation.shares == group[0].shares
            if fits and not any(operation.touched.depends_on(o.touched) for o in (*group, *skipped)):
                group.append(operation)
            else:
                skipped.append(operation)
        groups.append(group)
        remaining = skipped
    return groups
