"""Rules about the state of objects: what is in use, and what belongs together (validation: parameter).

The driver takes what these rules forbid: it waits for commands, destroys objects with their parents, and shares objects
between the contexts of a driver.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from runtime.ze.driver.execution.command_list import CommandList, ImmediateCommandList
from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.execution.fence import Fence
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.modules.kernel import Kernel
from runtime.ze.driver.system.context import Context
from runtime.ze.layers.validation.call import ApiCall
from runtime.ze.layers.validation.operands import operands_of
from runtime.ze.layers.validation.recorded import executed_lists
from runtime.ze.layers.validation.report import report
from runtime.ze.layers.validation.settling import context_of, settle
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_group_count_t

_DESTROYS = re.compile(r"ze\w+Destroy|zeEventPoolCloseIpcHandle")

_RESETS = re.compile(r"ze(CommandList|Fence)Reset")

_OWNERS = {"zeCommandListAppendMemoryCopyFromContext": "hContextSrc"}
"""The arguments of functions that take objects of several contexts."""


def check_usage(call: ApiCall) -> None:
    """Raises `ZeError` for a call that destroys, resets or executes what is in use, or that mixes contexts."""
    if _DESTROYS.fullmatch(call.name) or _RESETS.fullmatch(call.name):
        _check_unused(call)
    for command_list in executed_lists(call):
        if command_list.is_executing and not isinstance(command_list, ImmediateCommandList):
            raise _in_use(call, "phCommandLists", f"{command_list!r} is still executing")
    _check_contexts(call)
    _check_memory(call)
    if call.name == "zeCommandListAppendMemoryFill":
        _check_whole_patterns(call)
    if call.name.startswith("zeCommandListAppendLaunch"):
        _note_other_grid(call)
        _note_unknown_memory(call)


def _note_other_grid(call: ApiCall) -> None:
    """Reports a launch of another number of work-groups than the kernel was made for, which no driver knows."""
    kernel = call.arguments.get("hKernel")
    counts = next((value for value in call.arguments.values() if isinstance(value, ze_group_count_t)), None)
    if not isinstance(kernel, Kernel) or counts is None or kernel.facts.known_grid_size is None:
        return
    grid = (counts.groupCountX, counts.groupCountY, counts.groupCountZ)
    if grid != kernel.facts.known_grid_size:
        known = f"made for {kernel.facts.known_grid_size} (known_grid_size)"
        report(f"{call.name}, called at {call.site}:", [f"{kernel!r} is launched with {grid} work-groups, {known}"])


def _note_unknown_memory(call: ApiCall) -> None:
    """Reports a launch of a kernel that reads pointers from memory, if nothing says that their memory is resident."""
    kernel, commands = call.arguments.get("hKernel"), call.arguments.get("hCommandList")
    if not isinstance(kernel, Kernel) or not kernel.facts.indirect_accesses or kernel.indirect_access:
        return
    if isinstance(commands, CommandList) and not commands.context.resident:
        what = f"{kernel!r} accesses memory by pointers that it reads from memory"
        said = "neither zeKernelSetIndirectAccess nor zeContextMakeMemoryResident has said that this memory is resident"
        report(f"{call.name}, called at {call.site}:", [f"{what}, and {said}"])


def _in_use(call: ApiCall, argument: str, why: str) -> ZeError:
    return call.error(ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, argument, why)


def _check_unused(call: ApiCall) -> None:
    """Checks the object that a call destroys or resets, which is the last handle. Immediate lists wait for a reset."""
    is_reset = _RESETS.fullmatch(call.name) is not None
    for parameter, handle in list(call.handles())[-1:]:
        is_right = isinstance(handle, parameter.handle_type or Handle)
        if not is_right or not isinstance(handle, Handle) or not handle.alive:
            continue
        waits = is_reset and isinstance(handle, ImmediateCommandList)
        if waits:
            continue
        if handle.use:
            settle(handle)
        why = handle.pending_use if is_reset else handle.use
        if why:
            raise _in_use(call, parameter.name, why)


def _check_contexts(call: ApiCall) -> None:
    """Checks that the objects of a call were created in the same context."""
    first: Context | None = None
    for parameter, handle in call.handles():
        context = context_of(handle)
        if context is None or parameter.name == _OWNERS.get(call.name):
            continue
        first = first or context
        if context is not first:
            synchronizes = isinstance(handle, Event | Fence)
            raise call.error(
                ze_result_t.ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT
                if synchronizes
                else ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                parameter.name,
                f"{handle!r} belongs to {context!r}, not to {first!r}",
            )


def _check_memory(call: ApiCall) -> None:
    """Checks that the memory of a call was allocated in its context."""
    for name, address, context in _memory_of(call):
        usm = context.usm(address)
        if usm is not None and usm.owner is not context:
            raise call.error(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                name,
                f"the memory at {address:#x} belongs to {usm.owner!r}, not to {context!r}",
            )


def _check_whole_patterns(call: ApiCall) -> None:
    """Checks that a fill begins and ends between repetitions of its pattern."""
    unit = call.arguments.get("pattern_size")
    for name in ("ptr", "size"):
        value = call.arguments.get(name)
        if isinstance(unit, int) and isinstance(value, int) and unit > 0 and value % unit:
            raise call.error(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, name, f"{value:#x} is not a multiple of {unit}"
            )


def _memory_of(call: ApiCall) -> Iterator[tuple[str, int, Context]]:
    """Yields the addresses of a call that must be of a context's memory, with their arguments."""
    for operand in operands_of(call):
        yield operand.name, operand.address, operand.context
    context, address = call.arguments.get("hContext"), call.arguments.get("ptr")
    if call.name.startswith("zeMemFree") and isinstance(context, Context) and isinstance(address, int):
        yield "ptr", address, context
