"""The matrix product of the systolic array: dst = C + A x B, each operand a block of consecutive registers."""

from __future__ import annotations

import re
from dataclasses import replace

from xegpu.isa.formats.parts.operands import read_general, read_optional, register_fields
from xegpu.isa.formats.parts.rules import aligned, fail, has_type, in_file
from xegpu.isa.formats.parts.spans import Footprint, Span, byte_of
from xegpu.isa.formats.parts.word import CONTROL, FIRST_OWN_BIT, Word, consecutive
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.operands import CONTIGUOUS, NULL, Destination, Immediate, Register, RegisterFile, SourceRegister
from xegpu.isa.model.table import InstructionFormat, OpSpec
from xegpu.isa.model.types import BY_CODE, SUB_BYTE, DataType
from xegpu.isa.notation.reader import Reading, no_region, typed_register
from xegpu.isa.notation.writer import format_register
from xegpu.targets import Dpas, Feature, Target

DEPTH = Dpas.depth
"""Systolic depth, which is written but not encoded: all targets have the same."""

_BYTE_PRECISIONS = frozenset({DataType.UB, DataType.B})


# Encoding ------------------------------------------------------------------------------------------------------------

_LAYOUT = CONTROL | consecutive(
    FIRST_OWN_BIT,
    *register_fields("dst"),
    ("dst.type", 5),
    ("src0.null", 1),
    *register_fields("src0"),
    ("src0.type", 5),
    *register_fields("src1"),
    ("src1.type", 5),
    *register_fields("src2"),
    ("src2.type", 5),
    ("repeat", 3),
)


def _encode(instruction: Instruction) -> dict[str, int]:
    destination = instruction.destination
    assert destination is not None
    values = {
        "dst.register": destination.register.number,
        "dst.byte": destination.register.byte,
        "dst.type": destination.type.code,
        "repeat": instruction.repeat - 1,
    }
    for number, source in enumerate(instruction.sources):
        assert isinstance(source, SourceRegister)
        if source.register.is_null:
            values |= {"src0.null": 1, "src0.type": source.type.code}
            continue
        values |= {
            f"src{number}.register": source.register.number,
            f"src{number}.byte": source.register.byte,
            f"src{number}.type": source.type.code,
        }
    return values


def _decode(word: Word, spec: OpSpec) -> Instruction:
    word.use(_LAYOUT)
    return Instruction(
        spec,
        *word.control(spec),
        destination=word.once("dst", _read_destination),
        sources=(
            word.once("src0", _read_accumulator),
            word.once("src1", _read_source),
            word.once("src2", _read_source),
        ),
        repeat=word.get("repeat") + 1,
    )


def _read_destination(word: Word, name: str) -> Destination:
    return Destination(read_general(word, name), word.pick(f"{name}.type", BY_CODE))


def _read_source(word: Word, name: str) -> SourceRegister:
    return SourceRegister(read_general(word, name), word.pick(f"{name}.type", BY_CODE))


def _read_accumulator(word: Word, name: str) -> SourceRegister:
    register = read_optional(word, name)
    return SourceRegister(NULL if register is None else register, word.pick(f"{name}.type", BY_CODE))


# Text ----------------------------------------------------------------------------------------------------------------

_SHAPE = re.compile(rf"{DEPTH}x(\d)")


def _parse(reading: Reading, instruction: Instruction) -> Instruction:
    shape = _SHAPE.fullmatch(".".join(reading.qualifiers))
    if shape is None:
        reading.fail(f"expected depth and repeat count, .{DEPTH}x1 to .{DEPTH}x8")
    operands = [typed_register(reading.scanner, reading.context, no_region) for _ in range(4)]
    destination, *sources = ((register, type) for register, _, type in operands)
    return replace(
        instruction,
        destination=Destination(*destination),
        sources=tuple(SourceRegister(*source) for source in sources),
        repeat=int(shape[1]),
    )


