"""The door from C: the shim imports this module with the first call of a program, and gets a callable per function."""

from __future__ import annotations

import ctypes
import io
import os
import sys

from runtime.driver.functions import callable_of
from runtime.driver.marshalling import HANDLES, HEAD_BYTES, STUBS, Answer, note
from runtime.driver.settings import Settings
from runtime.ze.driver import watch_programs
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import runtime.driver.analysis as analysis

CALLABLES: list[Answer] = []
"""The callables, by the numbers that the shim gives to its functions. Each is made when it is called first."""


def begin(names: str, stubs: int, head: int, joined: int) -> list[Answer]:
    """Returns the callables of the functions of C.

    Args:
        names: The names of the functions, separated by blanks.
        stubs: The address of the array of the functions.
        head: The address of the words that each handle begins with.
        joined: Not zero in a process whose own the interpreter is.
    """
    found = names.split()
    addresses = (ctypes.c_uint64 * len(found)).from_address(stubs)
    STUBS.update(zip(found, addresses, strict=True))
    HANDLES.head = ctypes.string_at(head, HEAD_BYTES)
    CALLABLES.extend(_maker(number, name) for number, name in enumerate(found))
    _prepare(Settings.of(os.environ))
    if not joined:
        sys.stdout = _HostOutput()
    return CALLABLES


def _prepare(settings: Settings) -> None:
    """Makes the driver one for programs, with the tools that the settings ask for."""
    observers, profiler = [], None
    try:
        if settings.trace is not None:
            observers = [analysis.tracer(settings.trace, settings.trace_output)]
        if settings.profile is not None:
            profiler = analysis.profiler(settings.profile)
    except ValueError as error:
        note(str(error))
        raise
    watch_programs(observers, profiler)


class _HostOutput(io.TextIOBase):
    """Standard output of a program in C: what kernels print is in order with what the program does."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)

    def write(self, text: str) -> int:
        data = text.encode("utf-8", "replace")
        stream = ctypes.c_void_p.in_dll(self._library, "stdout")
        self._library.fwrite(data, ctypes.c_size_t(1), ctypes.c_size_t(len(data)), stream)
        return len(text)

    def flush(self) -> None:
        self._library.fflush(ctypes.c_void_p.in_dll(self._library, "stdout"))


def end() -> None:
    """Does what is left when a program exits that has no Python of its own: its interpreter is not finalized."""
    sys.stderr.flush()


def _maker(number: int, name: str) -> Answer:
    """Returns a callable that makes the one of a function, puts it in its place, and calls it."""

    def make(*arguments: int) -> int:
        CALLABLES[number] = made = callable_of(name)
        return made(*arguments)

    return make
