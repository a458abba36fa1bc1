"""The functions of Level Zero in C (`functions.txt`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PATH = Path(__file__).with_name("functions.txt")


@dataclass(frozen=True, slots=True)
class CParameter:
    """One parameter of a function.

    Attributes:
        name: Its name.
        type: Its type in C, for an array that of a pointer to the elements.
        is_output: True if the function writes through it.
        is_optional: True if it may be null.
        count: The parameter that has the number of elements, `*` in front if it points to it; empty unless an array.
    """

    name: str
    type: str
    is_output: bool
    is_optional: bool
    count: str = ""


@dataclass(frozen=True, slots=True)
class CFunction:
    """One function: its place in the tables of the loader, and its type.

    Attributes:
        name: Its name.
        table: The export of a driver that fills the function's table.
        slot: The function's position in the table.
        since: The version, as `ZE_MAKE_VERSION` encodes it, that has the function first.
        result: The type of its result.
        text: Its parameters as the data has them.
    """

    name: str
    table: str
    slot: int
    since: int
    result: str
    text: str

    @property
    def parameters(self) -> tuple[CParameter, ...]:
        """The parameters in order."""
        return tuple(map(_parameter, self.text.split(", "))) if self.text else ()


_FUNCTION = re.compile(r"(\d+) (\d+)\.(\d+) (\w+) (\w+)\((.*)\)")

_PARAMETER = re.compile(r"(in|out|inout)(\??) ([\w ]+\**) (\w+)(?:\[(\*?\w+)\])?")


def _parameter(text: str) -> CParameter:
    match = _PARAMETER.fullmatch(text)
    assert match is not None, text
    direction, optional, type, name, count = match.groups()
    return CParameter(name, type, direction != "in", bool(optional), count or "")


@cache
def signatures() -> Mapping[str, CFunction]:
    """Returns all functions by name, in the order of their tables."""
    found: dict[str, CFunction] = {}
    table = ""
    for line in _PATH.read_text("ascii").splitlines():
        match = _FUNCTION.fullmatch(line)
        if match is not None:
            slot, major, minor, result, name, parameters = match.groups()
            found[name] = CFunction(name, table, int(slot), int(major) << 16 | int(minor), result, parameters)
        elif line and not line.startswith("#"):
            table = line
    return found
