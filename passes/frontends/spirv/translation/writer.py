"""Writers shared by the translations of instructions: of a module's declarations, and of a function's lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from passes.frontends import builtins
from passes.frontends.builtins import Effect
from passes.frontends.spirv.constants import Constant
from passes.frontends.spirv.declarations import Declarations
from passes.frontends.spirv.module import Function, Module
from passes.frontends.spirv.names import quoted
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.debug import DebugInformation
from passes.frontends.spirv.types import (
    VOID,
    AnyType,
    Bool,
    Float,
    Int,
    PointerType,
    Type,
    VectorType,
    mangled,
    result_name,
)
from passes.frontends.spirv.validation import library_functions

MOST_TEXT = 1 << 28
"""The longest text of a module."""


@dataclass(frozen=True)
class Value:
    """An operand: its type, its text, and its value if it is a constant."""

    type: AnyType
    text: str
    constant: Constant | None = None

    @property
    def typed(self) -> str:
        """Returns the type and the text."""
        return f"{self.type.llvm} {self.text}"

    @property
    def number(self) -> int | None:
        """Returns the number without a sign that the operand is known to be."""
        return self.constant.value if self.constant else None


Prototype = tuple[str, tuple[str, ...]]
"""The types of the result and of the parameters of a function."""


@dataclass
class ModuleWriter:
    """The module that is being written."""

    declarations: Declarations
    debug: DebugInformation
    prototypes: dict[str, tuple[Prototype, str]] = field(default_factory=dict)
    """Prototype and attributes of the functions that are declared, by symbol."""
    imports: dict[str, None] = field(default_factory=dict)
    """The functions that are called and that other modules define, by name."""
    formats: list[bytes] = field(default_factory=list)
    """The formats of printf, in the order of the calls."""
    exports: dict[str, Function] = field(default_factory=dict)
    """The functions that the module itself exports."""
    helpers: dict[str, str] = field(default_factory=dict)
    """The definitions of functions that instructions become, by name."""

    length: int = 0

    @property
    def module(self) -> Module:
        return self.declarations.module

    def declare(
        self,
        instruction: Instruction,
        symbol: str,
        result: str,
        parameters: list[str],
        attributes: str = "",
    ) -> str:
        """Declares a function. Returns its name in LLVM IR.

        Raises:
            SpirvError: It was declared with other types.
        """
        prototype = (result, tuple(parameters))
        known = self.prototypes.setdefault(symbol, (prototype, attributes))
        if known[0] != prototype:
            here, there = (f"{each[0]} ({', '.join(each[1])})" for each in (prototype, known[0]))
            raise instruction.error(f"{symbol} has the type {here} here and {there} elsewhere")
        return quoted(symbol)

    def symbol(self, function: Function) -> str:
        """Returns the name of a function that others call; the modules of a program share those of exported ones."""
        linkage = self.module.linkage(function.number)
        is_library = linkage is not None and library_functions(self.module).get(linkage.name) is function
        return quoted(linkage.name) if linkage is not None and is_library else f"@.f{function.number}"

    def import_function(self, instruction: Instruction, symbol: str, result: str, parameters: list[str]) -> str:
        """Declares a function of another module, or a builtin that the producer left as one. Returns its name.

        Raises:
            SpirvError: It was declared with other types, or its name cannot be one.
        """
        if not symbol or "\0" in symbol:
            raise instruction.error(f"{symbol!r} cannot be the name of a function")
        found = builtins.resolve(symbol)
        if found is None:
            self.imports[symbol] = None
        effect = found.builtin.effect.value if found else Effect.CONVERGENT_MEMORY.value
        return self.declare(instruction, symbol, result, parameters, effect)


class FunctionWriter:
    """The function that is being written."""

    def __init__(self, module: ModuleWriter, function: Function, scope: str | None) -> None:
        self.module = module
        self.declarations = module.declarations
        self.function = function
        self.lines: list[str] = []
        self.sources: list[Instruction] = []
        self.entry: list[str] = []
        """The lines before the first block: variables, and constants that have no text."""
        self.block = function.blocks[0]
        self.predecessors: dict[int, list[int]] = {}
        self.hints: dict[int, str] = {}
        """The attachments of the branches at the ends of blocks."""
        self._scope = scope
        self._location = ""
        self._source = function.head
        self._temporaries = 0
        self._definitions = {each.result: each for each in function.parameters}
        self._definitions |= {each.result: each for each in function.instructions() if each.result and each.type}
        self._present: set[int] = set()

    @property
    def scope_attachment(self) -> str:
        """Returns the attachment of the function's subprogram."""
        return f" !dbg {self._scope}" if self._scope else ""

    # Operands.

    def type(self, instruction: Instruction) -> AnyType:
        """Returns the type of an instruction's result."""
        return self.declarations.type(instruction, instruction.type)

    def data(self, instruction: Instruction) -> Type:
        """Returns the type of an instruction's result, which is neither void nor a pointer."""
        return self.declarations.data(instruction, instruction.type)

    def value(self, instruction: Instruction, number: int) -> Value:
        """Returns an operand by its id.

        Raises:
            SpirvError: The id has no value in this function.
        """
        constant = self.declarations.constants.get(number)
        if constant is not None:
            if constant.deferred is not None and number not in self._present:
                self._materialise(number, constant.deferred)
            return Value(constant.type, f"%v{number}" if constant.deferred else constant.text, constant)
        definition = self._definitions.get(number)
        if definition is None:
            raise instruction.error(f"%{number} has no value in this function")
        return Value(self.declarations.type(instruction, definition.type), f"%v{number}")

    def definition(self, number: int) -> Instruction | None:
        """Returns the instruction of this function that defines an id, if there is one."""
        return self._definitions.get(number)

    def operand(self, instruction: Instruction, index: int) -> Value:
        """Returns an operand by its place."""
        return self.value(instruction, instruction.number(index))

    def same(self, instruction: Instruction, index: int, kind: AnyType) -> str:
        """Returns the text of an operand that must have a type."""
        found = self.operand(instruction, index)
        if found.type.llvm != kind.llvm:
            number = instruction.number(index)
            raise instruction.error(f"operand %{number} has the type {found.type.llvm}, not {kind.llvm}")
        return found.text

    def pointer(self, instruction: Instruction, index: int) -> tuple[PointerType, str]:
        """Returns the type and text of an operand that must be a pointer."""
        found = self.operand(instruction, index)
        if not isinstance(found.type, PointerType):
            raise instruction.error(
                f"operand %{instruction.number(index)} has the type {found.type.llvm}, not a pointer"
            )
        return found.type, found.text

    def decorated(self, instruction: Instruction, name: str) -> tuple[int | str, ...] | None:
        """Returns the operands of a decoration of the result."""
        return self.module.module.decoration(instruction.result, name)

    def exported(self, function: Function) -> Function | None:
        """Returns the function that the module exports under the name of an import."""
        linkage = self.module.module.linkage(function.number)
        return self.module.exports.get(linkage.name) if linkage else None

    # Lines.

    def start(self, instruction: Instruction) -> None:
        """Says which instruction the next lines translate."""
        self._source = instruction
        self._location = self.module.debug.location(self._scope, instruction) if self._scope else ""

    def emit(self, line: str) -> None:
        """Adds a line."""
        self.module.length += len(line)
        if self.module.length > MOST_TEXT:
            raise self._source.error("the module becomes too large in LLVM IR")
        self.lines.append(f"  {line}{self._location}")
        self.sources.append(self._source)

    def label(self, name: str) -> None:
        """Starts a block."""
        self.lines.append(f"{name}:")
        self.sources.append(self._source)

    def temporary(self, text: str) -> str:
        """Adds a computation. Returns its name."""
        self._temporaries += 1
        name = f"%x{self._temporaries}"
        self.emit(f"{name} = {text}")
        return name

    def define(self, instruction: Instruction, text: str) -> None:
        """Adds the computation of an instruction's result."""
        self.emit(f"%v{instruction.result} = {text}")

    def intrinsic(self, name: str, kind: AnyType, arguments: list[Value], result: str | None = None) -> str:
        """Returns the call of an intrinsic of LLVM that is overloaded on one type."""
        return self.call_text(f"llvm.{name}.{overload(kind)}", result or kind.llvm, arguments)

    def call_text(self, symbol: str, result: str, arguments: list[Value]) -> str:
        """Declares an intrinsic of LLVM and returns the text of a call."""
        name = self.module.declare(self._source, symbol, result, [each.type.llvm for each in arguments])
        return f"call {result} {name}({', '.join(each.typed for each in arguments)})"

    def builtin(
        self,
        name: str,
        result: AnyType,
        arguments: list[Value],
        *,
        unsigned: tuple[bool, ...] = (),
        typed_result: bool = False,
    ) -> str:
        """Declares a builtin and returns the text of a call.

        Args:
            name: The builtin, a row of the table once counts and results are left out.
            result: The type of its result.
            arguments: Its arguments.
            unsigned: Says which arguments have the letters of unsigned integers; the last one counts for all others.
            typed_result: Adds the type of the result to the name.
        """
        signs = [unsigned[min(place, len(unsigned) - 1)] if unsigned else False for place in range(len(arguments))]
        types = tuple(mangled(each.type, sign) for each, sign in zip(arguments, signs, strict=True))
        symbol = builtins.mangle(f"{name}_R{result_name(result)}" if typed_result else name, types)
        found = builtins.resolve(symbol)
        effect = found.builtin.effect if found else Effect.CONVERGENT_MEMORY
        parameters = [each.type.llvm for each in arguments]
        declared = self.module.declare(self._source, symbol, result.llvm, parameters, effect.value)
        return f"call {SPIR_FUNC}{result.llvm} {declared}({', '.join(each.typed for each in arguments)})"

    def finish_call(self, instruction: Instruction, text: str) -> None:
        """Adds a call, whose result is the instruction's if it has one."""
        if instruction.result and self.type(instruction) is not VOID:
            self.define(instruction, text)
        else:
            self.emit(text)

    def in_entry(self, write: Callable[[], None]) -> None:
        """Lets `write` add lines before the first block."""
        lines, sources, source, location = self.lines, self.sources, self._source, self._location
        self.lines, self.sources = [], []
        write()
        self.entry.extend(self.lines)
        self.lines, self.sources, self._source, self._location = lines, sources, source, location

    def _materialise(self, number: int, instruction: Instruction) -> None:
        self._present.add(number)
        self.in_entry(lambda: HANDLERS[instruction.name](self, instruction))


Handler = Callable[[FunctionWriter, Instruction], None]

HANDLERS: dict[str, Handler] = {}
"""The translations of instructions by name. The modules of this package fill it."""

SPIR_FUNC = "spir_func "


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Enters a function as the translation of instructions."""

    def enter(function: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, function))
        return function

    return enter


def overload(kind: AnyType) -> str:
    """Returns a type as it stands in the names of LLVM's intrinsics."""
    match kind:
        case VectorType():
            return f"v{kind.components}{overload(kind.element)}"
        case Float():
            return f"f{kind.width}"
        case PointerType():
            return f"p{kind.space}"
        case Bool() | Int():
            return kind.llvm
        case _:
            return "x"


def with_count(kind: Type, scalar: Type) -> str:
    """Returns the LLVM type with the components of `kind` and the scalars of `scalar`."""
    return f"<{kind.count} x {scalar.llvm}>" if isinstance(kind, VectorType) else scalar.llvm
