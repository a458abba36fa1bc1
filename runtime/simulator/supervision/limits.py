"""Limits that users set on a device: host threads, time, memory, instructions.

| Limit | Argument | Environment variable | Default |
|---|---|---|---|
| host threads | `threads` | `XEGPU_THREADS` | one for each core that the process may use |
| seconds of one launch | `time_limit` | `XEGPU_TIME_LIMIT` | none |
| bytes of live device allocations | `memory_limit` | `XEGPU_MEMORY_LIMIT`, also as `512M`, `4G` | none |
| instructions of one hardware thread | `instruction_limit` | `XEGPU_INSTRUCTION_LIMIT` | 2^32 |

An argument counts more than the environment.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

DEFAULT_INSTRUCTION_LIMIT = 1 << 32
"""Instructions that one thread may execute; real kernels stay far below."""

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True)
class DeviceLimits:
    """The limits of one device; None for no limit. Raises `ValueError` for values out of range."""

    threads: int
    seconds: float | None
    memory: int | None
    instructions: int

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise ValueError(f"{self.threads} host threads")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise ValueError(f"a time limit of {self.seconds} s")
        if self.memory is not None and self.memory < 0:
            raise ValueError(f"a memory limit of {self.memory} bytes")
        if self.instructions < 1:
            raise ValueError(f"a limit of {self.instructions} instructions")


def choose_limits(
    threads: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    instruction_limit: int | None = None,
    environment: Mapping[str, str] = os.environ,
) -> DeviceLimits:
    """Returns the limits that a caller asks for, and those of the environment where it does not.

    Raises `ValueError` for values out of range, naming the variable if one is the cause.
    """
    if threads is None:
        threads = _variable(environment, "XEGPU_THREADS", int) or usable_cores()
    if time_limit is None:
        time_limit = _variable(environment, "XEGPU_TIME_LIMIT", float)
    if memory_limit is None:
        memory_limit = _variable(environment, "XEGPU_MEMORY_LIMIT", parse_bytes)
    if instruction_limit is None:
        instruction_limit = _variable(environment, "XEGPU_INSTRUCTION_LIMIT", int) or DEFAULT_INSTRUCTION_LIMIT
    return DeviceLimits(threads, time_limit, memory_limit, instruction_limit)


_Number = TypeVar("_Number", int, float)


def _variable(environment: Mapping[str, str], name: str, parse: Callable[[str], _Number]) -> _Number | None:
    """Returns the positive number in an environment variable; an empty one counts as absent."""
    text = environment.get(name, "")
    if not text:
        return None
    try:
        value = parse(text)
    except (ValueError, OverflowError):
        value = parse("0")
    if not 0 < value < math.inf:
        raise ValueError(f"{name}={text} in the environment is no positive number")
    return value


def parse_bytes(text: str) -> int:
    """Parses a size in bytes, with an optional suffix K, M, G or T (powers of 1024); raises `ValueError` otherwise."""
    unit = _UNITS.get(text[-1:].upper(), 1)
    return int(text if unit == 1 else text[:-1]) * unit


def usable_cores() -> int:
    """Returns the number of cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
