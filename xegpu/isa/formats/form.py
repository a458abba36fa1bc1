"""The form of an instruction: which fields it has, whatever the target."""

from __future__ import annotations

from dataclasses import fields

from xegpu.isa.formats.image_validation import check_image_form
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import (
    CONTIGUOUS,
    SCALAR,
    VXH,
    Immediate,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.rules import fail
from xegpu.isa.model.table import Extra, InstructionFormat, MemoryAccessKind
from xegpu.isa.model.types import DataType

_OWN: dict[InstructionFormat, frozenset[str]] = {
    InstructionFormat.ALU: frozenset({"destination", "sources"}),
    InstructionFormat.DPAS: frozenset({"destination", "sources", "repeat"}),
    InstructionFormat.MESSAGE: frozenset({"message", "returned", "address", "data"}),
    InstructionFormat.IMAGE: frozenset({"image", "returned", "address", "data", "surface", "sampler"}),
    InstructionFormat.FENCE: frozenset({"fence"}),
    InstructionFormat.BARRIER: frozenset({"sources"}),
    InstructionFormat.BRANCH: frozenset({"target"}),
    InstructionFormat.GOTO: frozenset({"target", "join"}),
    InstructionFormat.JOIN: frozenset({"join"}),
    InstructionFormat.CALL: frozenset({"target", "returned"}),
    InstructionFormat.INDIRECT_CALL: frozenset({"address", "returned"}),
    InstructionFormat.RETURN: frozenset({"address"}),
    InstructionFormat.PLAIN: frozenset(),
}
"""The fields that belong to a format only; fields of other formats keep their defaults."""

_EXTRAS: dict[Extra, frozenset[str]] = {
    Extra.NONE: frozenset(),
    Extra.FUNCTION: frozenset(),
    Extra.TABLE: frozenset({"table"}),
    Extra.CARRY: frozenset({"carry"}),
}
"""The fields that ALU instructions have for what they have beside their operands."""

_FORMAT_FIELDS = frozenset().union(*_OWN.values(), *_EXTRAS.values())
_DEFAULTS = {field.name: field.default for field in fields(Instruction) if field.name in _FORMAT_FIELDS}


_BARRIER_TYPES = frozenset({DataType.UB, DataType.UW, DataType.UD})


def check_form(instruction: Instruction) -> None:
    """Raises `IllegalInstruction` unless the instruction has exactly the fields that its row of the table asks for."""
    spec = instruction.spec
    own = _OWN[spec.format] | _EXTRAS[spec.extra]
    for name, default in _DEFAULTS.items():
        if name not in own and getattr(instruction, name) != default:
            fail(instruction, f"has no {name}")
    _check_flags(instruction)
    if spec.format in (InstructionFormat.ALU, InstructionFormat.DPAS):
        _check_operands(instruction)
    if spec.format is InstructionFormat.DPAS:
        _check_dpas(instruction)
    if spec.format is InstructionFormat.MESSAGE:
        _check_message(instruction)
    if spec.format is InstructionFormat.IMAGE:
        check_image_form(instruction)
    if spec.format in (InstructionFormat.CALL, InstructionFormat.INDIRECT_CALL):
        _check_way_back(instruction, instruction.returned)
    if spec.format is InstructionFormat.INDIRECT_CALL:
        _check_place(instruction)
    if spec.format is InstructionFormat.RETURN:
        _check_way_back(instruction, instruction.address)
    if spec.format is InstructionFormat.BARRIER:
        _check_barrier(instruction)
    if spec.format is InstructionFormat.FENCE and instruction.fence is None:
        fail(instruction, "needs a unit, what to flush and a scope")


def _check_flags(instruction: Instruction) -> None:
    spec, predicate, condition = instruction.spec, instruction.predicate, instruction.condition
    for allowed, present, what in (
        (spec.predicate, predicate is not None, "predicate"),
        (spec.condition, condition is not None, "condition modifier"),
        (spec.saturate, instruction.saturate, "saturation"),
    ):
        if present and not allowed:
            fail(instruction, f"takes no {what}")
    if condition is None:
        return
    if (condition.flag is None) != spec.selects:
        fail(instruction, "writes no flag" if condition.flag else "needs a flag for its condition modifier")
    if predicate is not None and condition.flag not in (None, predicate.flag):
        fail(instruction, "predicate and condition modifier must name the same flag")


def _check_operands(instruction: Instruction) -> None:
    destination, sources, expected = instruction.destination, instruction.sources, instruction.spec.sources
    if destination is None:
        fail(instruction, "needs a destination (null if unused)")
        return
    if len(sources) != expected:
        fail(instruction, f"takes {expected} sources, got {len(sources)}")
    for index, source in enumerate(sources):
        if isinstance(source, SourceRegister):
            _check_source(instruction, index, source)
        elif index < expected - 1:
            fail(instruction, f"src{index} cannot be an immediate: only the last source can")
    if instruction.spec.extra is Extra.CARRY:
        _check_carry(instruction, sources[-1])


def _check_source(instruction: Instruction, index: int, source: SourceRegister) -> None:
    if source.register.is_null and instruction.spec.format is InstructionFormat.ALU:
        fail(instruction, f"src{index} cannot be null")
    if source.region.vertical == VXH and source.register.file is not RegisterFile.INDIRECT:
        fail(instruction, f"src{index}: only an indirect region has an address for each row")


def _check_barrier(instruction: Instruction) -> None:
    """A named barrier takes one dword or less: a scalar in a general register, or a constant."""
    if len(instruction.sources) != instruction.spec.sources:
        fail(instruction, f"takes {instruction.spec.sources} sources, got {len(instruction.sources)}")
    for source in instruction.sources:
        if source.type not in _BARRIER_TYPES:
            fail(instruction, f"source type {source.type.text} is not allowed")
        if isinstance(source, SourceRegister):
            if source.register.file is not RegisterFile.GRF or source.region != SCALAR:
                fail(instruction, "takes a scalar in a general register, or a constant")
            if source.negate or source.absolute:
                fail(instruction, "takes no source modifiers")


def _check_way_back(instruction: Instruction, register: Register | None) -> None:
    """A call and its return name two dwords: where to go on, and the execution mask."""
    if register is None or register.file is not RegisterFile.GRF or register.byte % 8:
        fail(instruction, "needs an aligned qword of a general register for the way back")


def _check_place(instruction: Instruction) -> None:
    """The place that an indirect call goes to is a dword."""
    register = instruction.address
    if register is None or register.file is not RegisterFile.GRF or register.byte % 4:
        fail(instruction, "needs an aligned dword of a general register for the place of the subroutine")


def _check_carry(instruction: Instruction, last: SourceRegister | Immediate) -> None:
    carry = instruction.carry
    if carry is None or carry.file is not RegisterFile.GRF:
        fail(instruction, "needs a general register for its second destination")
    if isinstance(last, Immediate):
        fail(instruction, "takes no immediates")


def _check_dpas(instruction: Instruction) -> None:
    destination = instruction.destination
    if destination is None or destination.register.file is not RegisterFile.GRF or destination.stride != 1:
        fail(instruction, "the destination must be contiguous general registers")
    for index, source in enumerate(instruction.sources):
        if not isinstance(source, SourceRegister):
            fail(instruction, "takes no immediates")
        elif source.region != CONTIGUOUS or source.negate or source.absolute:
            fail(instruction, "takes no regions and no source modifiers")
        elif source.register.is_null and index != 0:
            fail(instruction, f"src{index} cannot be null")
        elif source.register.file is not RegisterFile.GRF and not source.register.is_null:
            fail(instruction, f"src{index} must be general registers")


def _check_message(instruction: Instruction) -> None:
    spec, message = instruction.spec, instruction.message
    if message is None or instruction.address is None:
        fail(instruction, "needs message fields and an address register")
        return
    if (instruction.data is not None) != (spec.sources > 0):
        fail(instruction, "needs data" if spec.sources else "takes no data")
    if spec.access is not MemoryAccessKind.ATOMIC and (instruction.returned is not None) != (
        spec.access is MemoryAccessKind.LOAD
    ):
        fail(
            instruction, "needs a register to return to" if spec.access is MemoryAccessKind.LOAD else "returns nothing"
        )
    if (message.block is not None) != spec.block2d:
        fail(instruction, "a block shape belongs to block-2D messages, and only to them")
    if message.block is not None and message.vector != 1:
        fail(instruction, "a block-2D message has vector size 1")
    for register in (instruction.address, instruction.data, instruction.returned):
        if register is not None and (register.byte or register.file is not RegisterFile.GRF):
            fail(instruction, "registers of a message are whole general registers")
