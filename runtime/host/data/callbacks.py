"""Functions outside of compiled code that host programs call in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, Operation

from runtime.llvm import IRFunction, Value, count_of, element_of

_SLOT = 8
_VECTOR = 64


class Slots:
    """The layout of values that are passed through memory, one after another, at multiples of 8 bytes.

    `places` has the LLVM type and the byte offset of each. Integers are widened to whole bytes, to at least 8, and
    vectors start at multiples of 64 bytes.
    """

    def __init__(self, types: Sequence[str]):
        self.types = tuple(types)
        places = []
        offset = 0
        for type in types:
            held, size = _held(type)
            alignment = _VECTOR if held.startswith("<") else _SLOT
            offset = -(-offset // alignment) * alignment
            places.append((held, offset))
            offset += size
        self.places = tuple(places)
        self.size = offset

    def store(self, code: IRFunction, memory: Value, values: Sequence[Value]) -> None:
        """Writes values to the slots."""
        for (type, offset), value in zip(self.places, values, strict=True):
            held = code.cast("zext", value, type) if value.type != type else value
            code.store(held, code.offset(memory, offset), 8)

    def load(self, code: IRFunction, memory: Value) -> list[Value]:
        """Returns the values in the slots."""
        values = []
        for (held, offset), type in zip(self.places, self.types, strict=True):
            value = code.load(held, code.offset(memory, offset), 8)
            values.append(code.cast("trunc", value, type) if held != type else value)
        return values


def _held(type: str) -> tuple[str, int]:
    """Returns the type that is stored for a value, and its size in bytes."""
    element = element_of(type)
    bits = {"ptr": 64, "float": 32, "double": 64}.get(element) or int(element[1:])
    if not type.startswith("<"):
        if element.startswith("i"):
            bits = max(64, -(-bits // 64) * 64)
            return f"i{bits}", bits // 8
        return type, _SLOT
    bits = max(8, 1 << (bits - 1).bit_length())
    held = f"i{bits}" if element.startswith("i") else element
    count = count_of(type)
    return f"<{count} x {held}>", -(-count * bits // 8 // _SLOT) * _SLOT


@dataclass(frozen=True, eq=False)
class Foreign:
    """A Python function with the MLIR types of its arguments and results.

    `run` is called with the addresses of the slots of arguments and results; what it raises ends the program. `op` is
    the operation that calls it, where there is only one.
    """

    name: str
    signature: tuple[Sequence[Attribute], Sequence[Attribute]]
    run: Callable[[int, int], None]
    op: Operation | None = None
