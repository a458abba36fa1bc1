"""Callbacks of tracers: their tables, and the arguments that they receive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

from runtime.ze import dispatch
from runtime.ze.spec.results import ze_result_t


class Parameters(SimpleNamespace):
    """The arguments of one call, under the names that the function gives them, and what it `returned`.

    The driver is called with what a prologue assigns, and the application receives what an epilogue assigns to
    `returned`. `returned` is None in prologues, and if the call fails.
    """

    returned: object

    def __setattr__(self, name: str, value: object) -> None:
        self._require(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"the function needs its parameter '{name}'")

    def _require(self, name: str) -> None:
        if name not in vars(self):
            raise AttributeError(f"there is no parameter '{name}', but: {', '.join(vars(self))}")


class InstanceData:
    """A variable in which the prologue of a tracer can leave data for the epilogue of the same call."""

    __slots__ = ("data",)

    def __init__(self) -> None:
        self.data: object = None


Callback = Callable[[Parameters, ze_result_t, object, InstanceData], object]
"""Is called with the parameters, the result so far, the tracer's user data, and the instance data of this call."""

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
"""The tables of functions, longer names before those that they begin with; the other functions are in `Global`."""

OTHER_TABLES = {"zetSysman": "ZetSysman", "zes": "Zes"}
"""The tables of functions outside the core API, by the prefixes of their names."""


def table_of(name: str) -> tuple[str, str]:
    """Returns the table of a function's callback and the member in it: `Mem` and `pfnFreeCb` for `zeMemFree`."""
    for prefix, other in OTHER_TABLES.items():
        if name.startswith(prefix):
            return other, f"pfn{name.removeprefix(prefix)}Cb"
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
    """The callbacks for all functions: `callbacks.Mem.pfnFreeCb = ...` sets that of `zeMemFree`."""

    def __init__(self) -> None:
        vars(self).update({table: CallbackTable(table) for table in ("Global", *OBJECTS, *OTHER_TABLES.values())})

    def __getattr__(self, name: str) -> CallbackTable:
        raise AttributeError(f"there is no table of callbacks '{name}', but: {', '.join(vars(self))}")

    def functions(self) -> Iterator[tuple[str, Callback]]:
        """Yields the functions that have a callback, with it."""
        for function in dispatch.names():
            table, member = table_of(function)
            callback: Callback | None = getattr(getattr(self, table), member)
            if callback is not None:
                yield function, callback
