"""Reads instructions of LLVM IR; one parser for each kind of grammar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType, LLVMVoidType
from xdsl.ir import Attribute

from passes.frontends.llvm.reader.tokens import Statement
from passes.frontends.llvm.reader.types import TypeReader
from passes.frontends.llvm.reader.values import (
    EXPRESSIONS,
    Constant,
    Value,
    part_of,
    read_typed,
    read_value,
)

VOID = LLVMVoidType()
_I1 = IntegerType(1)


@dataclass(frozen=True)
class Predicate:
    """Names the predicates of comparisons."""

    name: str


@dataclass(frozen=True)
class Access:
    """Tells how memory is accessed: alignment in bytes, the ordering of an atomic access, the kind of an update."""

    alignment: int
    ordering: str | None = None
    volatile: bool = False
    update: str | None = None


@dataclass(frozen=True)
class Source:
    """The type that a `getelementptr` counts in, or that an `alloca` allocates (with its alignment)."""

    type: Attribute
    alignment: int = 0


@dataclass(frozen=True)
class Labels:
    """The blocks that an instruction names; for each case of a `switch` but the first block, which is the default."""

    names: tuple[str, ...]
    cases: tuple[int, ...] = ()


@dataclass(frozen=True)
class Callee:
    """The function that a call names, and the alignments that the call states for its arguments (0: none)."""

    name: str
    alignments: tuple[int, ...] = ()


@dataclass(frozen=True)
class Indices:
    """A path into an aggregate, or the elements that a shuffle chooses (-1: any)."""

    numbers: tuple[int, ...]


Detail = Predicate | Access | Source | Labels | Callee | Indices


@dataclass(frozen=True)
class Instruction:
    """One instruction; `type` is that of its result, `detail` what its kind needs beside operands."""

    statement: Statement
    result: str | None
    opcode: str
    type: Attribute
    operands: tuple[Value, ...]
    detail: Detail | None = None
    flags: tuple[str, ...] = ()


_Parts = tuple[Attribute, tuple[Value, ...], Detail | None]
_Parser = Callable[[Statement, TypeReader], _Parts]

_FAST = frozenset({"fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"})
_FLAGS = _FAST | {"nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw"}
_ORDERINGS = frozenset({"unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"})
_CONSTANT_WORDS = EXPRESSIONS | {"true", "false", "null", "none", "undef", "poison", "zeroinitializer", "splat"}
_TAIL = frozenset({"tail", "musttail", "notail"})


def read_instruction(statement: Statement, types: TypeReader) -> Instruction:
    """Takes an instruction."""
    result = None
    if statement.peek(1) == "=":
        result = statement.take()
        statement.take()
    opcode = statement.take()
    if opcode in _TAIL:
        opcode = statement.take()
    parser = _PARSERS.get(opcode)
    if parser is None:
        statement.error(f"is the instruction '{opcode}', which is not supported in a kernel")
    flags = statement.accept_any(_FLAGS)
    type, operands, detail = parser(statement, types)
    return Instruction(statement, result, opcode, type, operands, detail, tuple(flags))


def _pair(statement: Statement, types: TypeReader) -> tuple[Value, Value]:
    """Takes a type and two values of it."""
    first = read_typed(statement, types)
    statement.expect(",")
    return first, read_value(statement, types, first.type)


def _list(statement: Statement, types: TypeReader, count: int) -> tuple[Value, ...]:
    """Takes values, each with its type."""
    values = [read_typed(statement, types)]
    for _ in range(count - 1):
        statement.expect(",")
        values.append(read_typed(statement, types))
    return tuple(values)


def _binary(statement: Statement, types: TypeReader) -> _Parts:
    a, b = _pair(statement, types)
    return a.type, (a, b), None


def _unary(statement: Statement, types: TypeReader) -> _Parts:
    value = read_typed(statement, types)
    return value.type, (value,), None


def _compare(statement: Statement, types: TypeReader) -> _Parts:
    predicate = Predicate(statement.take())
    a, b = _pair(statement, types)
    count = a.type.element_count() if isinstance(a.type, VectorType) else None
    return _I1 if count is None else VectorType(_I1, [count]), (a, b), predicate


def _cast(statement: Statement, types: TypeReader) -> _Parts:
    value = read_typed(statement, types)
    statement.expect("to")
    return types.read(statement), (value,), None


def _select(statement: Statement, types: TypeReader) -> _Parts:
    condition, a, b = _list(statement, types, 3)
    return a.type, (condition, a, b), None


def _element_pointer(statement: Statement, types: TypeReader) -> _Parts:
    if statement.accept("inrange"):
        statement.skip_group()
    source = types.read(statement)
    operands: list[Value] = []
    while statement.peek() == "," and statement.peek(1)[:1] != "!":
        statement.take()
        operands.append(read_typed(statement, types))
    if not operands:
        statement.error("has no pointer")
    return operands[0].type, tuple(operands), Source(source)


def _access(statement: Statement, *, volatile: bool, update: str | None = None) -> Access:
    """Takes scope, orderings and alignment."""
    if statement.accept("syncscope"):
        statement.skip_group()
    orderings = statement.accept_any(_ORDERINGS)
    alignment = 0
    if statement.peek() == "," and statement.peek(1) == "align":
        statement.take()
        statement.take()
        alignment = statement.integer()
    return Access(alignment, orderings[0] if orderings else None, volatile, update)


def _memory_flags(statement: Statement) -> bool:
    return "volatile" in statement.accept_any(frozenset({"atomic", "volatile", "weak"}))


def _load(statement: Statement, types: TypeReader) -> _Parts:
    volatile = _memory_flags(statement)
    type = types.read(statement)
    statement.expect(",")
    pointer = read_typed(statement, types)
    return type, (pointer,), _access(statement, volatile=volatile)


def _store(statement: Statement, types: TypeReader) -> _Parts:
    volatile = _memory_flags(statement)
    operands = _list(statement, types, 2)
    return VOID, operands, _access(statement, volatile=volatile)


def _update(statement: Statement, types: TypeReader) -> _Parts:
    volatile = _memory_flags(statement)
    kind = statement.take()
    pointer, value = _list(statement, types, 2)
    return value.type, (pointer, value), _access(statement, volatile=volatile, update=kind)


def _exchange(statement: Statement, types: TypeReader) -> _Parts:
    volatile = _memory_flags(statement)
    operands = _list(statement, types, 3)
    result = LLVMStructType.from_type_list([operands[1].type, _I1])
    return result, operands, _access(statement, volatile=volatile)


def _fence(statement: Statement, types: TypeReader) -> _Parts:
    return VOID, (), _access(statement, volatile=False)


def _alloca(statement: Statement, types: TypeReader) -> _Parts:
    type, count, alignment, pointer = types.read(statement), 1, 0, LLVMPointerType()
    while statement.peek() == "," and statement.peek(1)[:1] != "!":
        statement.take()
        if statement.accept("align"):
            alignment = statement.integer()
        elif statement.peek() == "addrspace":
            statement.error("allocates outside of private memory, which is not supported")
        else:
            number = read_typed(statement, types)
            if not isinstance(number, Constant) or not isinstance(number.value, int):
                statement.error("allocates memory of a size that is computed at run time, which is not supported")
            count = number.value
    return pointer, (Constant(IntegerType(32), count),), Source(type, alignment)


def _branch(statement: Statement, types: TypeReader) -> _Parts:
    if statement.peek() == "label":
        return VOID, (), Labels((_label(statement),))
    condition = read_typed(statement, types)
    statement.expect(",")
    then = _label(statement)
    statement.expect(",")
    return VOID, (condition,), Labels((then, _label(statement)))


def _label(statement: Statement) -> str:
    statement.expect("label")
    return statement.take()


def _switch(statement: Statement, types: TypeReader) -> _Parts:
    value = read_typed(statement, types)
    statement.expect(",")
    labels, cases = [_label(statement)], []
    statement.expect("[")
    while not statement.accept("]"):
        case = read_typed(statement, types)
        if not isinstance(case, Constant) or not isinstance(case.value, int):
            statement.error("has a case that is no number")
        statement.expect(",")
        cases.append(case.value)
        labels.append(_label(statement))
    return VOID, (value,), Labels(tuple(labels), tuple(cases))


def _return(statement: Statement, types: TypeReader) -> _Parts:
    if statement.accept("void"):
        return VOID, (), None
    return VOID, (read_typed(statement, types),), None


def _nothing(statement: Statement, types: TypeReader) -> _Parts:
    return VOID, (), None


def _phi(statement: Statement, types: TypeReader) -> _Parts:
    type = types.read(statement)
    values: list[Value] = []
    labels: list[str] = []
    while True:
        statement.expect("[")
        values.append(read_value(statement, types, type))
        statement.expect(",")
        labels.append(statement.take())
        statement.expect("]")
        if statement.peek() != "," or statement.peek(1) != "[":
            return type, tuple(values), Labels(tuple(labels))
        statement.take()


def _call(statement: Statement, types: TypeReader) -> _Parts:
    while not types.starts(statement):
        skip_attribute(statement)
    type = types.read(statement)
    if statement.peek() == "(":
        statement.skip_group()
    callee = statement.take()
    if callee[:1] != "@":
        what = "inline assembly" if callee == "asm" else "a function that only the running kernel knows"
        statement.error(f"calls {what}, which is not supported in a kernel")
    arguments = statement.items("(", lambda: _argument(statement, types))
    alignments = tuple(alignment for _, alignment in arguments)
    return type, tuple(value for value, _ in arguments), Callee(unquoted(callee), alignments)


def _argument(statement: Statement, types: TypeReader) -> tuple[Value, int]:
    """Takes an argument of a call, with its attributes; returns it and its alignment."""
    if statement.accept("metadata"):
        while statement.peek() not in (",", ")"):
            if statement.peek() == "(":
                statement.skip_group()
            else:
                statement.take()
        return Constant(VOID, None), 0
    type, alignment = types.read(statement), 0
    while (token := statement.peek())[:1].isalpha() and token not in _CONSTANT_WORDS and not token.startswith('c"'):
        alignment = skip_attribute(statement) or alignment
    return read_value(statement, types, type), alignment


def skip_attribute(statement: Statement) -> int:
    """Takes one attribute of a parameter or argument; returns the alignment that it states, if any."""
    if statement.take() == "align":
        return statement.integer()
    if statement.peek() == "(":
        statement.skip_group()
    return 0


def unquoted(name: str) -> str:
    """Returns a name without its sigil and quotes."""
    return name[2:-1] if name[1:2] == '"' else name[1:]


def _extract(statement: Statement, types: TypeReader) -> _Parts:
    operands = _list(statement, types, 2)
    return _element_type(statement, operands[0].type), operands, None


def _insert(statement: Statement, types: TypeReader) -> _Parts:
    operands = _list(statement, types, 3)
    return operands[0].type, operands, None


def _element_type(statement: Statement, type: Attribute) -> Attribute:
    if not isinstance(type, VectorType):
        statement.error(f"takes an element of type {type}: expected a vector")
    element: Attribute = type.get_element_type()
    return element


def _shuffle(statement: Statement, types: TypeReader) -> _Parts:
    a, b, mask = _list(statement, types, 3)
    if not isinstance(mask.type, VectorType):
        statement.error("has no mask")
    count = mask.type.element_count()
    numbers = [0] * count
    if isinstance(mask, Constant) and isinstance(mask.value, tuple):
        numbers = [e.value if isinstance(e, Constant) and isinstance(e.value, int) else -1 for e in mask.value]
        numbers = [int(number) for number in numbers]
    return VectorType(_element_type(statement, a.type), [count]), (a, b), Indices(tuple(numbers))


def _path(statement: Statement, type: Attribute) -> tuple[tuple[int, ...], Attribute]:
    """Takes a path into an aggregate; returns it and the type of the part at its end."""
    path = []
    while statement.peek() == "," and statement.peek(1).isdigit():
        statement.take()
        index = statement.integer()
        part = part_of(type, index)
        if part is None:
            statement.error(f"names part {index} of type {type}, which has none")
        type = part
        path.append(index)
    return tuple(path), type


def _extract_value(statement: Statement, types: TypeReader) -> _Parts:
    aggregate = read_typed(statement, types)
    path, type = _path(statement, aggregate.type)
    return type, (aggregate,), Indices(path)


def _insert_value(statement: Statement, types: TypeReader) -> _Parts:
    aggregate, value = _list(statement, types, 2)
    path, _ = _path(statement, aggregate.type)
    return aggregate.type, (aggregate, value), Indices(path)


_PARSERS: dict[str, _Parser] = {
    **dict.fromkeys(("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "and", "or", "xor"), _binary),
    **dict.fromkeys(("shl", "lshr", "ashr", "fadd", "fsub", "fmul", "fdiv", "frem"), _binary),
    **dict.fromkeys(("fneg", "freeze"), _unary),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    **dict.fromkeys(("trunc", "zext", "sext", "fptrunc", "fpext", "fptosi", "fptoui", "sitofp", "uitofp"), _cast),
    **dict.fromkeys(("bitcast", "ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast"), _cast),
    "alloca": _alloca,
    "atomicrmw": _update,
    "br": _branch,
    "call": _call,
    "cmpxchg": _exchange,
    "extractelement": _extract,
    "extractvalue": _extract_value,
    "fence": _fence,
    "getelementptr": _element_pointer,
    "insertelement": _insert,
    "insertvalue": _insert_value,
    "load": _load,
    "phi": _phi,
    "ret": _return,
    "select": _select,
    "shufflevector": _shuffle,
    "store": _store,
    "switch": _switch,
    "unreachable": _nothing,
}
OPCODES = frozenset(_PARSERS)
"""The instructions that can be read."""
