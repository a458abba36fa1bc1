"""Reads what specification 0.91 declares from the text files beside this module: functions with their prototypes,
enumerators with their values, and members of structures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent

_PARAMETER = re.compile(r"(?P<const>const )?(?P<type>\w+) (?P<stars>\**)(?P<name>\w+)")

_MEMBER = re.compile(r"[\w*]+ (\w+)(\[\w+\])?")

_MEMORY = {"ptr", "dstptr", "srcptr", "pImage", "pCoreCbs", "pProperties", "pOcConfiguration", "desc"}
"""Pointers without `const` that lead to what a function reads, or are addresses, in functions that set something."""


class Parameter(NamedTuple):
    """A parameter of C."""

    const: bool
    type: str
    stars: str
    name: str

    @property
    def counts(self) -> bool:
        """True for the length of an array, if one follows."""
        return not self.stars and re.fullmatch(r"num[A-Z]\w*|count", self.name) is not None


def _inputs(function: str, parameters: list[Parameter]) -> tuple[str, ...]:
    """Returns the parameters that Python has: no lengths of arrays, and nothing that the function writes.

    The memory of a buffer that is read knows its own size, and that of one that is written is the answer.
    """
    found: list[str] = []
    for position, parameter in enumerate(parameters):
        following = parameters[position + 1] if position + 1 < len(parameters) else None
        if parameter.counts and following is not None and following.stars:
            continue
        is_array = position > 0 and parameters[position - 1].counts
        is_getter = "Get" in function
        is_read = parameter.const and not (is_getter and parameter.stars == "**")
        is_memory = parameter.name in _MEMORY and not is_getter
        if not parameter.stars or is_read or is_array or is_memory:
            found.append(parameter.name)
    return tuple(found)


def functions() -> Mapping[str, tuple[str, ...]]:
    """Returns the parameters that each function takes in Python, by its name."""
    found = {}
    for line in (_HERE / "functions.txt").read_text().splitlines():
        name, _, rest = line.rstrip(")").partition("(")
        parameters = []
        for text in rest.split(", "):
            match = _PARAMETER.fullmatch(text)
            assert match is not None, line
            parameters.append(Parameter(bool(match["const"]), match["type"], match["stars"], match["name"]))
        found[name] = _inputs(name, parameters)
    return found


def _blocks(file: str) -> dict[str, list[str]]:
    """Returns the indented lines below each line that is not."""
    found: dict[str, list[str]] = {}
    block: list[str] = []
    for line in (_HERE / file).read_text().splitlines():
        if line.startswith(" "):
            block.append(line.strip())
        else:
            block = found[line] = []
    return found


def enumerations() -> Mapping[str, Mapping[str, int]]:
    """Returns the values of the enumerators, by the name of the enumeration."""
    split = {kind: [line.split(" = ") for line in lines] for kind, lines in _blocks("enumerations.txt").items()}
    return {kind: {name: int(value, 0) for name, value in members} for kind, members in split.items()}


def structures() -> Mapping[str, tuple[str, ...]]:
    """Returns the members of the structures and unions."""
    found = {}
    for kind, lines in _blocks("structures.txt").items():
        matches = [_MEMBER.fullmatch(line) for line in lines]
        found[kind] = tuple(match[1] for match in matches if match is not None)
        assert len(found[kind]) == len(lines), kind
    return found


CONSTANTS = (
    "ZET_DIAG_FIRST_TEST_INDEX",
    "ZET_DIAG_LAST_TEST_INDEX",
    "ZET_EVENT_WAIT_INFINITE",
    "ZET_EVENT_WAIT_NONE",
    "ZET_FAN_TEMP_SPEED_PAIR_COUNT",
    "ZET_MAX_FABRIC_LINK_TYPE_SIZE",
    "ZET_MAX_FABRIC_PORT_MODEL_SIZE",
    "ZET_MAX_FABRIC_PORT_UUID_SIZE",
    "ZET_MAX_METRIC_COMPONENT",
    "ZET_MAX_METRIC_DESCRIPTION",
    "ZET_MAX_METRIC_GROUP_DESCRIPTION",
    "ZET_MAX_METRIC_GROUP_NAME",
    "ZET_MAX_METRIC_NAME",
    "ZET_MAX_METRIC_RESULT_UNITS",
    "ZET_SCHED_WATCHDOG_DISABLE",
    "ZET_STRING_PROPERTY_SIZE",
    "ZE_BIT",
    "ZE_MAJOR_VERSION",
    "ZE_MAKE_VERSION",
    "ZE_MAX_DEVICE_NAME",
    "ZE_MAX_DEVICE_UUID_SIZE",
    "ZE_MAX_DRIVER_UUID_SIZE",
    "ZE_MAX_IPC_HANDLE_SIZE",
    "ZE_MAX_KERNEL_NAME",
    "ZE_MAX_NATIVE_KERNEL_UUID_SIZE",
    "ZE_MINOR_VERSION",
    "ZE_SUBGROUPSIZE_COUNT",
)
"""Constants and macros."""
