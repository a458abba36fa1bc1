"""Reads one instruction in the notation that `xegpu.isa.text.disassembler` writes.

Left out may be: subregister 0 (`r10` is `r10.0`), regions (`<1>` and `<1;1,0>`, or `<0;1,0>` for one channel), the
register counts of messages, and `(1|M0)` of instructions without operands. `<S>` on a source is short for `<S;1,0>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from xegpu.isa.model.instruction import (
    Combination,
    ConditionModifier,
    Instruction,
    Predicate,
)
from xegpu.isa.model.operands import (
    Destination,
    Flag,
    Immediate,
    Register,
    SourceRegister,
)
from xegpu.isa.model.table import (
    BY_MNEMONIC,
    Condition,
    Extra,
    InstructionFormat,
    OpSpec,
)
from xegpu.isa.model.types import DataType
from xegpu.isa.text.disassembler import DEPTH
from xegpu.isa.text.message_parser import parse_fence, parse_image, parse_message
from xegpu.isa.text.operand_parser import (
    NAME,
    OperandContext,
    destination_stride,
    element_register,
    no_region,
    parse_source,
    parse_type,
    typed_register,
)
from xegpu.isa.text.scanner import Scanner

_MNEMONIC = re.compile(r"[A-Za-z_]\w*((?:\.\w+)*)")
_FLAG = re.compile(r"f(\d)\.(\d)\b")
_CONDITION_FLAG = re.compile(_FLAG.pattern + r"(?!\s*[<:])")
"""A flag that is no destination: that has a region or a type behind it."""

_COMBINATION = re.compile(r"\.({})\b".format("|".join(c.text for c in Combination if c.text)))
_CHANNELS = re.compile(r"\(\s*(\d+)\s*\|\s*M(\d+)\s*\)")
_CONDITION = re.compile(r"\(\s*({})\s*\)".format("|".join(c.text for c in Condition)))
_SATURATE = re.compile(r"\(\s*sat\s*\)")
_DISTANCE = re.compile(r"[+-]\d+")
_TABLE = re.compile(r"0[xX][0-9a-fA-F]+")

_COMBINATIONS = {c.text: c for c in Combination}
_CONDITIONS = {c.text: c for c in Condition}


@dataclass(frozen=True)
class Statement:
    """An instruction as written; `labels` are the names of places in it, by field, and their columns.

    The fields are those of distances, and `offset`: the constant of the instruction.
    """

    instruction: Instruction
    line: int
    column: int
    labels: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True)
class Head:
    """What instructions begin with: mask, predicate, and the parts of the name, which starts at column `start`."""

    no_mask: bool
    predicate: Predicate | None
    parts: tuple[str, ...]
    column: int
    start: int


def parse_head(scanner: Scanner) -> Head:
    """`(W&f0.0) load.ugm.d32.a64`; raises `AssemblyError`."""
    column = scanner.column
    no_mask, predicate = _control(scanner)
    start = scanner.column
    match = scanner.expect_match(_MNEMONIC, "an instruction")
    return Head(no_mask, predicate, tuple(match.group().split(".")), column, start)


def parse_instruction(scanner: Scanner, context: OperandContext, head: Head) -> Statement:
    """The instruction whose rest takes up the rest of the line; raises `AssemblyError`."""
    named = 2 if ".".join(head.parts[:2]) in BY_MNEMONIC else 1
    mnemonic, qualifiers = ".".join(head.parts[:named]), list(head.parts[named:])
    spec = BY_MNEMONIC.get(mnemonic)
    if spec is None:
        scanner.fail(f"unknown instruction '{mnemonic}'", head.start)
    optional = spec.format in (InstructionFormat.PLAIN, InstructionFormat.BARRIER) and not scanner.at("(")
    size, offset = (1, 0) if optional else parse_channels(scanner)
    instruction = Instruction(spec, size, offset, head.no_mask, head.predicate)
    statement = Statement(instruction, scanner.line, head.column)
    statement = _FORMATS[spec.format](scanner, context, statement, qualifiers, head.start)
    scanner.expect_end()
    return statement


# Parts that all instructions share -----------------------------------------------------------------------------------


def _control(scanner: Scanner) -> tuple[bool, Predicate | None]:
    """`(W)`, `(f0.1)`, `(~f0.1)`, `(W&f0.1.any)`, ..."""
    if not scanner.accept("("):
        return False, None
    no_mask = scanner.accept("W")
    predicate = None
    if not no_mask or scanner.accept("&"):
        inverted = scanner.accept("~")
        flag = _flag(scanner)
        combination = scanner.match(_COMBINATION)
        predicate = Predicate(flag, inverted, _COMBINATIONS[combination[1] if combination else ""])
    scanner.expect(")")
    return no_mask, predicate


def _flag(scanner: Scanner) -> Flag:
    column = scanner.column
    number, half = map(int, scanner.expect_match(_FLAG, "a flag such as f0.0").groups())
    if number > 3 or half > 1:
        scanner.fail(f"no flag f{number}.{half}: flags are f0.0, f0.1 to f3.1", column)
    return Flag(number, half)


def parse_channels(scanner: Scanner) -> tuple[int, int]:
    """`(16|M0)`: execution size and channel offset."""
    match = scanner.expect_match(_CHANNELS, "execution size and channel offset such as (16|M0)")
    return int(match[1]), int(match[2])


def _no_qualifiers(scanner: Scanner, spec: OpSpec, qualifiers: list[str], column: int) -> None:
    if qualifiers:
        scanner.fail(f"{spec.mnemonic} takes no '.{'.'.join(qualifiers)}'", column)


# Operands ------------------------------------------------------------------------------------------------------------


# Formats -------------------------------------------------------------------------------------------------------------


def _alu(
    scanner: Scanner, context: OperandContext, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    instruction = statement.instruction
    table = 0
    if instruction.spec.extra is Extra.TABLE:
        table = _table(scanner, instruction.spec, qualifiers, column)
    else:
        _no_qualifiers(scanner, instruction.spec, qualifiers, column)
    condition = None
    match = scanner.match(_CONDITION)
    if match is not None:
        flag = _flag(scanner) if _CONDITION_FLAG.match(scanner.text, scanner.position) else None
        condition = ConditionModifier(_CONDITIONS[match[1]], flag)
    saturate = scanner.match(_SATURATE) is not None
    register, stride, type = typed_register(scanner, context, destination_stride)
    carry = _carry(scanner, context) if instruction.spec.extra is Extra.CARRY else None
    instruction = replace(
        instruction,
        condition=condition,
        saturate=saturate,
        destination=Destination(register, type, stride),
        table=table,
        carry=carry,
    )
    sources: list[SourceRegister | Immediate] = []
    for _ in range(instruction.spec.sources):
        if scanner.accept("@"):
            statement = _offset(scanner, statement)
            sources.append(Immediate(DataType.UD, 0))
        else:
            sources.append(parse_source(scanner, context, instruction))
    return replace(statement, instruction=replace(instruction, sources=tuple(sources)))


def _offset(scanner: Scanner, statement: Statement) -> Statement:
    """`@label:ud`, the byte offset of an instruction in the code."""
    column = scanner.column
    label = scanner.expect_match(NAME, "a label").group()
    if parse_type(scanner) is not DataType.UD:
        scanner.fail(f"the offset of '{label}' is a ud", column)
    return replace(statement, labels=(*statement.labels, ("offset", label, column)))


def _table(scanner: Scanner, spec: OpSpec, qualifiers: list[str], column: int) -> int:
    """`.0x96`, the truth table of a boolean function."""
    text = ".".join(qualifiers)
    if _TABLE.fullmatch(text) is None or int(text, 16) > 0xFF:
        scanner.fail(f"expected the truth table, {spec.mnemonic}.0x00 to {spec.mnemonic}.0xff", column)
    return int(text, 16)


def _carry(scanner: Scanner, context: OperandContext) -> Register:
    """The second destination: contiguous ud."""
    column = scanner.column
    register, stride, type = typed_register(scanner, context, destination_stride)
    if (stride, type) != (1, DataType.UD):
        scanner.fail("the second destination is contiguous ud", column)
    return register


def _dpas(
    scanner: Scanner, context: OperandContext, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    shape = re.fullmatch(rf"{DEPTH}x(\d)", ".".join(qualifiers))
    if shape is None:
        scanner.fail(f"expected depth and repeat count, .{DEPTH}x1 to .{DEPTH}x8", column)
    operands = [typed_register(scanner, context, no_region) for _ in range(4)]
    destination, *sources = ((register, type) for register, _, type in operands)
    instruction = replace(
        statement.instruction,
        destination=Destination(*destination),
        sources=tuple(SourceRegister(*source) for source in sources),
        repeat=int(shape[1]),
    )
    return replace(statement, instruction=instruction)


def _barrier(
    scanner: Scanner, context: OperandContext, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    _no_qualifiers(scanner, statement.instruction.spec, qualifiers, column)
    instruction = statement.instruction
    sources = tuple(parse_source(scanner, context, instruction) for _ in range(instruction.spec.sources))
    return replace(statement, instruction=replace(instruction, sources=sources))


def _branch(
    scanner: Scanner, context: OperandContext, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    _no_qualifiers(scanner, statement.instruction.spec, qualifiers, column)
    for field in _PLACES[statement.instruction.spec.format]:
        statement = _place(scanner, statement, field)
    return statement


_PLACES = {
    InstructionFormat.BRANCH: ("target",),
    InstructionFormat.GOTO: ("join", "target"),
    InstructionFormat.JOIN: ("join",),
    InstructionFormat.CALL: ("target",),
}
"""The fields that hold distances, in the order in which they are written."""


def _place(scanner: Scanner, statement: Statement, field: str) -> Statement:
    """A label or a distance in bytes."""
    distance = scanner.match(_DISTANCE)
    if distance is None:
        column = scanner.column
        label = scanner.expect_match(NAME, "a label").group()
        return replace(statement, labels=(*statement.labels, (field, label, column)))
    return replace(statement, instruction=with_distance(statement.instruction, field, int(distance.group())))


def with_offset(instruction: Instruction, offset: int) -> Instruction:
    """The instruction with a byte offset as its constant."""
    return replace(instruction, sources=(*instruction.sources[:-1], Immediate(DataType.UD, offset)))


def with_distance(instruction: Instruction, field: str, distance: int) -> Instruction:
    """The instruction with one of its distances set."""
    if field == "join":
        return replace(instruction, join=distance)
    return replace(instruction, target=distance)


def _call(
    scanner: Scanner, context: OperandContext, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    """`call (1|M0) r10.2 label`."""
    instruction = replace(statement.instruction, returned=element_register(scanner, context, DataType.UD))
    return _branch(scanner, context, replace(statement, instruction=instruction), qualifiers, column)


def _indirect_call(
    scanner: Scanner, context: OperandContext, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    """`calla (1|M0) r10.2 r4.1`."""
    instruction = replace(statement.instruction, returned=element_register(scanner, context, DataType.UD))
    return _return(scanner, context, replace(statement, instruction=instruction), qualifiers, column)


def _return(
    scanner: Scanner, context: OperandContext, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    _no_qualifiers(scanner, statement.instruction.spec, qualifiers, column)
    instruction = replace(statement.instruction, address=element_register(scanner, context, DataType.UD))
    return replace(statement, instruction=instruction)


def _plain(
    scanner: Scanner, context: OperandContext, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    _no_qualifiers(scanner, statement.instruction.spec, qualifiers, column)
    return statement


_MESSAGES = {
    InstructionFormat.MESSAGE: parse_message,
    InstructionFormat.IMAGE: parse_image,
    InstructionFormat.FENCE: parse_fence,
}


def _message(
    scanner: Scanner, context: OperandContext, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    parse = _MESSAGES[statement.instruction.spec.format]
    return replace(statement, instruction=parse(scanner, context, statement.instruction, qualifiers, column))


_FORMATS: dict[InstructionFormat, Callable[[Scanner, OperandContext, Statement, list[str], int], Statement]] = {
    InstructionFormat.ALU: _alu,
    InstructionFormat.DPAS: _dpas,
    **dict.fromkeys(_MESSAGES, _message),
    InstructionFormat.BARRIER: _barrier,
    InstructionFormat.BRANCH: _branch,
    InstructionFormat.GOTO: _branch,
    InstructionFormat.JOIN: _branch,
    InstructionFormat.CALL: _call,
    InstructionFormat.INDIRECT_CALL: _indirect_call,
    InstructionFormat.RETURN: _return,
    InstructionFormat.PLAIN: _plain,
}
