"""The callables of the core API: logs of failed builds, values of types that the kernel knows, texts."""

from __future__ import annotations

from typing import cast

from runtime.driver.marshalling.arrays import encoded, handles_at, message_address, name_address, room
from runtime.driver.marshalling.by_hand.declared import Function, by_hand, require
from runtime.driver.marshalling.handles import HANDLES
from runtime.driver.marshalling.memory import (
    read_bytes,
    read_numbers,
    read_text,
    read_word,
    write_bytes,
    write_numbers,
    write_word,
)
from runtime.driver.marshalling.structures import package_of, read_chain, reader, writer
from runtime.ze import (
    ZeError,
    ze_event_query_kernel_timestamps_results_ext_properties_t,
    ze_module_build_log_handle_t,
    ze_result_t,
)
from runtime.ze.driver import ArgumentValue, Handle, Kernel
from xegpu.isa.model import ArgumentKind

# Modules ------------------------------------------------------------------------------------------------------------


def _log_of(error: ZeError) -> ze_module_build_log_handle_t:
    """Returns the log of a call that failed: that of the build, or the reason why there was none."""
    log = getattr(error, "build_log", None)
    return log if isinstance(log, ze_module_build_log_handle_t) else ze_module_build_log_handle_t(error.text)


@by_hand
def zeModuleCreate(create: Function, hContext: int, hDevice: int, desc: int, phModule: int, phBuildLog: int) -> int:
    """Writes a module and the log of its build, which there is after a failure, too."""
    require(phModule)
    try:
        found = create(HANDLES[hContext], HANDLES[hDevice], reader("ze_module_desc_t")(desc) if desc else None)
    except ZeError as error:
        if phBuildLog:
            write_word(phBuildLog, HANDLES.of(_log_of(error)))
        raise
    module, log = cast("tuple[Handle, Handle]", found)
    write_word(phModule, HANDLES.of(module))
    if phBuildLog:
        write_word(phBuildLog, HANDLES.of(log))
    return 0


@by_hand
def zeModuleDynamicLink(link: Function, numModules: int, phModules: int, phLinkLog: int) -> int:
    """Links modules and writes the log, which there is after a failure, too."""
    try:
        log = link(handles_at(phModules, numModules))
    except ZeError as error:
        if phLinkLog:
            write_word(phLinkLog, HANDLES.of(_log_of(error)))
        raise
    if phLinkLog:
        write_word(phLinkLog, HANDLES.of(cast(Handle, log)))
    return 0


@by_hand
def zeModuleGetKernelNames(names: Function, hModule: int, pCount: int, pNames: int) -> int:
    """Writes the addresses of the names."""
    require(pCount)
    found = cast("list[str]", names(HANDLES[hModule]))
    write_numbers(pNames, [name_address(name) for name in found[: room(pCount, pNames, len(found))]])
    return 0


# Kernels ------------------------------------------------------------------------------------------------------------


def _value(kernel: Kernel, index: int, size: int, place: int) -> ArgumentValue:
    """Returns the value of an argument: an object, bytes, or None for null; of shared local memory, the address."""
    arguments = kernel.facts.arguments
    if not place or index >= len(arguments):
        return None
    argument = arguments[index]
    if argument.kind is ArgumentKind.LOCAL:
        return place
    if argument.kind in (ArgumentKind.IMAGE, ArgumentKind.SAMPLER):
        return cast(ArgumentValue, HANDLES[read_word(place)])
    return read_bytes(place, min(size, argument.size) if argument.kind is ArgumentKind.VALUE else argument.size)


@by_hand
def zeKernelSetArgumentValue(set_value: Function, hKernel: int, argIndex: int, argSize: int, pArgValue: int) -> int:
    """Sets an argument to the bytes at an address, or to the object whose handle is there."""
    kernel = HANDLES[hKernel]
    value = _value(kernel, argIndex, argSize, pArgValue) if isinstance(kernel, Kernel) else None
    set_value(kernel, argIndex, argSize, value)
    return 0


