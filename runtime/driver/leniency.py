"""Rules for programs in C, which expect more than `runtime.ze` accepts: Intel's driver does, and so does this one.

Each rule wraps functions of the driver. The rules about memory and objects of other contexts, lists that are submitted
twice and addresses of the host's memory are in `runtime.ze`, for drivers that are lenient. What is illegal is for the
loader's validation layer to report.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from enum import IntFlag
from functools import wraps
from typing import cast

from runtime import ze
from runtime.driver.marshalling import HANDLES
from runtime.ze.dispatch import Function
from runtime.ze.driver import MAX_ALIGNMENT, CommandQueue, Context, Handle, ImmediateCommandList

Rule = Callable[[Function], Function]
"""Returns what is called in place of a function."""

_PATIENCE = 1_000_000_000
"""Nanoseconds that a destruction waits for commands; what they use longer is destroyed when they have ended."""

_deferred: dict[Handle, Callable[[], object]] = {}
"""Destructions of objects that commands still use."""


def _succeeds(call: Callable[[], object]) -> bool:
    """Calls a function and returns True; False if it says that an object is in use."""
    try:
        call()
    except ze.ZeError as error:
        if error.result is ze.ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE:
            return False
        raise
    return True


def _context_of(handle: Handle) -> Context | None:
    """Returns the context that an object was created in."""
    while not isinstance(handle, Context) and handle.parent is not None:
        handle = handle.parent
    return handle if isinstance(handle, Context) else None


def _wait_until(handle: Handle, call: Callable[[], object]) -> bool:
    """Calls a function again and again until an object is not in use any more; returns False if it stays so."""
    context = _context_of(handle)
    if context is None:
        return _succeeds(call)
    return context.machine.wait(lambda: _succeeds(call), _PATIENCE)


def _settle() -> None:
    """Destroys what has come out of use."""
    for handle, call in tuple(_deferred.items()):
        if not handle.alive or _succeeds(call):
            _deferred.pop(handle, None)


def _end(handle: Handle, destroy: Callable[[], object]) -> None:
    """Destroys an object after those that were created from it."""
    for child in tuple(handle.children):
        _end(child, child.retire)
        HANDLES.drop(child, goes_with_parent=True)
    if not _wait_until(handle, destroy):
        _deferred[handle] = destroy


def _destroying(destroy: Function) -> Function:
    """Destroys what is in use as soon as it is not, with the objects that were created from it."""

    @wraps(destroy)
    def call(handle: Handle | None) -> None:
        _settle()
        if HANDLES.went_with_parent(handle):
            return
        if not _succeeds(lambda: destroy(handle)):
            _end(cast(Handle, handle), lambda: destroy(handle))
        HANDLES.drop(cast(Handle, handle))

    return call


def _destroying_context(destroy: Function) -> Function:
    """Destroys a context with all that is left in it; commands that do not end are dropped."""

    @wraps(destroy)
    def call(hContext: Handle | None) -> None:
        if isinstance(hContext, Context) and hContext.alive:
            users = [child for child in hContext.children if isinstance(child, CommandQueue | ImmediateCommandList)]
            streams = [user.stream for user in users]
            hContext.machine.wait(lambda: all(stream.idle for stream in streams), _PATIENCE)
            for stream in streams:
                stream.close(stops=True)
        _destroying(destroy)(hContext)

    return call


def _waiting(reset: Function) -> Function:
    """Waits until the object is not in use."""

    @wraps(reset)
    def call(handle: Handle) -> None:
        if not _succeeds(lambda: reset(handle)) and not _wait_until(handle, lambda: reset(handle)):
            reset(handle)

    return call


Change = Callable[[object], object]
"""Returns an argument as the driver takes it."""


def _adapting(**changes: Change) -> Rule:
    """Changes some arguments before the function sees them."""

    def rule(function: Function) -> Function:
        positions = {name: index for index, name in enumerate(inspect.signature(function).parameters)}
        changed = {positions[name]: change for name, change in changes.items()}

        @wraps(function)
        def call(*arguments: object, **named: object) -> object:
            given = list(arguments)
            for position, change in changed.items():
                given[position] = change(given[position])
            return function(*given, **named)

        return call

    return rule


def _known(kind: type[IntFlag]) -> Change:
    """Drops flags that a newer version of the specification may have."""
    known = 0
    for member in kind:
        known |= member.value
    return lambda flags: cast(int, flags) & known


def _member(name: str, change: Change) -> Change:
    """Changes a member of a structure."""

    def changed(structure: object) -> object:
        if structure is None:
            return None
        assert dataclasses.is_dataclass(structure) and not isinstance(structure, type)
        old = getattr(structure, name)
        new = change(old)
        return structure if new == old else dataclasses.replace(structure, **{name: new})

    return changed


def _power_of_two(alignment: object) -> int:
    """Rounds an alignment up; the largest takes the place of what is larger."""
    number = cast(int, alignment)
    return min(1 << (number - 1).bit_length(), MAX_ALIGNMENT) if number else 0


_FIRST_MEMORY = _member("ordinal", lambda ordinal: 0)

_QUEUE = _member("flags", _known(ze.ze_command_queue_flags_t))

RULES: Mapping[str, tuple[Rule, str]] = {
    "zeInit": (_adapting(flags=_known(ze.ze_init_flags_t)), "flags that are not known are ignored"),
    "zeInitDrivers": (
        _adapting(desc=_member("flags", _known(ze.ze_init_driver_type_flags_t))),
        "types of drivers that are not known are ignored: the loader asks for all when it sorts drivers",
    ),
    "zesInit": (_adapting(flags=lambda flags: 0), "flags are ignored"),
    "zeContextDestroy": (_destroying_context, "what is left in the context goes with it"),
    **dict.fromkeys(
        ("zeEventPoolDestroy", "zeEventPoolCloseIpcHandle", "zeModuleDestroy", "zeCommandQueueDestroy"),
        (_destroying, "waits for commands; what was created from the object goes with it"),
    ),
    **dict.fromkeys(
        (
            "zeCommandListDestroy",
            "zeEventDestroy",
            "zeFenceDestroy",
            "zeImageDestroy",
            "zeKernelDestroy",
            "zeModuleBuildLogDestroy",
            "zeSamplerDestroy",
        ),
        (_destroying, "waits for commands; an object that went with its parent can be destroyed once more"),
    ),
    "zeCommandListReset": (_waiting, "waits until the list has been executed"),
    "zeFenceReset": (_waiting, "waits until the fence is signaled"),
    "zeMemAllocShared": (
        _adapting(device_desc=_FIRST_MEMORY, alignment=_power_of_two),
        "any memory ordinal is that of the only memory; the alignment is rounded up to a power of two",
    ),
    "zeMemAllocDevice": (
        _adapting(device_desc=_FIRST_MEMORY, alignment=_power_of_two),
        "any memory ordinal is that of the only memory; the alignment is rounded up to a power of two",
    ),
    "zeMemAllocHost": (_adapting(alignment=_power_of_two), "the alignment is rounded up to a power of two"),
    "zeCommandListCreate": (
        _adapting(desc=_member("flags", _known(ze.ze_command_list_flags_t))),
        "flags that are not known are ignored",
    ),
    "zeCommandListCreateImmediate": (_adapting(altdesc=_QUEUE), "flags that are not known are ignored"),
    "zeCommandQueueCreate": (_adapting(desc=_QUEUE), "flags that are not known are ignored"),
    "zeEventPoolCreate": (
        _adapting(desc=_member("flags", _known(ze.ze_event_pool_flags_t))),
        "flags that are not known are ignored",
    ),
}
"""The rules by function, with what they do for programs."""


def lenient(name: str, function: Function) -> Function:
    """Returns what programs in C call in place of a function of the driver."""
    found = RULES.get(name)
    return function if found is None else found[0](function)
