"""The dispatch table: what stands between the functions that applications call and the driver's.

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
"""Makes, of a function's name and of what is called next, what is called instead."""

_layers: tuple[Layer, ...] = ()
_link: dict[str, Callable[[], None]] = {}
_drivers: dict[str, Function] = {}


def entry(name: str, driver: Callable[P, R]) -> Callable[P, R]:
    """The entry called `name` for a function of the driver."""
    target = driver

    @wraps(driver)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        return target(*args, **kwargs)

    def link() -> None:
        nonlocal target
        function: Function = driver
        for layer in reversed(_layers):
            function = layer(name, function)
        # A layer passes on what it gets from the driver.
        target = cast(Callable[P, R], function)

    _link[name] = link
    _drivers[name] = driver
    link()
    return call


def install(layers: Sequence[Layer]) -> None:
    """Put `layers` in place of those that are there, the outermost first. Calls that are in a layer end in it."""
    global _layers  # noqa: PLW0603 - one table a process, as in the loader
    _layers = tuple(layers)
    for link in _link.values():
        link()


def names() -> tuple[str, ...]:
    """The names of all entries."""
    return tuple(_link)


def driver_function(name: str) -> Function:
    """What the entry called `name` calls behind all layers."""
    return _drivers[name]
