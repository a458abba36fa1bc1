"""Calls and returns: two dwords of a register hold the offset to return to, and the execution mask of the caller."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.formats.parts.distances import TARGET, distance_values, jump_cost, parse_distances, read_distance
from xegpu.isa.formats.parts.operands import read_general, register_fields, register_values
from xegpu.isa.formats.parts.rules import fail, in_file, one_channel
from xegpu.isa.formats.parts.spans import Footprint, Span, byte_of
from xegpu.isa.formats.parts.word import CONTROL, FIRST_OWN_BIT, Word, consecutive
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import Register, RegisterFile
from xegpu.isa.model.table import InstructionFormat, OpSpec
from xegpu.isa.model.types import DataType
from xegpu.isa.notation.reader import Reading, element_register
from xegpu.isa.notation.writer import format_distances, format_register
from xegpu.targets import Target

RETURN_BYTES = 8
"""The offset to return to, and the execution mask."""

OFFSET_BYTES = 4
"""The offset of a subroutine."""

# Encoding ------------------------------------------------------------------------------------------------------------

_CALL = CONTROL | consecutive(FIRST_OWN_BIT, *register_fields("dst")) | TARGET
_INDIRECT_CALL = CONTROL | consecutive(FIRST_OWN_BIT, *register_fields("dst"), *register_fields("address"))
_RETURN = CONTROL | consecutive(FIRST_OWN_BIT, *register_fields("address"))


def _encode(instruction: Instruction) -> dict[str, int]:
    values = distance_values(instruction)
    if instruction.returned is not None:
        values |= register_values("dst.", instruction.returned)
    if instruction.address is not None:
        values |= register_values("address.", instruction.address)
    return values


def _decode_call(word: Word, spec: OpSpec) -> Instruction:
    word.use(_CALL)
    target = read_distance(word, "target")
    return Instruction(spec, *word.control(spec), target=target, returned=read_general(word, "dst"))


def _decode_indirect_call(word: Word, spec: OpSpec) -> Instruction:
    word.use(_INDIRECT_CALL)
    returned, address = read_general(word, "dst"), read_general(word, "address")
    return Instruction(spec, *word.control(spec), returned=returned, address=address)


def _decode_return(word: Word, spec: OpSpec) -> Instruction:
    word.use(_RETURN)
    return Instruction(spec, *word.control(spec), address=read_general(word, "address"))


# Text ----------------------------------------------------------------------------------------------------------------


def _parse_register(reading: Reading) -> Register:
    return element_register(reading.scanner, reading.context, DataType.UD)


def _parse_call(reading: Reading, instruction: Instruction) -> Instruction:
    """Reads `r10.2 label`."""
    return parse_distances(reading, replace(instruction, returned=_parse_register(reading)))


def _parse_indirect_call(reading: Reading, instruction: Instruction) -> Instruction:
    """Reads `r10.2 r4.1`."""
    return _parse_return(reading, replace(instruction, returned=_parse_register(reading)))


def _parse_return(reading: Reading, instruction: Instruction) -> Instruction:
    reading.refuse_qualifiers(instruction.spec)
    return replace(instruction, address=_parse_register(reading))


def _format_operands(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    registers = [r for r in (instruction.returned, instruction.address) if r is not None]
    text = format_distances(instruction, label)
    return [*(format_register(register, DataType.UD) for register in registers), *([text] if text else [])]


# Rules ---------------------------------------------------------------------------------------------------------------


def _check_form(instruction: Instruction) -> None:
    flow, address = instruction.spec.flow, instruction.address
    link = instruction.returned if flow.calls else address
    if link is None or link.file is not RegisterFile.GRF or link.byte % RETURN_BYTES:
        fail(instruction, "needs an aligned qword of a general register for the return address")
    if (
        flow.calls
        and flow.by_register
        and (address is None or address.file is not RegisterFile.GRF or address.byte % OFFSET_BYTES)
    ):
        fail(instruction, "needs an aligned dword of a general register for the offset of the subroutine")


def _address_bytes(instruction: Instruction) -> int:
    return OFFSET_BYTES if instruction.spec.flow.calls else RETURN_BYTES


def _validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    one_channel(instruction)
    for register, used in ((instruction.returned, RETURN_BYTES), (instruction.address, _address_bytes(instruction))):
        if register is not None:
            in_file(instruction, register, used, target, grf_count)


def _footprint(instruction: Instruction, target: Target, grf_count: int) -> Footprint:
    read: tuple[Span, ...] = ()
    written: tuple[Span, ...] = ()
    if instruction.returned is not None:
        written = (Span(byte_of(instruction.returned, target), RETURN_BYTES, 4),)
    if instruction.address is not None:
        read = (Span(byte_of(instruction.address, target), _address_bytes(instruction), 4),)
    return Footprint((*read, *written) if instruction.predicate is not None else read, written)


define(
    FormatSpec(
        format=InstructionFormat.CALL,
        fields=frozenset({"target", "returned"}),
        layouts={"call": _CALL},
        encode=_encode,
        decode=_decode_call,
        parse=_parse_call,
        format_operands=_format_operands,
        check_form=_check_form,
        validate=_validate,
        footprint=_footprint,
        cost=jump_cost,
        syntax=lambda spec: Syntax(operands=("rN.S", "label")),
        section="Control",
    )
)

define(
    FormatSpec(
        format=InstructionFormat.INDIRECT_CALL,
        fields=frozenset({"address", "returned"}),
        layouts={"calla": _INDIRECT_CALL},
        encode=_encode,
        decode=_decode_indirect_call,
        parse=_parse_indirect_call,
        format_operands=_format_operands,
        check_form=_check_form,
        validate=_validate,
        footprint=_footprint,
        cost=jump_cost,
        syntax=lambda spec: Syntax(operands=("rN.S", "rP.S")),
        section="Control",
    )
)

define(
    FormatSpec(
        format=InstructionFormat.RETURN,
        fields=frozenset({"address"}),
        layouts={"return": _RETURN},
        encode=_encode,
        decode=_decode_return,
        parse=_parse_return,
        format_operands=_format_operands,
        check_form=_check_form,
        validate=_validate,
        footprint=_footprint,
        cost=jump_cost,
        syntax=lambda spec: Syntax(operands=("rN.S",)),
        section="Control",
    )
)
