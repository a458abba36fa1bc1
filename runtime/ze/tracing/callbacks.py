"""Callbacks of tracers: tables of them, and what they are called with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

from runtime.ze import dispatch
from runtime.ze.spec.results import ze_result_t


class Parameters(SimpleNamespace):
    """The arguments of one call, under the names that the function gives them, and what it `returned`.

    What a prologue assigns is what the driver is called with, and what an epilogue assigns to `returned` is what the
    application gets. `returned` is None in prologues, and when the call fails.
    """

    returned: object


class InstanceData:
    """The place in which a tracer's prologue leaves something for the epilogue of the same call."""

    __slots__ = ("data",)

    def __init__(self) -> None:
        self.data: object = None


Callback = Callable[[Parameters, ze_result_t, object, InstanceData], object]
"""Called with the parameters, the result so far, the tracer's user data, and the place for data of this call."""

OBJECTS = (
    "CommandQueue",
    "CommandList",
    "EventPool",
    "ModuleBuildLog",
    "PhysicalMem",
    "VirtualMem",
    "Driver",
    "Device",
    "Context",
    "Fence",
    "Event",
    "Image",
    "Module",
    "Kernel",
    "Sampler",
    "Mem",
)
"""The tables of functions, a name before those that it begins with; what is in none of them is `Global`."""


def table_of(name: str) -> tuple[str, str]:
    """The table and the member in it that stand for a function: `zeMemFree` is `Mem`, `pfnFreeCb`."""
    rest = name.removeprefix("ze")
    table = next((table for table in OBJECTS if rest.startswith(table) and rest != table), "")
    return table or "Global", f"pfn{rest.removeprefix(table)}Cb"


class CallbackTable:
    """The callbacks for the functions of one kind of object; those that are not set are None."""

    def __init__(self, name: str) -> None:
        functions = (function for function in dispatch.names() if table_of(function)[0] == name)
        vars(self).update({table_of(function)[1]: None for function in functions})

    def __setattr__(self, name: str, value: Callback | None) -> None:
        if name not in vars(self):
            raise AttributeError(f"there is no callback '{name}', but: {', '.join(vars(self))}")
        vars(self)[name] = value


class zet_core_callbacks_t:
    """Callbacks for all functions: `callbacks.Mem.pfnFreeCb = ...` is called for `zeMemFree`."""

    def __init__(self) -> None:
        vars(self).update({table: CallbackTable(table) for table in ("Global", *OBJECTS)})

    def __getattr__(self, name: str) -> CallbackTable:
        raise AttributeError(f"there is no table of callbacks '{name}', but: {', '.join(vars(self))}")

    def functions(self) -> Iterator[tuple[str, Callback]]:
        """The functions that have a callback."""
        for function in dispatch.names():
            table, member = table_of(function)
            callback: Callback | None = getattr(getattr(self, table), member)
            if callback is not None:
                yield function, callback
