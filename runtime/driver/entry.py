"""The door from C: the shim imports this module with the first call of a program, and gets a callable per function."""

from __future__ import annotations

import atexit
import ctypes
import sys

from runtime.driver.functions import callable_of
from runtime.driver.marshalling import STUBS, Answer
from runtime.ze.driver import serve_programs

CALLABLES: list[Answer] = []
"""The callables, by the numbers that the shim gives to its functions. Each is made when it is called first."""


def begin(names: str, stubs: int, closing: int, joined: int) -> list[Answer]:
    """Returns the callables of the functions of C.

    Args:
        names: The names of the functions, separated by blanks.
        stubs: The address of the array of the functions.
        closing: The address of the number that is not zero when Python must not be entered any more.
        joined: Not zero in a process whose own the interpreter is.
    """
    found = names.split()
    addresses = (ctypes.c_uint64 * len(found)).from_address(stubs)
    STUBS.update(zip(found, addresses, strict=True))
    CALLABLES.extend(_maker(number, name) for number, name in enumerate(found))
    serve_programs()
    if joined:
        atexit.register(_close, closing)
    return CALLABLES


def end() -> None:
    """Does what is left when a program exits that has no Python of its own: its interpreter is not finalized."""
    sys.stdout.flush()
    sys.stderr.flush()


def _close(closing: int) -> None:
    ctypes.c_int.from_address(closing).value = 1


def _maker(number: int, name: str) -> Answer:
    """Returns a callable that makes the one of a function, puts it in its place, and calls it."""

    def make(*arguments: int) -> int:
        CALLABLES[number] = made = callable_of(name)
        return made(*arguments)

    return make


__all__ = ("CALLABLES", "begin", "end")
