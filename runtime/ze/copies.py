"""Copies and fills of memory (specification: Memory Copies)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from runtime.ze.command_list import CommandList
from runtime.ze.context import Context, Usm
from runtime.ze.event import Event
from runtime.ze.handle import byte_string, integer, live, pointer, required
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.stream import CommandFault

Operand = int | bytes | bytearray | memoryview | NDArray[np.generic]
"""One end of a copy: an address in an allocation of the context, or host memory as a contiguous buffer."""

_Bytes = NDArray[np.uint8]


def _usm_of(context: Context, address: int, size: int) -> Usm | None:
    """The allocation that holds `size` bytes; None if they are not all in one."""
    usm = context.usm(address)
    return None if usm is None or address + size > usm.allocation.address + usm.size else usm


def _executed_usm_bytes(context: Context, address: int, size: int, writes: bool) -> _Bytes:
    """Bytes of an allocation in place when the command runs, which may write them.

    The memory may have been freed since the command was recorded.
    """
    usm = _usm_of(context, address, size)
    if usm is None:
        raise CommandFault(f"copy or fill of {size} bytes at {address:#x}: the memory was freed before it ran")
    start = address - usm.allocation.address
    if writes:
        usm.allocation.initialize(start, size)
    return usm.allocation.data[start : start + size]


def _values(context: Context, operand: Operand, size: int) -> _Bytes | None:
    """For checks: a nonzero byte for each byte of an operand that was given a value; None if all were."""
    usm = _usm_of(context, int(operand), size) if isinstance(operand, int | np.integer) else None
    if usm is None or usm.allocation.initialized is None:
        return None
    return usm.allocation.initialized[int(operand) - usm.allocation.address :][:size]


def _host_bytes(buffer: bytes | bytearray | memoryview | NDArray[np.generic], name: str) -> _Bytes:
    if isinstance(buffer, np.ndarray):
        if not buffer.flags.c_contiguous:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is an array that is not contiguous")
        return buffer.reshape(-1).view(np.uint8)
    try:
        return np.frombuffer(buffer, np.uint8)
    except (TypeError, ValueError):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is a {type(buffer).__name__}, no address or buffer"
        ) from None


def operand_bytes(context: Context, operand: Operand, size: int, name: str, writes: bool) -> Callable[[], _Bytes]:
    """What gives the `size` bytes of an operand at execution; checked to be there, and writable if need be."""
    if isinstance(operand, int | np.integer):
        address = pointer(int(operand), name)
        if _usm_of(context, address, size) is None:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                f"{name}: {size} bytes at {address:#x} are not inside of one allocation of {context!r}",
            )
        return partial(_executed_usm_bytes, context, address, size, writes)
    data = _host_bytes(operand, name)
    if data.size < size or (writes and not data.flags.writeable):
        what = "is read-only" if data.size >= size else f"has {data.size} bytes"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} {what}, {size} are to be copied")
    return lambda: data[:size]


def _no_bytes() -> _Bytes:
    return np.empty(0, np.uint8)


def zeCommandListAppendMemoryCopy(
    hCommandList: CommandList,
    dstptr: Operand,
    srcptr: Operand,
    size: int,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Copy `size` bytes, read when the command runs. The ranges may overlap; an empty copy still signals.

    Raises invalid argument for a range that is not inside of one allocation of the context or one host buffer.
    """
    command_list = live(hCommandList, CommandList)
    _append_copy(command_list, dstptr, command_list.context, srcptr, size, hSignalEvent, phWaitEvents)


def zeCommandListAppendMemoryCopyFromContext(
    hCommandList: CommandList,
    dstptr: Operand,
    hContextSrc: Context | None,
    srcptr: Operand,
    size: int,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Copy from memory of another context of the same driver; without one, from memory of the list's."""
    command_list = live(hCommandList, CommandList)
    source_context = command_list.context if hContextSrc is None else live(hContextSrc, Context)
    if source_context.machine is not command_list.context.machine:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{source_context!r} is of another driver")
    _append_copy(command_list, dstptr, source_context, srcptr, size, hSignalEvent, phWaitEvents)


def _append_copy(
    command_list: CommandList,
    dstptr: Operand,
    source_context: Context,
    srcptr: Operand,
    size: int,
    hSignalEvent: Event | None,
    phWaitEvents: Sequence[Event] | None,
) -> None:
    required(dstptr, "dstptr")
    required(srcptr, "srcptr")
    size = integer(size, "size")
    if size < 0:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"{size} bytes to copy")
    context = command_list.context
    target = operand_bytes(context, dstptr, size, "dstptr", writes=True) if size else _no_bytes
    source = operand_bytes(source_context, srcptr, size, "srcptr", writes=False) if size else _no_bytes

    def copy() -> None:
        known = _values(source_context, srcptr, size)
        known = None if known is None else known.copy()
        np.copyto(target(), source())
        written = _values(context, dstptr, size)
        if known is not None and written is not None:
            written[:] = known

    command_list.append(copy, hSignalEvent, phWaitEvents)


def zeCommandListAppendMemoryFill(
    hCommandList: CommandList,
    ptr: int,
    pattern: bytes,
    patternSize: int,
    size: int,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Fill `size` bytes with repetitions of `pattern`, which is read now. An empty fill still signals.

    Raises invalid size for a pattern that is no power of two of bytes or longer than the queue group can take, and
    invalid argument where `ptr` or `size` is no multiple of it.
    """
    command_list = live(hCommandList, CommandList)
    pattern = byte_string(pattern, "pattern")
    patternSize, size = integer(patternSize, "patternSize"), integer(size, "size")
    limit = command_list.device.queue_groups[command_list.ordinal].maxMemoryFillPatternSize
    if not 0 < patternSize <= min(limit, len(pattern)) or patternSize & (patternSize - 1):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE,
            f"a pattern of {patternSize} bytes, expected a power of two up to {min(limit, len(pattern))}",
        )
    if size < 0 or size % patternSize or pointer(ptr, "ptr") % patternSize:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{size} bytes at {ptr:#x} are no whole number of patterns of {patternSize} bytes",
        )
    target = operand_bytes(command_list.context, ptr, size, "ptr", writes=True) if size else _no_bytes
    value = np.frombuffer(pattern[:patternSize], f"V{patternSize}")

    def fill() -> None:
        target().view(value.dtype)[...] = value

    command_list.append(fill, hSignalEvent, phWaitEvents)
