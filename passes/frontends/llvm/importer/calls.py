"""Imports calls: intrinsics of LLVM, and builtin functions of kernels."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects.builtin import FixedBitwidthType, IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.builtins import BUILTINS as ROWS, Scalar, Type, Vector, demangle, resolve
from passes.frontends.llvm.importer.builder import Builder
from passes.frontends.llvm.importer.function import FunctionImporter, Parts, imports
from passes.frontends.llvm.reader import Callee, Instruction, Value, constant_value


@dataclass(frozen=True)
class Call:
    """A call of a function that the importer knows.

    Attributes:
        importer: The state of the import.
        name: The function without what tells its types.
        type: The type of the result.
        operands: The arguments.
        alignments: What the call says about the alignment of its arguments.
        letters: The types of the arguments as the symbol spells them, which tell signed from unsigned integers.
        symbol: The function as the module calls it.

    """

    importer: FunctionImporter
    name: str
    type: Attribute
    operands: tuple[Value, ...]
    alignments: tuple[int, ...]
    letters: tuple[Type, ...] = ()
    symbol: str = ""

    @property
    def builder(self) -> Builder:
        """The builder that appends the operations."""
        return self.importer.builder

    def operand(self, index: int) -> Value:
        """Returns an argument as the module has it; a call may have fewer than the function takes."""
        if index >= len(self.operands):
            count = len(self.operands)
            self.builder.error(f"calls '{self.name}' with {count} arguments: expected {index + 1} or more")
        return self.operands[index]

    def value(self, index: int) -> SSAValue:
        """Returns an argument."""
        return self.importer.value(self.operand(index))

    def pointer(self, index: int) -> SSAValue:
        """Returns an argument that must be a pointer."""
        return self._checked(index, isinstance(self.value(index).type, LLVMPointerType), "a pointer")

    def integer(self, index: int) -> SSAValue:
        """Returns an argument that must be an integer."""
        return self._checked(index, isinstance(self.value(index).type, IntegerType), "an integer")

    def _checked(self, index: int, holds: bool, expected: str) -> SSAValue:
        value = self.value(index)
        if not holds:
            self.builder.error(
                f"calls '{self.name}' with argument {index + 1} of type {value.type}: expected {expected}"
            )
        return value

    def element_bytes(self, type: Attribute) -> int:
        """Returns the size of a number, or of each number of a vector; other types are refused."""
        element = get_element_type_or_self(type)
        if not isinstance(element, FixedBitwidthType):
            self.builder.error(f"calls '{self.name}' with elements of type {element}: expected numbers")
        return element.bitwidth // 8

    @property
    def values(self) -> list[SSAValue]:
        """All arguments."""
        return [self.importer.value(operand) for operand in self.operands]

    def signed(self, index: int) -> bool:
        """Returns whether an argument is, or consists of, signed integers."""
        letters = self.letters[index] if index < len(self.letters) else None
        scalar = letters.element if isinstance(letters, Vector) else letters
        return isinstance(scalar, Scalar) and scalar.signed

    def number(self, index: int) -> int:
        """Returns an argument that must be known when the kernel is compiled."""
        found = constant_value(self.operand(index))
        if found is None:
            self.builder.error(
                f"calls '{self.name}' with argument {index + 1} computed at run time: it must be constant"
            )
        return found


Importer = Callable[[Call], "SSAValue | Parts | None"]
_Importer = TypeVar("_Importer", bound=Importer)
INTRINSICS: dict[str, Importer] = {}
"""The importers of calls of LLVM's intrinsics, by their names without types; filled by `intrinsic`."""
BUILTINS: dict[str, Importer] = {}
"""The importers of calls of builtin functions, by their names; filled by `builtin`."""
PATTERNS: dict[re.Pattern[str], Importer] = {}
"""The importers of calls of families of builtin functions; filled by `builtins_like`."""


def intrinsic(*names: str) -> Callable[[_Importer], _Importer]:
    """Registers the importer of intrinsics; names come without `llvm.`."""
    return _register(INTRINSICS, names)


def builtin(*names: str) -> Callable[[_Importer], _Importer]:
    """Registers the importer of builtin functions."""
    return _register(BUILTINS, names)


def builtins_like(pattern: str) -> Callable[[_Importer], _Importer]:
    """Registers the importer of builtin functions whose names match a pattern."""

    def register(importer: _Importer) -> _Importer:
        PATTERNS[re.compile(pattern)] = importer
        return importer

    return register


def _register(table: dict[str, Importer], names: tuple[str, ...]) -> Callable[[_Importer], _Importer]:
    def register(importer: _Importer) -> _Importer:
        table.update(dict.fromkeys(names, importer))
        return importer

    return register


@imports("call")
def call(importer: FunctionImporter, instruction: Instruction) -> Parts | None:
    assert isinstance(instruction.detail, Callee)
    symbol = instruction.detail.name
    if symbol.startswith("llvm."):
        name, found, letters = _intrinsic(symbol)
    else:
        name, letters = _function(symbol)
        found = BUILTINS.get(name) or next((f for p, f in PATTERNS.items() if p.fullmatch(name)), None)
    if found is None:
        kind = "an intrinsic" if symbol.startswith("llvm.") else "a function"
        importer.builder.error(f"calls '{symbol}', {kind} that is not supported in a kernel")
    operands, alignments = instruction.operands, instruction.detail.alignments
    row = None if symbol.startswith("llvm.") else ROWS.get(name)
    if row is not None and not row.arity[0] <= len(operands) <= row.arity[1]:
        importer.builder.error(f"calls '{symbol}' with {len(operands)} arguments, which '{name}' does not take")
    arguments = Call(importer, name, instruction.type, operands, alignments, letters, symbol)
    result = found(arguments)
    return (result,) if isinstance(result, SSAValue) else result


def _function(symbol: str) -> tuple[str, tuple[Type, ...]]:
    """Returns the name of a function and the types of its arguments, as far as the symbol tells them."""
    if (resolved := resolve(symbol)) is not None and resolved.builtin.name.startswith("__spirv_"):
        return resolved.builtin.name, resolved.arguments
    if (plain := demangle(symbol)) is not None:
        return plain
    start = re.match(r"_Z(\d{1,4})", symbol)
    return (symbol if start is None else symbol[start.end() :][: int(start[1])]), ()


def _intrinsic(symbol: str) -> tuple[str, Importer | None, tuple[Type, ...]]:
    """Returns an intrinsic's name without types, and the function that imports it."""
    parts = symbol.split(".")[1:]
    for count in range(len(parts), 0, -1):
        name = ".".join(parts[:count])
        if name in INTRINSICS:
            return name, INTRINSICS[name], ()
    return symbol, None, ()
