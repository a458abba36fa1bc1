"""Fields of instruction words, whose bits may lie apart."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from xegpu.on_demand import dataclass


def ranges(text: str) -> tuple[tuple[int, int], ...]:
    """Returns pairs of lowest bit and width from text such as `46,71:67`, in its order."""
    found = []
    for part in text.split(","):
        high, _, low = part.partition(":")
        lowest = int(low or high)
        found.append((lowest, int(high) - lowest + 1))
    return tuple(found)


@dataclass(frozen=True)
class WordField:
    """A number in a word. `pieces` are its bits from the highest piece on, as pairs of lowest bit and width.

    `zeros` counts the low bits of the number that are not in the word because they are zero. The field is there if
    each of the fields named in `when` has one of the values given.
    """

    name: str
    pieces: tuple[tuple[int, int], ...]
    zeros: int = 0
    when: tuple[tuple[str, frozenset[int]], ...] = ()

    @cached_property
    def width(self) -> int:
        return sum(width for _, width in self.pieces)

    @property
    def limit(self) -> int:
        """The smallest number that is too large for the field."""
        return 1 << self.width + self.zeros

    def is_present(self, fields: Mapping[str, int]) -> bool:
        return not self.when or all(fields.get(name) in values for name, values in self.when)

    @cached_property
    def _run(self) -> tuple[int, int] | None:
        """The lowest bit and the mask of a number that is one run of bits."""
        lowest, width = self.pieces[0]
        return (lowest, (1 << width) - 1) if len(self.pieces) == 1 and not self.zeros else None

    def extract(self, word: int) -> int:
        run = self._run
        if run is not None:
            return word >> run[0] & run[1]
        value = 0
        for lowest, width in self.pieces:
            value = value << width | word >> lowest & ((1 << width) - 1)
        return value << self.zeros

    def insert(self, value: int) -> int:
        """Returns a word with the number in this field, and zeros elsewhere."""
        value >>= self.zeros
        word = 0
        for lowest, width in reversed(self.pieces):
            word |= (value & ((1 << width) - 1)) << lowest
            value >>= width
        return word
