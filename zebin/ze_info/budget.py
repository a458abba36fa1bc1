"""The memory that the records of a text may take, which limits it to a multiple of the text's size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping as ReadOnly
from sys import getsizeof

from zebin.yaml.nodes import Mapping, Node, Scalar, Sequence

BASE_BYTES = 48 << 20
"""The allowance for small texts."""

_COLLECTED = 16
"""The bytes that the garbage collector adds to an object that it tracks."""
_SMALL_INTEGERS = range(-5, 257)
"""Integers of which CPython has one object each."""
_SLOT = 8
_ENTRY = 100
"""An entry of a dictionary, including its spare capacity."""
_LONGEST_SHARED, _MOST_SHARED = 64, 10_000
_INTEGER = getsizeof(1 << 20)


class MemoryBudget:
    """The bytes that the records of a text of `length` characters may take: twice its size plus an allowance.

    The mapped file and the text take its size once each, so that reading stays below 4 times the file plus 100 MB.
    Shared objects, such as words of enumerations, small numbers and repeated texts, count once.
    """

    def __init__(self, length: int):
        self.limit = 2 * length + BASE_BYTES
        self.left = self.limit
        self._shared: dict[str, str] = {}

    def share(self, text: str) -> str:
        """Returns one object for all equal texts, most of which are repeated qualifiers and types."""
        known = self._shared.get(text)
        if known is not None:
            return known
        if len(text) <= _LONGEST_SHARED and len(self._shared) < _MOST_SHARED:
            self._shared[text] = text
            self.left -= _ENTRY + getsizeof(text)
        return text

    def spend(self, record_size: int, values: Iterable[object], unknown: ReadOnly[str, Node]) -> bool:
        """Counts a record of the given object size and its values. Returns False if the budget is exhausted."""
        cost = record_size + _COLLECTED + _SLOT + _INTEGER
        for value in values:
            kind = type(value)
            if kind is int:
                cost += 0 if value in _SMALL_INTEGERS else _INTEGER
            elif kind is str:
                cost += 0 if value in self._shared else getsizeof(value)
            elif kind is float or kind is list or kind is tuple:
                cost += getsizeof(value)
        if unknown:
            cost += sum(_entry_bytes(key, node) for key, node in unknown.items())
        self.left -= cost
        return self.left >= 0


def _entry_bytes(key: str, node: Node) -> int:
    return _ENTRY + getsizeof(key) + _node_bytes(node)


def _node_bytes(node: Node) -> int:
    size = getsizeof(node) + _COLLECTED + _INTEGER
    match node:
        case Scalar(text):
            return size + getsizeof(text)
        case Sequence(items):
            return size + getsizeof(items) + sum(map(_node_bytes, items))
        case Mapping(entries):
            return size + getsizeof({}) + sum(_entry_bytes(key, child) for key, child in entries.items())
