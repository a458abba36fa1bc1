"""Timing of passes: a table like that of `mlir-opt --mlir-timing`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_RULE = f"===-{'-' * 71}-==="
_TITLE = "... Execution time report ..."


@dataclass
class Timer:
    """The wall time in seconds that one activity took, with nested activities by name and number."""

    name: str
    seconds: float = 0.0
    children: dict[tuple[str, int], Timer] = field(default_factory=dict)


class PassTiming:
    """A tree of timers. Repeated activities with the same path share one timer."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._path = [Timer("Total")]

    @contextmanager
    def scope(self, name: str, number: int = 0) -> Iterator[Timer]:
        """Times the block, also if it fails; numbers distinguish steps of the same name."""
        timer = self._path[-1].children.setdefault((name, number), Timer(name))
        self._path.append(timer)
        start = time.perf_counter()
        try:
            yield timer
        finally:
            timer.seconds += time.perf_counter() - start
            self._path.pop()

    def report(self, display: str = "tree") -> str:
        """Returns the table: as a `tree`, or as a `list` of all names sorted by time."""
        root = self._path[0]
        root.seconds = time.perf_counter() - self._start
        rows = list(_tree(root)) if display == "tree" else _list(root)
        rest = root.seconds - sum(child.seconds for child in root.children.values())
        rows += [("Rest", rest), (root.name, root.seconds)]
        lines = [_RULE, _TITLE.center(len(_RULE)).rstrip(), _RULE]
        lines += [f"  Total Execution Time: {root.seconds:.4f} seconds", "", "  ----Wall Time----  ----Name----"]
        lines += [f"  {seconds:8.4f} ({100 * seconds / root.seconds:5.1f}%)  {name}" for name, seconds in rows]
        return "\n".join(lines)


def _tree(timer: Timer, depth: int = 0) -> Iterator[tuple[str, float]]:
    for child in timer.children.values():
        yield "  " * depth + child.name, child.seconds
        yield from _tree(child, depth + 1)


def _list(root: Timer) -> list[tuple[str, float]]:
    totals: dict[str, float] = {}
    for name, seconds in _tree(root):
        totals[name.strip()] = totals.get(name.strip(), 0.0) + seconds
    return sorted(totals.items(), key=lambda row: -row[1])
