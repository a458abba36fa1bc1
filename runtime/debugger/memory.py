"""Memory, as a stopped thread sees it."""

from __future__ import annotations

from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import ExpressionScope
from runtime.debugger.values import NUMBERS, Values, of_bytes
from xegpu.isa import DataType

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
    data = scope.memory.read(space, address, count * type.size)
    available = len(data) // type.size
    if not available:
        raise DebugError(f"there is no {type.size}-byte element at {address:#x} of {space} memory")
    return of_bytes(f"{address:#x}", type, data[: min(count, available) * type.size])


def relative_text(scope: ExpressionScope, space: str, address: int) -> str:
    """Formats an address: `<a+16>` in an allocation with a label."""
    return scope.memory.label_of(address) if space == "global" else ""
