"""Imports calls: intrinsics of LLVM, and builtin functions of kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue

from passes.frontends.builtins import Type, resolve
from passes.frontends.llvm.importer.builder import Builder
from passes.frontends.llvm.importer.function import FunctionImporter, Parts, imports
from passes.frontends.llvm.reader import Callee, Instruction, Value


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

    """

    importer: FunctionImporter
    name: str
    type: Attribute
    operands: tuple[Value, ...]
    alignments: tuple[int, ...]
    letters: tuple[Type, ...] = ()

    @property
    def builder(self) -> Builder:
        """What operations are appended to."""
        return self.importer.builder

    def value(self, index: int) -> SSAValue:
        """Returns an argument."""
        return self.importer.value(self.operands[index])

    @property
    def values(self) -> list[SSAValue]:
        """All arguments."""
        return [self.importer.value(operand) for operand in self.operands]

    def number(self, index: int) -> int:
        """Returns an argument that must be known when the kernel is compiled."""
        found = self.importer.constant_value(self.operands[index])
        if found is None:
            self.builder.error(
                f"calls '{self.name}' with argument {index + 1} computed at run time: it must be constant"
            )
        return found


Importer = Callable[[Call], "SSAValue | Parts | None"]
INTRINSICS: dict[str, Importer] = {}
"""What imports calls of LLVM's intrinsics, by their names without types; filled by `intrinsic`."""
BUILTINS: dict[str, Importer] = {}
"""What imports calls of builtin functions, by their names in the table of builtins; filled by `builtin`."""


def intrinsic(*names: str) -> Callable[[Importer], Importer]:
    """Registers the importer of intrinsics; names come without `llvm.`."""
    return _register(INTRINSICS, names)


def builtin(*names: str) -> Callable[[Importer], Importer]:
    """Registers the importer of builtin functions."""
    return _register(BUILTINS, names)


def _register(table: dict[str, Importer], names: tuple[str, ...]) -> Callable[[Importer], Importer]:
    def register(importer: Importer) -> Importer:
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
        resolved = resolve(symbol)
        name = symbol if resolved is None else resolved.builtin.name
        found = BUILTINS.get(name)
        letters = () if resolved is None else resolved.arguments
    if found is None:
        kind = "an intrinsic" if symbol.startswith("llvm.") else "a function"
        importer.builder.error(f"calls '{symbol}', {kind} that is not supported in a kernel")
    arguments = Call(importer, name, instruction.type, instruction.operands, instruction.detail.alignments, letters)
    result = found(arguments)
    return (result,) if isinstance(result, SSAValue) else result


def _intrinsic(symbol: str) -> tuple[str, Importer | None, tuple[Type, ...]]:
    """Returns an intrinsic's name without types, and what imports it."""
    parts = symbol.split(".")[1:]
    for count in range(len(parts), 0, -1):
        name = ".".join(parts[:count])
        if name in INTRINSICS:
            return name, INTRINSICS[name], ()
    return symbol, None, ()
