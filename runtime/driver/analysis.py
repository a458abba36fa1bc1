"""Writes profiles and traces of the kernels that a program in C launches."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from runtime.debugger import InstructionTracer, TraceFilter
from runtime.driver.marshalling import note
from runtime.simulator.profile import Profile, write_profile

EVERYTHING = "all"
"""The filter of a trace of every instruction."""


def trace_filter(text: str) -> TraceFilter:
    """Returns the filter that a text describes. Raises `ValueError` for a wrong one."""
    return TraceFilter() if text == EVERYTHING else TraceFilter.parse(text)


def tracer(text: str, output: str | None) -> InstructionTracer:
    """Returns the observer that writes a trace to a file, or to standard error.

    Raises:
        ValueError: The filter is wrong, or the file cannot be written.
    """
    try:
        descriptor = 2 if output is None else os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    except OSError as error:
        raise ValueError(f"the trace cannot be written: {error}") from None
    return InstructionTracer(lambda line: os.write(descriptor, line.encode()), trace_filter(text))


def profiler(file: str) -> Callable[[Profile], None]:
    """Returns what writes the profile of each launch to a file of its own: `a.json`, `a.1.json`, `a.2.json`, ..."""
    path = Path(file)
    stem, dot, endings = path.name.partition(".")
    count = 0

    def write(profile: Profile) -> None:
        nonlocal count
        target = path if not count else path.with_name(f"{stem}.{count}{dot}{endings}")
        count += 1
        try:
            write_profile(profile, target)
        except OSError as error:
            note(f"the profile cannot be written: {error}")

    return write
