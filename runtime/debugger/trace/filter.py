"""Filters of traces."""

from __future__ import annotations

import re
from dataclasses import dataclass

from runtime.simulator.interpreter import Execution
from xegpu.isa.model import Dim3

_NUMBER = r"(?:0[xX][0-9a-fA-F]+|\d+)"
_INTERVAL = re.compile(rf"({_NUMBER})(?:-({_NUMBER}))?")
_GROUP = re.compile(rf"{_NUMBER}(?::{_NUMBER}){{0,2}}")
_MOST = 1 << 64
_MOST_TEXT = 64
_INTERVALS = ("subgroup", "lane", "index", "offset", "line")


@dataclass(frozen=True)
class Interval:
    """Integers from `first` to `last`, inclusive."""

    first: int
    last: int

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.first <= number <= self.last


@dataclass(frozen=True)
class TraceFilter:
    """A filter of a trace: shows instructions that match all parts that are not None.

    `group` is a work-group, `subgroup` numbers of hardware threads in a work-group, `lane` the lanes whose values are
    shown, `index` numbers of instructions from 0, `offset` their byte offsets, and `line` lines of any source file.
    """

    group: Dim3 | None = None
    subgroup: Interval | None = None
    lane: Interval | None = None
    index: Interval | None = None
    offset: Interval | None = None
    line: Interval | None = None

    @staticmethod
    def parse(text: str) -> TraceFilter:
        """Parses a filter such as `group=1:0:0,subgroup=0,lane=0-3,index=4-9,offset=0x10-0x40,line=12`.

        Every part is optional. Raises `ValueError` naming the part that is wrong.
        """
        group: Dim3 | None = None
        intervals: dict[str, Interval] = {}
        for part in filter(None, map(str.strip, text.split(","))):
            name, equals, value = part.partition("=")
            if not equals or name not in ("group", *_INTERVALS):
                known = ", ".join(("group", *_INTERVALS))
                raise ValueError(
                    f"'{part[:_MOST_TEXT]}' is no part of a filter: expected one of {known}, then '=' and a value"
                )
            if name == "group":
                group = _group(value)
            else:
                intervals[name] = _interval(name, value)
        return TraceFilter(group, *map(intervals.get, _INTERVALS))

    def shows(self, execution: Execution, index: int) -> bool:
        """Returns whether an instruction of the current thread is shown."""
        if self.group is not None and execution.group != self.group:
            return False
        if self.subgroup is not None and execution.thread.number not in self.subgroup:
            return False
        if self.index is not None and index not in self.index:
            return False
        if self.offset is None and self.line is None:
            return True
        offset = execution.executable.program.offsets[index]
        if self.offset is not None and offset not in self.offset:
            return False
        if self.line is None:
            return True
        location = execution.executable.description.lines.at(offset)
        return location is not None and location.line in self.line


def _interval(name: str, text: str) -> Interval:
    match = _INTERVAL.fullmatch(text)
    if match is None or len(text) > _MOST_TEXT:
        raise ValueError(
            f"{name}={text[:_MOST_TEXT]}: expected a number or a range of numbers, as in {name}=3 or {name}=0-7"
        )
    first = _whole(match[1])
    last = first if match[2] is None else _whole(match[2])
    if last < first or last >= _MOST:
        raise ValueError(f"{name}={text}: {'the range holds nothing' if last < first else 'the number is too large'}")
    return Interval(first, last)


def _whole(text: str) -> int:
    return int(text, 16 if text.lower().startswith("0x") else 10)


def _group(text: str) -> Dim3:
    if len(text) > _MOST_TEXT or _GROUP.fullmatch(text) is None:
        raise ValueError(f"group={text[:_MOST_TEXT]}: expected the id of a work-group, as in group=1:0:0")
    x, y, z = (*map(_whole, text.split(":")), 0, 0)[:3]
    return x, y, z
