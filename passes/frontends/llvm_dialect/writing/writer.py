"""Writes a function as LLVM IR: names of values and blocks, instructions, and what LLVM IR has no instruction for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from passes.frontends.llvm_dialect.writing.constants import NoConstant
from passes.frontends.llvm_dialect.writing.places import Places
from passes.frontends.llvm_dialect.writing.types import GLOBAL, NoLLVMType, has_type, type_text
from xegpu.diagnostics import CompileError

Rule = Callable[["FunctionWriter", Operation], None]
RULES: dict[str, Rule] = {}
"""The rules that write operations, by the names of these; `writes` fills it."""
FAMILIES: dict[str, Rule] = {}
"""The rules for operations that have none of their own, by the beginning of their names."""
VALUES: dict[str, Callable[[Operation], str | SSAValue]] = {}
"""Operations that are no instructions: the constant that each is, or the value that it equals; filled by `is_value`."""


def writes(*names: str) -> Callable[[Rule], Rule]:
    """Registers the function that writes operations with some names."""

    def register(rule: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, rule))
        return rule

    return register


def writes_family(prefix: str) -> Callable[[Rule], Rule]:
    """Registers the function that writes operations whose names begin with some letters."""

    def register(rule: Rule) -> Rule:
        FAMILIES[prefix] = rule
        return rule

    return register


def is_value(*names: str) -> Callable[[Callable[[Operation], str | SSAValue]], Callable[[Operation], str | SSAValue]]:
    """Registers the function that gives the value of operations with some names."""

    def register(rule: Callable[[Operation], str | SSAValue]) -> Callable[[Operation], str | SSAValue]:
        VALUES.update(dict.fromkeys(names, rule))
        return rule

    return register


SHARED = "ptr addrspace(3)"
MOST_ALIGNED = 64
"""The bytes that memory of a work-group is aligned to, if nothing says to how many."""


@dataclass
class Foreign:
    """Operations without a form in LLVM IR: each becomes a call of a function that is declared for it.

    Memory that a kernel allocates for its work-group is a variable, among the same lines.
    """

    operations: dict[str, Operation] = field(default_factory=dict)
    declarations: list[str] = field(default_factory=list)

    def share(self, type: str, alignment: int) -> str:
        """Returns the variable in the memory of a work-group that an allocation is."""
        name = f'@"shared.{len(self.declarations)}"'
        self.declarations.append(f"{name} = internal addrspace(3) global {type} undef, align {alignment}")
        return name

    def declare(self, op: Operation, result: str, parameters: Sequence[str]) -> str:
        """Returns the name of the function that stands for an operation."""
        name = f"mlir.{len(self.operations)}"
        self.operations[name] = op
        effects = " memory(none)" if is_side_effect_free(op) else ""
        self.declarations.append(
            f'declare {result} @"{name}"({", ".join(parameters)}) convergent nounwind willreturn{effects}'
        )
        return f'@"{name}"'


Whole = int | str
"""A number, or the name of a value of 64 bits."""


@dataclass(frozen=True)
class Buffer:
    """A buffer in parts: a pointer with its type, the number of the first element, sizes and strides in elements."""

    pointer: str
    offset: Whole
    sizes: Sequence[Whole]
    strides: Sequence[Whole]


class FunctionWriter:
    """A function under construction; `lines` are its text so far."""

    def __init__(self, op: Operation, body: Region, places: Places, foreign: Foreign):
        self.op = op
        self.lines: list[str] = []
        self.allocations: list[str] = []
        """Memory of the function, which the entry block allocates, wherever the operations stand."""
        self.buffers: dict[SSAValue, Buffer] = {}
        """Holds what is known of buffers that are no arguments of the kernel."""
        self._places = places
        self._foreign = foreign
        self.scope = places.scope(op)
        """The node of debug information of the function; empty if it has no place."""
        self._names: dict[SSAValue, str] = {}
        self._labels = {block: f"b{number}" for number, block in enumerate(body.blocks)}
        self._edges: dict[Block, list[tuple[str, list[SSAValue]]]] = {block: [] for block in body.blocks}
        self._label = ""
        self._steps = 0
        self._body = body

    # Values.

    def value(self, value: SSAValue) -> str:
        """Returns a value without its type."""
        if value not in self._names:
            self._names[value] = self._found(value)
        return self._names[value]

    def _found(self, value: SSAValue) -> str:
        owner = value.owner
        if isinstance(owner, Operation) and (rule := VALUES.get(owner.name)) is not None:
            with self.about(owner):
                found = rule(owner)
            return found if isinstance(found, str) else self.value(found)
        return f"%v{len(self._names)}"

    def typed(self, value: SSAValue) -> str:
        """Returns a value behind its type."""
        return f"{self.type(value.type)} {self.value(value)}"

    def all_typed(self, values: Sequence[SSAValue]) -> str:
        """Returns a list of values."""
        return ", ".join(map(self.typed, values))

    def type(self, type: Attribute) -> str:
        """Returns the text of a type; a buffer is what its address is."""
        return type_text(type) if has_type(type) or not is_buffer(type) else f"ptr addrspace({GLOBAL})"

    # Instructions.

    def emit(self, op: Operation, text: str, *, result: SSAValue | None = None) -> None:
        """Appends an instruction, and binds its result."""
        before = "" if result is None else f"{self.value(result)} = "
        self.lines.append(f"  {before}{text}{self._places.node(op, self.scope)}")

    def step(self, op: Operation, text: str) -> str:
        """Appends an instruction whose result has no value of MLIR; returns the name of this result."""
        self._steps += 1
        name = f"%s{self._steps}"
        self.lines.append(f"  {name} = {text}{self._places.node(op, self.scope)}")
        return name

    def allocate(self, op: Operation, text: str, result: SSAValue) -> None:
        """Adds memory of the function."""
        self.allocations.append(f"  {self.value(result)} = {text}{self._places.node(op, self.scope)}")

    def share(self, type: str, alignment: int) -> str:
        """Returns new memory of the work-group."""
        return self._foreign.share(type, alignment)

    def refuse(self, op: Operation, reason: str) -> NoReturn:
        """Raises `CompileError` at an operation."""
        raise CompileError(op, reason)

    def about(self, op: Operation) -> _Failing:
        """Types and constants that LLVM IR lacks are errors of an operation, in this context."""
        return _Failing(op)

    # Blocks.

    def label(self, block: Block) -> str:
        """Returns the name of a block."""
        return self._labels[block]

    def edge(self, op: Operation, block: Block, values: Sequence[SSAValue]) -> str:
        """Returns the label for a branch to a block, to which it passes values: that of a block in between, if any."""
        if not values:
            self._edges[block].append((self._label, []))
            return self._labels[block]
        label = f"e{sum(map(len, self._edges.values()))}"
        self._edges[block].append((label, list(values)))
        self._between.append((label, self._labels[block], op))
        return label

    def write(self) -> list[str]:
        """Returns the lines of the body."""
        self._between: list[tuple[str, str, Operation]] = []
        texts: dict[Block, list[str]] = {}
        for block in self._body.blocks:
            self.lines, self._label = [], self._labels[block]
            for op in block.ops:
                self._operation(op)
            texts[block] = self.lines
        lines: list[str] = []
        for block, text in texts.items():
            lines += [f"{self._labels[block]}:", *self._phis(block), *([] if lines else self.allocations), *text]
        for label, target, op in self._between:
            lines += [f"{label}:", f"  br label %{target}{self._places.node(op, self.scope)}"]
        return lines

    def _phis(self, block: Block) -> list[str]:
        if block is self._body.blocks[0]:
            return []
        phis = []
        for position, argument in enumerate(block.args):
            pairs = (f"[ {self.value(values[position])}, %{label} ]" for label, values in self._edges[block])
            if self._edges[block]:
                phis.append(f"  {self.value(argument)} = phi {self.type(argument.type)} {', '.join(pairs)}")
        return phis

    def _operation(self, op: Operation) -> None:
        if op.name in VALUES:
            return
        with self.about(op):
            (RULES.get(op.name) or _family(op))(self, op)

    def call_foreign(self, op: Operation) -> None:
        """Writes an operation as a call of a function that stands for it."""
        if op.regions or op.successors:
            self.refuse(op, "has no form in LLVM IR, through which functions of the llvm dialect are compiled")
        for operand in op.operands:
            if not has_type(operand.type) and not _is_argument(operand, self._body):
                self.refuse(op, f"takes a value of type {operand.type}, for which LLVM IR has no type")
        results = [type_text(result.type) for result in op.results]
        result = "void" if not results else results[0] if len(results) == 1 else f"{{ {', '.join(results)} }}"
        name = self._foreign.declare(op, result, [self.type(operand.type) for operand in op.operands])
        call = f"call {result} {name}({self.all_typed(op.operands)})"
        if len(results) > 1:
            together = self.step(op, call)
            for number, each in enumerate(op.results):
                self.emit(op, f"extractvalue {result} {together}, {number}", result=each)
        else:
            self.emit(op, call, result=op.results[0] if results else None)


def _foreign(writer: FunctionWriter, op: Operation) -> None:
    writer.call_foreign(op)


def _family(op: Operation) -> Rule:
    """Returns the rule of operations whose names begin alike."""
    return next((rule for prefix, rule in FAMILIES.items() if op.name.startswith(prefix)), _foreign)


def is_buffer(type: Attribute) -> bool:
    """Returns whether a type is that of a buffer, with or without a rank."""
    return type.name in ("memref", "unranked_memref")


def _is_argument(value: SSAValue, body: Region) -> bool:
    return isinstance(value, BlockArgument) and value.owner is body.blocks[0] and is_buffer(value.type)


class _Failing:
    """Turns what LLVM IR lacks into errors of an operation."""

    def __init__(self, op: Operation):
        self._op = op

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, NoLLVMType):
            raise CompileError(self._op, f"has a value of type {error}, for which LLVM IR has no type") from error
        if isinstance(error, NoConstant):
            raise CompileError(self._op, f"is {error}, which LLVM IR does not have") from error
