"""The dispatch table between the functions that applications call and those of the driver.

Each public function is an entry that calls the first of the layers, the last of which calls the driver. Entries stay
the same objects when layers come and go, so it makes no difference when an application got hold of them. Without layers
an entry costs one more Python call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

Function = Callable[..., object]
Layer = Callable[[str, Function], Function]
"""Takes the name of a function and what is called next, and returns what is called instead."""

_layers: tuple[Layer, ...] = ()
_links: dict[str, Callable[[], None]] = {}
_drivers: dict[str, Function] = {}
_entries: dict[str, Function] = {}


def entry(name: str, driver: Callable[P, R]) -> Callable[P, R]:
    """Returns a new entry called `name` for a function of the driver."""
    target = driver

    @wraps(driver)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        return target(*args, **kwargs)

    def link() -> None:
        nonlocal target
        function: Function = driver
        for layer in reversed(_layers):
            function = layer(name, function)
        # A layer returns what the driver has returned to it, so the types are the same.
        target = cast(Callable[P, R], function)

    call.__name__ = name
    _links[name] = link
    _drivers[name] = driver
    _entries[name] = call
    link()
    return call


def replace_entry(name: str, call: Function) -> None:
    """Makes the look-up of `name` find `call`, which calls the entry of that name."""
    _entries[name] = call


def direct(entry: Callable[P, R]) -> Callable[P, R]:
    """Returns the function of the driver behind an entry, for calls within the driver, which no layer may see."""
    return cast(Callable[P, R], _drivers[entry.__name__])


def install(layers: Sequence[Layer]) -> None:
    """Replaces the installed layers by `layers`, the outermost first. Calls that are in a layer still return to it."""
    global _layers  # noqa: PLW0603 - one table a process, as in the loader
    _layers = tuple(layers)
    for link in _links.values():
        link()


def names() -> tuple[str, ...]:
    """Returns the names of all entries."""
    return tuple(_links)


def entry_called(name: str) -> Function | None:
    """Returns the function that applications call by a name; None if there is none."""
    return _entries.get(name)


def driver_function(name: str) -> Function:
    """Returns the function of the driver that the entry called `name` calls behind all layers."""
    return _drivers[name]
