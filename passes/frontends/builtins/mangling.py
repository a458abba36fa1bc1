"""Itanium names of OpenCL functions: from a name and argument types to a symbol, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

_WIDTHS = {"b": 1, "c": 8, "a": 8, "h": 8, "s": 16, "t": 16, "i": 32, "j": 32, "l": 64, "m": 64, "x": 64, "y": 64}
_FLOATS = {"Dh": "half", "f": "float", "d": "double"}
_FLOAT_BITS = {"Dh": 16, "f": 32, "d": 64}
_UNSIGNED = frozenset("bhtjmy")


@dataclass(frozen=True)
class Scalar:
    """A scalar type. `code` is its letters in symbols, which tell signed from unsigned."""

    code: str

    @property
    def bits(self) -> int | None:
        """Returns the size of a number type; None for other types, such as void."""
        return _FLOAT_BITS.get(self.code) or _WIDTHS.get(self.code)

    @property
    def signed(self) -> bool:
        return self.code in _WIDTHS and self.code not in _UNSIGNED

    @property
    def llvm(self) -> str:
        """Returns the type in LLVM IR."""
        return {"v": "void", "z": "..."}.get(self.code) or _FLOATS.get(self.code) or f"i{_WIDTHS[self.code]}"


@dataclass(frozen=True)
class Vector:
    """A vector of scalars."""

    count: int
    element: Scalar

    @property
    def llvm(self) -> str:
        """Returns the type in LLVM IR."""
        return f"<{self.count} x {self.element.llvm}>"


@dataclass(frozen=True)
class Pointer:
    """A pointer to an address space. `qualifiers` holds those of the pointee, as symbols spell them: `V`, `K`."""

    space: int
    pointee: Type
    qualifiers: str = ""

    @property
    def llvm(self) -> str:
        """Returns the type in LLVM IR."""
        return f"ptr addrspace({self.space})" if self.space else "ptr"


@dataclass(frozen=True)
class ScalableVector:
    """A vector of a multiple of some elements, which the machine chooses. Symbols spell it as a vendor's type."""

    count: int
    element: Scalar | Pointer

    @property
    def llvm(self) -> str:
        """Returns the type in LLVM IR."""
        return f"<vscale x {self.count} x {self.element.llvm}>"


@dataclass(frozen=True)
class Named:
    """A type with a name: an image, a sampler, an event, a structure, an enumeration."""

    name: str

    @property
    def llvm(self) -> str | None:
        """Returns the type of an enumeration in LLVM IR; the names of others do not tell theirs."""
        return "i32" if self.name in ("memory_order", "memory_scope") else None


Type: TypeAlias = Scalar | Vector | ScalableVector | Pointer | Named

MOST_PARTS = 64
"""The deepest type and the largest number of arguments that `demangle` reads."""


def mangle(name: str, arguments: tuple[Type, ...]) -> str:
    """Returns the symbol of a function."""
    seen: list[Type | tuple[Type, str]] = []

    def substituted(part: Type | tuple[Type, str]) -> str | None:
        if part not in seen:
            return None
        number = seen.index(part)
        return "S_" if number == 0 else f"S{_base36(number - 1)}_"

    def spell(part: Type) -> str:
        if isinstance(part, Scalar):
            return part.code
        if known := substituted(part):
            return known
        match part:
            case Vector(count, element):
                text = f"Dv{count}_{spell(element)}"
            case ScalableVector(count, element):
                inner = f"nxv{count}{spell(element)}"
                text = f"u{len(inner)}{inner}"
            case Named(name):
                text = f"{len(name)}{name}"
            case Pointer(space, pointee, qualifiers):
                prefix = (f"U3AS{space}" if space else "") + qualifiers
                text = "P" + (qualified(pointee, prefix) if prefix else spell(pointee))
        seen.append(part)
        return text

    def qualified(part: Type, prefix: str) -> str:
        if known := substituted((part, prefix)):
            return known
        text = prefix + spell(part)
        seen.append((part, prefix))
        return text

    return f"_Z{len(name)}{name}" + ("".join(map(spell, arguments)) or "v")


def demangle(symbol: str) -> tuple[str, tuple[Type, ...]] | None:
    """Returns the name and the argument types of a symbol, or `None` if it is no plain function's."""
    start = re.match(r"_Z(\d{1,4})", symbol)
    if start is None:
        return None
    end = start.end() + int(start[1])
    name = symbol[start.end() : end]
    try:
        arguments = _Demangler(symbol, end).arguments()
    except (LookupError, ValueError):
        return None
    return (name, arguments) if len(name) == int(start[1]) else None


class _Demangler:
    """Reads the argument types of a symbol. Raises `LookupError` or `ValueError` for unknown types."""

    def __init__(self, symbol: str, place: int) -> None:
        self._symbol = symbol
        self._place = place
        self._seen: list[tuple[int, str, Type]] = []

    def arguments(self) -> tuple[Type, ...]:
        found: list[Type] = []
        while self._place < len(self._symbol):
            if len(found) == MOST_PARTS:
                raise ValueError
            found.append(self._type(0)[2])
        if found in ([], [Scalar("v")]):  # MLIR leaves out the letter for no arguments
            return ()
        if Scalar("v") in found:
            raise ValueError
        return tuple(found)

    def _match(self, pattern: str) -> re.Match[str] | None:
        found = re.compile(pattern).match(self._symbol, self._place)
        if found:
            self._place = found.end()
        return found

    def _type(self, depth: int) -> tuple[int, str, Type]:
        """Reads a type with its address space and qualifiers, which matter behind a pointer only."""
        if depth == MOST_PARTS:
            raise ValueError
        if known := self._match(r"S([0-9A-Z]*)_"):
            return self._seen[int(known[1], 36) + 1 if known[1] else 0]
        if prefix := self._match(r"(?=[UrVK])(?:U3AS(\d))?([rVK]*)(?=.)"):
            _, _, inner = self._type(depth + 1)
            return self._remember((int(prefix[1] or 0), prefix[2], inner))
        if self._match("P"):
            space, qualifiers, inner = self._type(depth + 1)
            return self._remember((0, "", Pointer(space, inner, qualifiers)))
        if vector := self._match(r"Dv(\d{1,2})_"):
            _, _, element = self._type(depth + 1)
            if not isinstance(element, Scalar):
                raise ValueError
            return self._remember((0, "", Vector(int(vector[1]), element)))
        if scalable := self._match(r"u(\d{1,3})(nxv(\d{1,4}))"):
            end = self._place - len(scalable[2]) + int(scalable[1])
            _, _, inner = self._type(depth + 1)
            if not isinstance(inner, Scalar | Pointer) or self._place != end:
                raise ValueError
            return self._remember((0, "", ScalableVector(int(scalable[3]), inner)))
        if named := self._match(r"(\d{1,3})"):
            end = self._place + int(named[1])
            name = self._symbol[self._place : end]
            if len(name) != int(named[1]):
                raise ValueError
            self._place = end
            return self._remember((0, "", Named(name)))
        if scalar := self._match(r"Dh|DF16_|[bcahstijlmxyfdvz]"):
            return 0, "", Scalar("Dh" if scalar[0] == "DF16_" else scalar[0])
        raise ValueError

    def _remember(self, part: tuple[int, str, Type]) -> tuple[int, str, Type]:
        self._seen.append(part)
        return part


def _base36(number: int) -> str:
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return digits[number] if number < 36 else _base36(number // 36) + digits[number % 36]
