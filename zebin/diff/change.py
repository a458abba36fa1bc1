"""A difference between two binaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from xegpu.on_demand import dataclass

T = TypeVar("T")


@dataclass(frozen=True)
class Change:
    """One difference. `old` is None for a part that only the new file has, `new` for one that only the old file has.

    `subject` is the part of the file, for example `kernel vadd`, and `key` the path in it, empty for the part as a
    whole. `lines` show the difference as a unified diff, if two values cannot.
    """

    subject: str
    key: str
    old: str | None
    new: str | None
    lines: Sequence[str] = ()


def differing_values(subject: str, prefix: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    """Yields a change for each key whose value differs or that only one of the mappings has."""
    for key in merged_keys(old, new):
        if old.get(key) != new.get(key):
            yield Change(subject, prefix + key, old.get(key), new.get(key))


def merged_keys(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    """Returns the keys of both, those of the old mapping first."""
    return list(dict.fromkeys((*old, *new)))


def by_label(items: Sequence[T], label: Callable[[T], str]) -> dict[str, T]:
    """Returns the items by their labels; further items of one label get a number."""
    found: dict[str, T] = {}
    counts: dict[str, int] = {}
    for item in items:
        name = label(item)
        counts[name] = counts.get(name, 0) + 1
        found[name if counts[name] == 1 else f"{name} #{counts[name]}"] = item
    return found
