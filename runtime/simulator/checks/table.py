"""The table of checks."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from enum import Enum

from runtime.simulator.engines import OBSERVABLE

ALL = "all"
"""The name that stands for every check."""

VARIABLE = "XEGPU_CHECKS"
"""Environment variable with the names of checks, for devices that do not choose any."""


class Check(Enum):
    """A check: its name, its findings, its cost, and whether it watches instructions (in the interpreter)."""

    MEMORY = (
        "memory",
        "accesses between adjacent allocations, and to memory that was freed and allocated again",
        "up to 64 MiB of freed memory is kept, and 256 bytes around each allocation",
        False,
    )
    UNINITIALIZED = (
        "uninitialized",
        "bytes of memory that was never written, where they decide what a kernel does, or leave it, and where the host "
        "code of a program reads them",
        "about 3 times the interpreter's time; a byte for each byte of device memory, all pages of other memory",
        True,
    )
    REGISTERS = (
        "registers",
        "the same for registers and flags",
        "as `uninitialized`, together with which it costs no more",
        True,
    )
    RACES = (
        "races",
        "accesses to one byte of device memory or shared local memory by two threads, or by two lanes of one store, "
        "that are unordered",
        "about 3 times the interpreter's time; up to 600 MB",
        True,
    )
    BARRIERS = (
        "barriers",
        "threads that reach one barrier at different instructions or without some work-items, or end without "
        "waiting for one that they signalled",
        "negligible",
        True,
    )
    ARITHMETIC = (
        "arithmetic",
        "integer division by zero, and of the smallest number by -1",
        "negligible",
        True,
    )
    LAYOUT = (
        "layout",
        "matrix products and block messages of subgroups with disabled lanes",
        "negligible",
        True,
    )

    def __init__(self, text: str, finds: str, cost: str, watches: bool):
        self.text = text
        self.finds = finds
        self.cost = cost
        self.watches = watches


def parse_checks(names: str | Iterable[str]) -> frozenset[Check]:
    """Returns the checks of a list of names, or of a text with commas between them; `all` means every one.

    Raises `ValueError` for an unknown name, listing the known ones.
    """
    known = {check.text: check for check in Check}
    found: set[Check] = set()
    for name in filter(None, names.split(",") if isinstance(names, str) else names):
        if name.strip() == ALL:
            found.update(Check)
        elif name.strip() in known:
            found.add(known[name.strip()])
        else:
            raise ValueError(f"unknown check '{name.strip()}', expected one of: {', '.join((ALL, *known))}")
    return frozenset(found)


def choose_checks(names: str | Iterable[str] | None, environment: Mapping[str, str] = os.environ) -> frozenset[Check]:
    """Returns the checks that a caller asks for, or those of the environment if it does not (None).

    Raises `ValueError` as `parse_checks` does, naming the variable if the names come from there.
    """
    if names is not None:
        return parse_checks(names)
    text = environment.get(VARIABLE, "")
    try:
        return parse_checks(text) if text else frozenset()
    except ValueError as error:
        raise ValueError(f"{VARIABLE}: {error}") from None


def choose_engine(engine: str | None, checks: Collection[Check]) -> str:
    """Returns the engine that a caller asks for, or the fastest one that can run the checks if it does not (None)."""
    return engine or (OBSERVABLE if any(check.watches for check in checks) else "jit")
