"""Operands of copies and fills: allocations of a context, and buffers of the host."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, cast

from typing_extensions import Buffer

from runtime.ze.driver.handle import integer, pointer
from runtime.ze.driver.linux import mapping
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.processor import CommandFault
from runtime.ze.driver.system.usm import Usm
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

if TYPE_CHECKING:
    Operand = int | Buffer | NDArray[np.generic]
else:
    Operand = int | Buffer
"""One end of a copy: an address in an allocation or in the host's own memory, or a contiguous buffer of the host."""

_Bytes: TypeAlias = "NDArray[np.uint8]"


def _usm_of(context: Context, address: int, size: int) -> Usm | None:
    """Returns the allocation that contains `size` bytes; None if no single one does."""
    usm = context.usm(address)
    return None if usm is None or address + size > usm.allocation.address + usm.size else usm


def _executed_usm_bytes(context: Context, address: int, size: int, writes: bool) -> _Bytes:
    """Returns bytes of an allocation in place when the command runs; they count as initialized if it writes them.

    The memory may have been freed since the command was recorded.
    """
    usm = _usm_of(context, address, size)
    if usm is None:
        raise CommandFault(f"copy or fill of {size} bytes at {address:#x}: the memory was freed before it ran")
    if writes and not usm.allocation.writable:
        raise CommandFault(f"copy or fill of {size} bytes at {address:#x}: the memory became read-only before it ran")
    start = address - usm.allocation.address
    if writes:
        usm.allocation.initialize(start, size)
    return usm.allocation.data[start : start + size]


def initialized_bytes(context: Context, operand: Operand, size: int) -> _Bytes | None:
    """Returns a nonzero byte for each initialized byte of an operand; None if all are, or nothing is tracked."""
    if not isinstance(operand, int):
        return None
    usm = _usm_of(context, operand, size)
    if usm is None or usm.allocation.initialized is None:
        return None
    return usm.allocation.initialized[operand - usm.allocation.address :][:size]


def operand(value: object, name: str) -> Operand:
    """Returns an integer of any kind as an address, and a buffer as it is; raises `INVALID_ARGUMENT` for anything else.

    A buffer of Python objects is none: its bytes are addresses in this process.
    """
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.ndarray):
        has_objects = value.dtype.hasobject
    else:
        try:
            has_objects = "O" in memoryview(cast("Buffer", value)).format
        except (TypeError, ValueError, BufferError):
            return integer(value, name, "an address or a buffer")
    if has_objects:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} holds Python objects, expected bytes")
    return cast("Buffer", value)


def _executed_host_bytes(address: int, size: int, writes: bool) -> _Bytes:
    """Returns the host's own memory at an address when the command runs."""
    if not mapping.is_accessible(address, size, writes=writes):
        raise CommandFault(f"copy or fill of {size} bytes at {address:#x}: the host's memory was gone before it ran")
    return mapping.bytes_at(address, size)


def _host_bytes(buffer: Buffer | NDArray[np.generic], name: str) -> _Bytes:
    # An array's elements may be of types that other buffers cannot have, such as bfloat16.
    array = buffer if isinstance(buffer, np.ndarray) else np.asarray(memoryview(buffer))
    if not array.flags.c_contiguous:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is not a contiguous array")
    return array.reshape(-1).view(np.uint8)


def is_of_host(context: Context, address: int, size: int, *, writes: bool = False) -> bool:
    """Returns whether bytes at an address are the host's own memory, outside of all allocations."""
    is_allocated = context.machine.memory.has_live(address, address + size)
    return not is_allocated and mapping.is_accessible(address, size, writes=writes)


def operand_bytes(context: Context, operand: Operand, size: int, name: str, writes: bool) -> Callable[[], _Bytes]:
    """Returns a function that returns the `size` bytes of an operand when the command runs.

    Args:
        context: The context whose driver addresses belong to.
        operand: The operand.
        size: The number of bytes.
        name: The parameter that the operand comes from.
        writes: True if the command writes the bytes.

    Raises:
        ZeError: `INVALID_ARGUMENT` if the bytes are not there, or are to be written and are read-only.
    """
    if isinstance(operand, int):
        address = pointer(operand, name)
        usm = _usm_of(context, address, size)
        if usm is None and is_of_host(context, address, size, writes=writes):
            return partial(_executed_host_bytes, address, size, writes)
        if usm is None:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
                f"{name}: {size} bytes at {address:#x} are neither inside one allocation of {context.driver!r} nor "
                "memory of the host",
            )
        if writes and not usm.allocation.writable:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name}: {size} bytes at {address:#x} are read-only"
            )
        return partial(_executed_usm_bytes, context, address, size, writes)
    data = _host_bytes(operand, name)
    if data.size < size or (writes and not data.flags.writeable):
        what = "is read-only" if data.size >= size else f"has {data.size} bytes"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} {what}, {size} are to be copied")
    return lambda: data[:size]


_BLOCK = 1 << 16
"""Bytes that a fill writes at a time, short enough for a core's cache, unless the pattern is longer."""


def fill_bytes(data: _Bytes, pattern: bytes) -> None:
    """Fills bytes with repetitions of a pattern, the last of which may be cut."""
    if len(set(pattern)) == 1:
        data.fill(pattern[0])
        return
    block = np.frombuffer(pattern * max(1, _BLOCK // len(pattern)), np.uint8)
    whole = data.size // block.size * block.size
    data[:whole].reshape(-1, block.size)[...] = block
    data[whole:] = block[: data.size - whole]


def no_bytes() -> _Bytes:
    """Returns no bytes: the operand of an empty copy or fill."""
    return np.empty(0, np.uint8)
