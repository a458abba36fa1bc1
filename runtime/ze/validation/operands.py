"""The memory that commands and hints use: which arguments are addresses, and of how many bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from runtime.ze.driver.handle import Handle
from runtime.ze.driver.system.context import Context
from runtime.ze.validation.call import ApiCall

_Size = Callable[[ApiCall], int]


def _number(name: str) -> _Size:
    def size(call: ApiCall) -> int:
        value = call.arguments[name]
        return int(value) if isinstance(value, int | np.integer) and value > 0 else 0

    return size


def _bytes(count: int) -> _Size:
    return lambda call: count


def _per_item(name: str, count: int) -> _Size:
    """`count` bytes for each item of an array."""

    def size(call: ApiCall) -> int:
        value = call.arguments[name]
        return count * len(value) if isinstance(value, list | tuple) else 0

    return size


_SOMEWHERE = _bytes(1)
"""Of a range whose end the driver works out: its first byte."""

_RANGE = {"ptr": _number("size")}
_GROUP_COUNT = _bytes(12)

OPERANDS: Mapping[str, Mapping[str, _Size]] = {
    "zeCommandListAppendMemoryCopy": {"dstptr": _number("size"), "srcptr": _number("size")},
    "zeCommandListAppendMemoryCopyFromContext": {"dstptr": _number("size"), "srcptr": _number("size")},
    "zeCommandListAppendMemoryCopyRegion": {"dstptr": _SOMEWHERE, "srcptr": _SOMEWHERE},
    "zeCommandListAppendMemoryFill": _RANGE,
    "zeCommandListAppendMemoryPrefetch": _RANGE,
    "zeCommandListAppendMemAdvise": _RANGE,
    "zeCommandListAppendImageCopyToMemory": {"dstptr": _SOMEWHERE},
    "zeCommandListAppendImageCopyToMemoryExt": {"dstptr": _SOMEWHERE},
    "zeCommandListAppendImageCopyFromMemory": {"srcptr": _SOMEWHERE},
    "zeCommandListAppendImageCopyFromMemoryExt": {"srcptr": _SOMEWHERE},
    "zeCommandListAppendWriteGlobalTimestamp": {"dstptr": _bytes(8)},
    "zeCommandListAppendQueryKernelTimestamps": {"dstptr": _per_item("phEvents", 32)},
    "zeCommandListAppendLaunchKernelIndirect": {"pLaunchArgumentsBuffer": _GROUP_COUNT},
    "zeCommandListAppendLaunchMultipleKernelsIndirect": {
        "pCountBuffer": _bytes(4),
        "pLaunchArgumentsBuffer": _per_item("phKernels", 12),
    },
    "zeContextMakeMemoryResident": _RANGE,
    "zeContextEvictMemory": _RANGE,
    "zeMemGetIpcHandle": {"ptr": _SOMEWHERE},
}
"""Arguments that are addresses, by function, and how many bytes are used there."""


@dataclass(frozen=True)
class MemoryOperand:
    """`size` bytes at `address`, given as the argument `name`, to be found in the memory of `context`."""

    name: str
    address: int
    size: int
    context: Context


def operands_of(call: ApiCall) -> Iterator[MemoryOperand]:
    """The memory that a call names by address; host buffers of Python are none of it, nor are empty ranges."""
    context = context_of(call)
    if context is None:
        return
    for name, size in OPERANDS.get(call.name, {}).items():
        address, count = call.arguments.get(name), size(call)
        if isinstance(address, int | np.integer) and count:
            source = call.arguments.get("hContextSrc") if name == "srcptr" else None
            yield MemoryOperand(name, int(address), count, source if isinstance(source, Context) else context)


def context_of(call: ApiCall) -> Context | None:
    """The context that a call works in."""
    for _, handle in call.handles():
        found = handle if isinstance(handle, Context) else getattr(handle, "context", None)
        if isinstance(handle, Handle) and isinstance(found, Context):
            return found
    return None
