"""Values of LLVM IR as text: their types, and constants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from xegpu.isa import DataType
from xegpu.isa.model import float_bits

_SPECIAL = re.compile(r'["\\]|[^ -~]')
"""The characters that a quoted name of IR spells by the numbers of their bytes."""


@dataclass(frozen=True, slots=True)
class Value:
    """An SSA value or a constant, with its LLVM type; `str` gives it as a typed operand."""

    type: str
    name: str

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


def lanes(count: int, element: str) -> str:
    """Returns the type of one element for each of `count` channels: a scalar for one channel, else a vector."""
    return element if count == 1 else vector(count, element)


def vector(count: int, element: str) -> str:
    """Returns the vector type of `count` elements."""
    return f"<{count} x {element}>"


def constant(element: str, literal: object) -> Value:
    """Returns a scalar constant."""
    return Value(element, str(literal))


def splat(count: int, element: str, literal: object) -> Value:
    """Returns the same constant in every lane."""
    return Value(element, str(literal)) if count == 1 else Value(vector(count, element), f"splat ({element} {literal})")


def float_splat(count: int, element: str, value: float) -> Value:
    """Returns the same float or double in every lane; `element` must hold it exactly."""
    return splat(count, element, f"0x{float_bits(value, DataType.DF):016X}")


def literals(element: str, values: Sequence[object]) -> Value:
    """Returns a constant with one literal per lane."""
    if len(values) == 1:
        return Value(element, str(values[0]))
    return Value(vector(len(values), element), "<" + ", ".join(f"{element} {value}" for value in values) + ">")


def zero(type: str) -> Value:
    """Returns a value whose bits are all zero."""
    return Value(type, "zeroinitializer")


def integer(value: int) -> Value:
    """Returns an i64 constant, the type of offsets."""
    return Value("i64", str(value))


def mangled(name: str, *types: str) -> str:
    """Returns an intrinsic's full name for the types that it is overloaded on."""
    return ".".join(("llvm", name, *map(_mangled_type, types)))


def _mangled_type(type: str) -> str:
    names = {"float": "f32", "double": "f64", "half": "f16", "bfloat": "bf16", "ptr": "p0"}
    element = names.get(element_of(type), element_of(type))
    return f"v{count_of(type)}{element}" if type.startswith("<") else element


def element_of(type: str) -> str:
    """Returns the element type of a vector, or a scalar's own type."""
    return type.split(" x ", 1)[1][:-1] if type.startswith("<") else type


def count_of(type: str) -> int:
    """Returns the number of lanes of a type."""
    return int(type[1:].split(" ", 1)[0]) if type.startswith("<") else 1


def truth(type: str) -> str:
    """Returns the type of a comparison of values of `type`."""
    return lanes(count_of(type), "i1") if not type.startswith("<1 ") else "<1 x i1>"


def symbol_of(name: str) -> str:
    """Returns how IR writes the name of a function or variable, which may have any characters."""
    return f'@"{_SPECIAL.sub(_escaped, name)}"'


def _escaped(character: re.Match[str]) -> str:
    return "".join(f"\\{byte:02X}" for byte in character[0].encode())
