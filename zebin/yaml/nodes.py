"""The tree that `.ze_info` text is read into and written from: text, lists and mappings, with no types implied."""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple, TypeAlias

from xegpu.on_demand import dataclass


@dataclass(slots=True)
class Scalar:
    """A word or string. `quoted` distinguishes `'1.20'` from `1.20`; `at` is its position in the text."""

    text: str
    quoted: bool = False
    at: int = field(default=-1, compare=False, repr=False)


@dataclass(slots=True)
class Sequence:
    """A list. `inline` lists are written as `[ 1, 2, 3 ]` on one line."""

    items: list[Node]
    inline: bool = False
    at: int = field(default=-1, compare=False, repr=False)


@dataclass(slots=True)
class Mapping:
    """Keys with values, in the order of the text; `at` is the position of the first key."""

    entries: dict[str, Node] = field(default_factory=dict)
    at: int = field(default=-1, compare=False, repr=False)


Node: TypeAlias = Scalar | Sequence | Mapping


class TopLevelEntry(NamedTuple):
    """A top-level key with its value, or with one item of the list that is its value."""

    key: str
    node: Node
    is_item: bool
