"""One difference between two binaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Change:
    """One thing that differs. `old` is None for what only the new file has, `new` for what only the old one has.

    `subject` is the part of the file, for example `kernel vadd`, and `key` the place in it, empty for the part as a
    whole. `lines` show the difference in full, as a unified diff, where there is more than two values to see.
    """

    subject: str
    key: str
    old: str | None
    new: str | None
    lines: Sequence[str] = ()


def differing_values(subject: str, prefix: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    """A change for each key whose values differ or that only one of two mappings has."""
    for key in merged_keys(old, new):
        if old.get(key) != new.get(key):
            yield Change(subject, prefix + key, old.get(key), new.get(key))


def merged_keys(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    """The keys of both, in the order of the old one with the new keys at the end."""
    return list(dict.fromkeys((*old, *new)))


def by_label(items: Sequence[T], label: Callable[[T], str]) -> dict[str, T]:
    """The items by what identifies them; of equal labels, the second and further ones get a number."""
    found: dict[str, T] = {}
    counts: dict[str, int] = {}
    for item in items:
        name = label(item)
        counts[name] = counts.get(name, 0) + 1
        found[name if counts[name] == 1 else f"{name} #{counts[name]}"] = item
    return found