def _format_operands(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    assert instruction.destination is not None
    operands: list[Destination | SourceRegister] = [instruction.destination]
    operands += [source for source in instruction.sources if isinstance(source, SourceRegister)]
    return [f"{format_register(o.register, o.type)}:{o.type.text}" for o in operands]


# Rules ---------------------------------------------------------------------------------------------------------------


def _check_form(instruction: Instruction) -> None:
    destination, sources = instruction.destination, instruction.sources
    if destination is None:
        fail(instruction, "needs a destination (null if unused)")
    if len(sources) != instruction.spec.sources:
        fail(instruction, f"takes {instruction.spec.sources} sources, got {len(sources)}")
    if destination.register.file is not RegisterFile.GRF or destination.stride != 1:
        fail(instruction, "the destination must be contiguous general registers")
    for number, source in enumerate(sources):
        if not isinstance(source, SourceRegister):
            fail(instruction, "takes no immediates")
        elif source.region != CONTIGUOUS or source.negate or source.absolute:
            fail(instruction, "takes no regions and no source modifiers")
        elif source.register.is_null and number != 0:
            fail(instruction, f"src{number} cannot be null")
        elif source.register.file is not RegisterFile.GRF and not source.register.is_null:
            fail(instruction, f"src{number} must be general registers")


def _validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    destination = instruction.destination
    assert destination is not None
    c, b, a = instruction.sources
    columns, rows = target.platform.matrix_engine.execution_size, instruction.repeat
    if instruction.exec_size != columns or instruction.channel_offset:
        fail(instruction, f"execution size {instruction.exec_size}, {target.name} has {columns}")
    if not 1 <= rows <= target.platform.matrix_engine.max_repeat:
        fail(instruction, f"repeat count {rows}, expected 1 to {target.platform.matrix_engine.max_repeat}")
    check_dpas_types(destination.type, c.type, b.type, a.type, target)
    shape = dpas_operand_bytes(instruction, target)
    for operand, (used, alignment) in zip((destination, c, b, a), shape, strict=True):
        if isinstance(operand, Immediate) or operand.register.is_null:
            continue
        in_file(instruction, operand.register, used, target, grf_count)
        aligned(instruction, operand.register, alignment)


def check_dpas_types(dst: DataType, c: DataType, b: DataType, a: DataType, target: Target) -> None:
    """Raises `IllegalInstruction` unless the matrix engine of a target takes these types for D, C, B and A."""
    engine = target.platform.dpas
    if engine is None:
        raise IllegalInstruction(f"dpas: {target.name} has no {Feature.DPAS.value}")
    integers = _BYTE_PRECISIONS | SUB_BYTE
    words = {DataType.D, DataType.UD}
    if a in integers and b in integers and dst in words and c in words:
        return
    results = {DataType.F}
    if a is b and a in (DataType.BF, DataType.HF):
        if engine.narrow_results:
            results.add(a)
        if dst in results and c in results:
            return
    if a is b is DataType.TF32 and has_type(a, target) and dst is c is DataType.F:
        return
    raise IllegalInstruction(
        f"dpas: {target.name} has no matrix product of {a.text} (A) and {b.text} (B) "
        f"with accumulator {c.text} and result {dst.text}"
    )


def operations_per_channel(b: DataType, a: DataType) -> int:
    """Returns the products that a channel sums per systolic step: 1 for tf32, 2 for 16 bits, 4 for bytes, else 8."""
    widest = max(a.bits, b.bits)
    return {32: 1, 16: 2, 8: 4}.get(widest, 8)


def dpas_operand_bytes(instruction: Instruction, target: Target) -> tuple[tuple[int, int], ...]:
    """Returns bytes and alignment of D, C, B and A of a dpas."""
    destination, (c, b, a) = instruction.destination, instruction.sources
    if destination is None:
        raise IllegalInstruction("dpas: no destination")
    columns, rows = target.platform.matrix_engine.execution_size, instruction.repeat
    depth = target.platform.matrix_engine.depth * operations_per_channel(b.type, a.type)
    row = depth * a.type.bits // 8
    return (
        (rows * columns * destination.type.size, columns * destination.type.size),
        (rows * columns * c.type.size, columns * c.type.size),
        (depth * columns * b.type.bits // 8, target.platform.grf_bytes),
        (rows * row, row),
    )


# Registers and cycles ------------------------------------------------------------------------------------------------


def dpas_footprint(instruction: Instruction, target: Target) -> Footprint:
    """Returns the registers that a dpas with all its columns on touches."""
    destination, c, b, a = dpas_registers(instruction)
    sizes = [used for used, _ in dpas_operand_bytes(instruction, target)]

    def span(register: Register, size: int) -> Span:
        return Span(byte_of(register, target), size, 4, by_address=True)

    reads = [span(r, size) for r, size in zip((c, b, a), sizes[1:], strict=True) if not r.is_null]
    return Footprint(tuple(reads), (span(destination, sizes[0]),))


def dpas_registers(instruction: Instruction) -> tuple[Register, Register, Register, Register]:
    """Returns the first registers of D, C (may be null), B and A."""
    c, b, a = (source for source in instruction.sources if isinstance(source, SourceRegister))
    if instruction.destination is None:
        raise IllegalInstruction("dpas: no destination")
    return instruction.destination.register, c.register, b.register, a.register


def _cost(instruction: Instruction, target: Target) -> InstructionCost:
    timing, rows = target.timing, instruction.repeat
    first, last = timing.dpas_latency
    latency = first + (last - first) * (rows - 1) // (target.platform.matrix_engine.max_repeat - 1)
    return InstructionCost(Pipe.DPAS, rows * timing.dpas_cycles_per_row, latency)


define(
    FormatSpec(
        format=InstructionFormat.DPAS,
        fields=frozenset({"destination", "sources", "repeat"}),
        layouts={"dpas": _LAYOUT},
        encode=_encode,
        decode=_decode,
        parse=_parse,
        format_qualifiers=lambda instruction: f".{DEPTH}x{instruction.repeat}",
        format_operands=_format_operands,
        check_form=_check_form,
        validate=_validate,
        footprint=lambda instruction, target, grf_count: dpas_footprint(instruction, target),
        by_channel=True,
        cost=_cost,
        syntax=lambda spec: Syntax(f".{DEPTH}xRC", "(ES|M0)", ("dst", "src0", "src1", "src2")),
        section="dpas",
    )
)
