"""Provokes the results of functions of Level Zero by changes to valid arguments, for the tests of each of its APIs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from runtime import ze
from runtime.ze.declaration import function_called
from runtime.ze.driver.handle import Handle

W = TypeVar("W")
Arguments = dict[str, object]
Change = Callable[[W, Arguments], None]
"""A change to valid arguments that makes the call end with a certain result."""


_OPTIONAL = {"hFence", "hSignalEvent", "hEvent", "phWaitEvents"}


class Changes(dict[tuple[str, str], Change[W]], Generic[W]):
    """Changes by name of the function, and of the result without its prefixes."""

    def provokes(self, result: str, *names: str) -> Callable[[Change[W]], Change[W]]:
        """Registers a change that provokes a result of functions."""

        def register(change: Change[W]) -> Change[W]:
            for name in names:
                assert (name, result) not in self
                self[name, result] = change
            return change

        return register


def sets(**values: object) -> Change[W]:
    """Sets arguments; a function of the world makes a value."""

    def change(world: W, arguments: Arguments) -> None:
        assert values.keys() <= arguments.keys() | _OPTIONAL
        for name, value in values.items():
            arguments[name] = value(world) if callable(value) else value

    return change


def short(result: ze.ze_result_t) -> str:
    """Returns the name of a result without its prefixes."""
    return result.name.removeprefix("ZE_RESULT_").removeprefix("EXP_").removeprefix("ERROR_")


def implementation(name: str) -> Callable[..., object]:
    """Returns the function of the driver behind a name."""
    return function_called(name).callables[name]


def outcome(name: str, arguments: Arguments) -> str:
    """Calls a function and returns the name of its result, without prefixes."""
    try:
        found = implementation(name)(**arguments)
    except ze.ZeError as error:
        return short(error.result)
    first = found[0] if isinstance(found, tuple) and found else found
    return short(first) if isinstance(first, ze.ze_result_t) else "SUCCESS"


def first_handle(arguments: Arguments) -> str:
    """Returns the name of the first argument that is a handle, or a list of handles."""
    return next(name for name, value in arguments.items() if _handles(value))


def null_handle(world: object, arguments: Arguments) -> None:
    """Replaces the first handle by none."""
    name = first_handle(arguments)
    arguments[name] = [None] if isinstance(arguments[name], list) else None


def stale_handle(world: object, arguments: Arguments) -> None:
    """Marks the first handle as destroyed."""
    _handles(arguments[first_handle(arguments)])[0].alive = False


def _handles(value: object) -> list[Handle]:
    found = value if isinstance(value, list) else [value]
    return [handle for handle in found[:1] if isinstance(handle, Handle)]
