"""Much of one thing takes time and memory in proportion to the file."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tests.fuzz.shapes import SHAPES, trouble
from zebin.elf.string_table import BadNameError, StringTable


@pytest.mark.sampled(every=8)
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_read_in_bounds(name: str, tmp_path: Path) -> None:
    assert trouble(SHAPES[name](random.Random(name), 400_000), tmp_path) == ""


class CountedBytes(bytes):
    """Counts the bytes that searches look at."""

    searched = 0

    def find(self, what: object, start: object = 0, end: object = None, /) -> int:
        assert isinstance(start, int)
        assert isinstance(end, int)
        found = super().find(0, start, end)
        type(self).searched += (found if found >= 0 else end) - start
        return found


def test_ends_of_names_that_share_a_suffix_are_not_searched_again_and_again() -> None:
    data = b"\0" + b"a" * 100_000 + b"\0b\0"
    table = StringTable(data)
    table._data = CountedBytes(data)
    refused = 0
    for offset in range(1, 50_000):
        try:
            table.name(offset)
        except BadNameError:
            refused += 1
    assert refused > 49_000
    assert CountedBytes.searched < 20 * len(data)