@by_hand
def zeCommandListAppendLaunchKernelWithArguments(
    append: Function,
    hCommandList: int,
    hKernel: int,
    groupCounts: int,
    groupSizes: int,
    pArguments: int,
    pNext: int,
    hSignalEvent: int,
    numWaitEvents: int,
    phWaitEvents: int,
) -> int:
    """Appends a launch with the values at some addresses, of which there are as many as the kernel has arguments."""
    kernel = HANDLES[hKernel]
    values: list[ArgumentValue] | None = None
    if isinstance(kernel, Kernel):
        arguments = kernel.facts.arguments
        places = read_numbers(pArguments, len(arguments)) or () if arguments else ()
        if len(places) == len(arguments):
            values = []
            for index, (argument, place) in enumerate(zip(arguments, places, strict=True)):
                is_size = argument.kind is ArgumentKind.LOCAL and place
                values.append(read_word(place) if is_size else _value(kernel, index, argument.size, place))
    append(
        HANDLES[hCommandList],
        kernel,
        reader("ze_group_count_t")(groupCounts),
        reader("ze_group_size_t")(groupSizes),
        values,
        read_chain(pNext),
        HANDLES[hSignalEvent],
        handles_at(phWaitEvents, numWaitEvents),
    )
    return 0


@by_hand
def zeKernelGetSourceAttributes(attributes: Function, hKernel: int, pSize: int, pString: int) -> int:
    """Writes the attributes to the memory that `*pString` points to, or their size alone if there is none."""
    require(pSize)
    data = encoded(cast(str, attributes(HANDLES[hKernel])))
    place = read_word(pString) if pString else 0
    if place:
        capacity = (read_numbers(pSize, 1, "I") or (0,))[0]
        write_bytes(place, data[:capacity])
    write_numbers(pSize, (len(data),), "I")
    return 0


# Memory -------------------------------------------------------------------------------------------------------------

_LONGEST_PATTERN = 1 << 16
"""A pattern that is longer than any device takes is not read."""


@by_hand
def zeCommandListAppendMemoryFill(
    append: Function,
    hCommandList: int,
    ptr: int,
    pattern: int,
    pattern_size: int,
    size: int,
    hSignalEvent: int,
    numWaitEvents: int,
    phWaitEvents: int,
) -> int:
    """Appends a fill with the bytes at an address."""
    data = read_bytes(pattern, min(pattern_size, _LONGEST_PATTERN)) if pattern else None
    waits = handles_at(phWaitEvents, numWaitEvents)
    append(HANDLES[hCommandList], ptr, data, pattern_size, size, HANDLES[hSignalEvent], waits)
    return 0


# Events -------------------------------------------------------------------------------------------------------------


@by_hand
def zeEventQueryKernelTimestampsExt(query: Function, hEvent: int, hDevice: int, pCount: int, pResults: int) -> int:
    """Writes the times to the arrays that the structure at `pResults` points to."""
    require(pCount)
    found = cast(
        "list[ze_event_query_kernel_timestamps_results_ext_properties_t]", query(HANDLES[hEvent], HANDLES[hDevice])
    )
    taken = room(pCount, pResults, len(found))
    if taken:
        times_at, synchronized_at = read_numbers(pResults + 16, 2) or (0, 0)
        for index, result in enumerate(found[:taken]):
            if times_at:
                writer("ze_kernel_timestamp_result_t")(times_at + 32 * index, result.kernel)
            if synchronized_at and result.synchronized is not None:
                writer("ze_synchronized_timestamp_result_ext_t")(synchronized_at + 32 * index, result.synchronized)
    return 0


# Drivers and devices ------------------------------------------------------------------------------------------------


@by_hand
def zeDriverGetLastErrorDescription(describe: Function, hDriver: int, ppString: int) -> int:
    """Writes the address of the text, which stays until the thread asks again."""
    require(ppString)
    write_word(ppString, message_address(cast(str, describe(HANDLES[hDriver]))))
    return 0


@by_hand
def zerGetLastErrorDescription(describe: Function, ppString: int) -> int:
    """Does what `zeDriverGetLastErrorDescription` does."""
    require(ppString)
    write_word(ppString, message_address(cast(str, describe())))
    return 0


STUBS: dict[str, int] = {}
"""The addresses of the functions in C by name."""


def function_address(look_up: Function, hDriver: int, name: int, ppFunctionAddress: int) -> int:
    """Writes the address of the function in C with a name."""
    require(ppFunctionAddress)
    text = read_text(name)
    if text in STUBS:
        package_of(text)  # which declares the function
    look_up(HANDLES[hDriver], text)
    if text not in STUBS:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"there is no function {text!r} in C")
    write_word(ppFunctionAddress, STUBS[text])
    return 0


@by_hand
def zeDriverGetExtensionFunctionAddress(look_up: Function, hDriver: int, name: int, ppFunctionAddress: int) -> int:
    """Writes the address of the function in C."""
    return function_address(look_up, hDriver, name, ppFunctionAddress)
