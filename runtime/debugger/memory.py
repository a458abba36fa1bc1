"""Memory, as a stopped thread sees it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import ExpressionScope
from runtime.debugger.values import NUMBERS, Values, of_bytes
from runtime.simulator.interpreter.alu import Bytes
from xegpu.isa import DataType

SPACES: Mapping[str, str] = {
    "global": "device, host and shared memory",
    "slm": "shared local memory of the work-group",
    "scratch": "scratch space of the thread",
}
"""Address spaces, and their meanings."""

MOST = 4096
"""Largest number of elements that can be read at once."""


def read(scope: ExpressionScope, space: str, address: int, count: int, type: DataType) -> Values:
    """Returns up to `count` elements of memory from `address` on, as many as the memory has.

    Raises `DebugError` when it has none, and for more than `MOST`.
    """
    if type not in NUMBERS or not 1 <= count <= MOST:
        raise DebugError(
            f"{count} elements, at most {MOST} can be shown" if type in NUMBERS else f"no type {type.text}"
        )
    data = _bytes(scope, space, address)
    available = len(data) // type.size
    if not available:
        raise DebugError(f"there is no {type.size}-byte element at {address:#x} of {space} memory")
    return of_bytes(f"{address:#x}", type, data[: min(count, available) * type.size].copy())


def _bytes(scope: ExpressionScope, space: str, address: int) -> Bytes:
    """Returns the bytes from an address to the end of the memory that contains it."""
    if space == "global":
        memory = scope.execution.memory
        allocation = memory.find(address)
        if allocation is None:
            nearest = memory.nearest(address)
            raise DebugError(
                f"no memory at {address:#x}; nearest is {nearest}" if nearest else "no memory is allocated"
            )
        return np.frombuffer(allocation.view(), np.uint8)[address - allocation.address :]
    data = scope.thread.slm.bytes if space == "slm" else scope.thread.scratch.bytes
    if not 0 <= address < len(data):
        raise DebugError(f"no byte {address:#x}: {SPACES[space]} has {len(data)} bytes")
    return data[address:]


def relative_text(scope: ExpressionScope, space: str, address: int) -> str:
    """Formats an address: `<a+16>` in an allocation with a label."""
    allocation = scope.execution.memory.find(address) if space == "global" else None
    if allocation is None or not allocation.label:
        return ""
    return f" <{allocation.label}+{address - allocation.address}>"
