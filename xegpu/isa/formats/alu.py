"""ALU instructions: a destination, up to three sources, a formula of the result.

Beside its operands an instruction may have a function number, a truth table or a second destination (`Extra`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from xegpu.isa.formats.parts.operands import (
    DESTINATION,
    KIND_IMMEDIATE,
    destination_values,
    full_source,
    immediate_fields,
    linear_source,
    read_destination,
    read_immediate,
    read_source,
    register_values,
    source_values,
    unmodified_source,
)
from xegpu.isa.formats.parts.rules import aligned, check_elements, check_source, check_type, fail, in_file
from xegpu.isa.formats.parts.spans import Footprint, Span, byte_of, is_apart
from xegpu.isa.formats.parts.word import CONTROL, Field, Layout, Word, consecutive
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import (
    ADDRESS,
    ARCHITECTURE,
    VXH,
    Destination,
    Immediate,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.semantics import computation_type
from xegpu.isa.model.table import MATH_OPCODE, Condition, Extra, InstructionFormat, OpSpec
from xegpu.isa.model.types import FLOATS, INTEGERS, PACKED_IMMEDIATES, DataType
from xegpu.isa.notation.reader import Reading, destination_stride, parse_condition, parse_source, typed_register
from xegpu.isa.notation.writer import format_destination, format_flag, format_source
from xegpu.targets import ExecutionTiming, Target

# Encoding ------------------------------------------------------------------------------------------------------------

_ALU = CONTROL | DESTINATION
_UNARY = _ALU | full_source(0, 49)
_UNARY_IMMEDIATE = _ALU | immediate_fields(0, 49, 96, 32)
_BINARY = _UNARY | full_source(1, 80)
_TERNARY = _ALU | linear_source(0, 49) | linear_source(1, 74)
_BOOLEAN = _ALU | unmodified_source(0, 49) | unmodified_source(1, 72) | {"table": Field(118, 8)}
_FUNCTION = {"function": Field(80, 4)}

_LAYOUTS: dict[str, Layout] = {
    "alu1": _UNARY,
    "alu1-immediate": _UNARY_IMMEDIATE,
    "alu2": _BINARY,
    "alu2-immediate": _UNARY | immediate_fields(1, 80, 96, 32),
    "alu3": _TERNARY | linear_source(2, 99),
    "alu3-immediate": _TERNARY | immediate_fields(2, 99, 106, 16),
    "function": _UNARY | _FUNCTION,
    "function-immediate": _UNARY_IMMEDIATE | _FUNCTION,
    "table": _BOOLEAN | unmodified_source(2, 95),
    "table-immediate": _BOOLEAN | immediate_fields(2, 95, 102, 16),
    "carry": _BINARY | consecutive(111, ("carry.register", 8), ("carry.byte", 6)),
}


def _name_layout(spec: OpSpec, immediate: bool) -> str:
    name = spec.extra.value or f"alu{spec.sources}"
    return f"{name}-immediate" if immediate else name


def _encode(instruction: Instruction) -> dict[str, int]:
    spec = instruction.spec
    assert instruction.destination is not None
    values = destination_values(instruction.destination)
    for number, source in enumerate(instruction.sources):
        values |= source_values(number, source, ternary=spec.sources == 3)
    match spec.extra:
        case Extra.FUNCTION:
            values["function"] = spec.function
        case Extra.TABLE:
            values["table"] = instruction.table
        case Extra.CARRY:
            values |= register_values("carry.", instruction.carry)
        case Extra.NONE:
            pass
    return values


def _decode(word: Word, spec: OpSpec) -> Instruction:
    last = spec.sources - 1
    word.layout = _LAYOUTS[_name_layout(spec, False)]
    immediate = word.get(f"src{last}.kind") == KIND_IMMEDIATE
    name = _name_layout(spec, immediate)
    if name not in _LAYOUTS:
        word.fail(f"{spec.mnemonic} takes no immediates")
    word.use(_LAYOUTS[name])
    sources: list[SourceRegister | Immediate] = [read_source(word, number) for number in range(last)]
    sources.append(read_immediate(word, last) if immediate else read_source(word, last))
    destination, carry = read_destination(word), None
    if spec.extra is Extra.CARRY:
        carry = Register(RegisterFile.GRF, word.get("carry.register"), word.get("carry.byte"))
    table = word.get("table") if spec.extra is Extra.TABLE else 0
    return Instruction(
        spec, *word.control(spec), destination=destination, sources=tuple(sources), table=table, carry=carry
    )


# Text ----------------------------------------------------------------------------------------------------------------

_TABLE = re.compile(r"0[xX][0-9a-fA-F]+")


def _parse(reading: Reading, instruction: Instruction) -> Instruction:
    spec, scanner, context = instruction.spec, reading.scanner, reading.context
    table = 0
    if spec.extra is Extra.TABLE:
        table = _parse_table(reading, spec)
    else:
        reading.refuse_qualifiers(spec)
    condition = parse_condition(scanner)
    saturate = scanner.match(_SATURATE) is not None
    register, stride, type = typed_register(scanner, context, destination_stride)
    carry = _parse_carry(reading) if spec.extra is Extra.CARRY else None
    instruction = replace(
        instruction,
        condition=condition,
        saturate=saturate,
        destination=Destination(register, type, stride),
        table=table,
        carry=carry,
    )
    sources: list[SourceRegister | Immediate] = []
    for _ in range(spec.sources):
        if scanner.accept("@"):
            sources.append(reading.offset())
        else:
            sources.append(parse_source(scanner, context, instruction))
    return replace(instruction, sources=tuple(sources))


_SATURATE = re.compile(r"\(\s*sat\s*\)")


def _parse_table(reading: Reading, spec: OpSpec) -> int:
    """Reads `.0x96`, the truth table of a boolean function."""
    text = ".".join(reading.qualifiers)
    if _TABLE.fullmatch(text) is None or int(text, 16) > 0xFF:
        reading.fail(f"expected the truth table, {spec.mnemonic}.0x00 to {spec.mnemonic}.0xff")
    return int(text, 16)


def _parse_carry(reading: Reading) -> Register:
    """Reads the second destination, which is contiguous ud."""
    column = reading.scanner.column
    register, stride, type = typed_register(reading.scanner, reading.context, destination_stride)
    if (stride, type) != (1, DataType.UD):
        reading.scanner.fail("the second destination is contiguous ud", column)
    return register


def _format_qualifiers(instruction: Instruction) -> str:
    return f".{instruction.table:#04x}" if instruction.spec.extra is Extra.TABLE else ""


def _format_operands(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    condition, destination = instruction.condition, instruction.destination
    assert destination is not None
    parts = []
    if condition is not None:
        parts.append(f"({condition.condition.text})" + (format_flag(condition.flag) if condition.flag else ""))
    parts.append(("(sat)" if instruction.saturate else "") + format_destination(destination))
    if instruction.carry is not None:
        parts.append(format_destination(Destination(instruction.carry, DataType.UD)))
    return parts + [format_source(source, instruction.spec.modifiers) for source in instruction.sources]


# Rules ---------------------------------------------------------------------------------------------------------------


def _check_form(instruction: Instruction) -> None:
    spec, sources = instruction.spec, instruction.sources
    if instruction.table and spec.extra is not Extra.TABLE:
        fail(instruction, "has no table")
    if instruction.carry is not None and spec.extra is not Extra.CARRY:
        fail(instruction, "has no carry")
    if instruction.destination is None:
        fail(instruction, "needs a destination (null if unused)")
    if len(sources) != spec.sources:
        fail(instruction, f"takes {spec.sources} sources, got {len(sources)}")
    for number, source in enumerate(sources):
        if isinstance(source, SourceRegister):
            if source.register.is_null:
                fail(instruction, f"src{number} cannot be null")
            if source.region.vertical == VXH and source.register.file is not RegisterFile.INDIRECT:
                fail(instruction, f"src{number}: only an indirect region has an address for each row")
        elif number < spec.sources - 1:
            fail(instruction, f"src{number} cannot be an immediate: only the last source can")
    if spec.extra is Extra.CARRY:
        if instruction.carry is None or instruction.carry.file is not RegisterFile.GRF:
            fail(instruction, "needs a general register for its second destination")
        if isinstance(sources[-1], Immediate):
            fail(instruction, "takes no immediates")


_WRITABLE = INTEGERS | FLOATS | {DataType.TF32}
"""The types that destinations may have; those of packed constants are no types of registers."""


def _validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    spec, destination = instruction.spec, instruction.destination
    assert destination is not None
    allowed = spec.types
    if destination.type not in allowed or destination.type not in _WRITABLE:
        fail(instruction, f"destination type {destination.type.text} is not allowed")
    for source in instruction.sources:
        if source.type not in allowed:
            fail(instruction, f"source type {source.type.text} is not allowed")
        if isinstance(source, SourceRegister):
            check_source(instruction, source, target, grf_count)
    if not destination.register.is_null:
        span = (instruction.exec_size - 1) * destination.stride + 1
        check_elements(instruction, destination.register, destination.type, span, target, grf_count)
        architecture = ARCHITECTURE.get(destination.register.number)
        if destination.register.file is RegisterFile.ARF and architecture is not None and not architecture.writable:
            fail(instruction, f"{architecture.text} cannot be written")
    if instruction.carry is not None:
        in_file(instruction, instruction.carry, instruction.exec_size * DataType.UD.size, target, grf_count)
        aligned(instruction, instruction.carry, DataType.UD.size)
    _check_flag_use(instruction)
    _check_types(instruction, destination.type, {s.type for s in instruction.sources}, target)


def _check_flag_use(instruction: Instruction) -> None:
    if instruction.mnemonic in ("cmp", "cmpn", "csel") and instruction.condition is None:
        fail(instruction, "needs a condition modifier")
    if instruction.mnemonic == "sel":
        if (instruction.condition is None) == (instruction.predicate is None):
            fail(instruction, "takes either a predicate or a condition")
        if instruction.condition and instruction.condition.condition not in (Condition.LT, Condition.GE):
            fail(instruction, "takes lt (minimum) or ge (maximum)")


def _check_types(instruction: Instruction, destination: DataType, sources: set[DataType], target: Target) -> None:
    converts, compares = instruction.mnemonic == "mov", instruction.mnemonic in ("cmp", "cmpn")
    if instruction.spec.same_types and len(sources) > 1:
        fail(instruction, f"sources of different types: {', '.join(sorted(t.text for t in sources))}")
    computed = computation_type(instruction)
    types = sources | {destination}
    condition = instruction.condition
    if condition is not None and condition.condition is Condition.UN:
        compared = computed if compares or instruction.spec.selects else destination
        if not compared.is_float:
            fail(instruction, f"un compares floats, not {compared.text}")
    for type in types:
        check_type(instruction, type, target)
    if DataType.TF32 in types and types - {DataType.TF32, DataType.F}:
        fail(instruction, "tf32 converts only from and to f")
    if converts or compares:
        return
    if computed.is_float != destination.is_float or (DataType.DF in types and len(types) > 1):
        fail(instruction, f"computes in {computed.text}, cannot write {destination.text}: convert with mov")


# Registers and cycles ------------------------------------------------------------------------------------------------


def _footprint(instruction: Instruction, target: Target, grf_count: int) -> Footprint:
    size = instruction.exec_size
    reads: list[Span] = []
    written: list[Span] = []

    def touch(register: Register, elements: int, unit: int, rows: int, spans: list[Span]) -> None:
        """Adds an operand's bytes to `spans`; the words of a0 that hold the addresses of indirect ones are read."""
        if register.file is RegisterFile.INDIRECT:
            spans.append(Span(0, grf_count * target.platform.grf_bytes, 1, by_address=True))
            first = Register(RegisterFile.ARF, ADDRESS.number, 2 * register.number)
            reads.append(Span(byte_of(first, target), 2 * rows, 2))
        elif not is_apart(register):
            spans.append(Span(byte_of(register, target), elements * unit, unit))

    for source in instruction.sources:
        if isinstance(source, SourceRegister):
            region = source.region
            rows = size // region.width if region.vertical == VXH else 1
            touch(source.register, region.span(size), source.type.size, rows, reads)
    destination = instruction.destination
    if destination is not None:
        touch(destination.register, (size - 1) * destination.stride + 1, destination.type.size, 1, written)
        if destination.register.file is RegisterFile.INDIRECT:
            reads += written
    if instruction.carry is not None:
        unit = DataType.UD.size
        written.append(Span(byte_of(instruction.carry, target), size * unit, unit))
    return Footprint(tuple(reads), tuple(written))


_PRODUCTS = frozenset({"mul", "mad"})


def _cost(instruction: Instruction, target: Target) -> InstructionCost:
    size, timing = instruction.exec_size, target.timing
    types, addressed = set(), False
    for source in instruction.sources:
        if source.type not in PACKED_IMMEDIATES:
            types.add(source.type)
        addressed = addressed or (isinstance(source, SourceRegister) and source.region.vertical == VXH)
    if instruction.destination is not None and not instruction.destination.register.is_null:
        types.add(instruction.destination.type)
    pipe, rate = _pipe(types, timing)
    occupancy = -(-size * max([type.size for type in types], default=DataType.UW.size) // rate)
    if addressed:
        occupancy = max(occupancy, size)
    latency = timing.by_size(timing.alu_latency, size)
    math_occupancy = timing.math_occupancy * occupancy
    if instruction.spec.opcode == MATH_OPCODE:
        return InstructionCost(Pipe.MATH, math_occupancy, timing.by_size(timing.math_latency, size))
    if (emulation := timing.emulations.get(instruction.mnemonic)) is not None:
        return InstructionCost(
            Pipe.MATH if emulation.math else pipe,
            emulation.math * math_occupancy + emulation.alu * occupancy,
            emulation.math * timing.by_size(timing.math_latency, size) + emulation.alu * occupancy + latency,
        )
    steps = _steps(instruction, timing)
    return InstructionCost(pipe, steps * occupancy, steps * latency)


def _pipe(types: set[DataType], timing: ExecutionTiming) -> tuple[Pipe, int]:
    """Returns the pipe for operands of some types, and the bytes that it takes per cycle."""
    if DataType.DF in types:
        return Pipe.LONG, timing.float64_bytes
    if DataType.Q in types or DataType.UQ in types:
        return Pipe.LONG, timing.int64_bytes
    return Pipe.INTEGER if types.isdisjoint(_FLOAT_TYPES) else Pipe.FLOAT, timing.alu_bytes


_FLOAT_TYPES = frozenset(type for type in DataType if type.is_float)


def _steps(instruction: Instruction, timing: ExecutionTiming) -> int:
    """Returns the number of native instructions.

    Products of wide integers take several, and the sum that follows them one more.
    """
    if instruction.mnemonic not in _PRODUCTS or computation_type(instruction).is_float:
        return 1
    bits = min(_width(source) for source in instruction.sources[:2])
    steps = timing.by_size(timing.integer_products, bits)
    return steps + (1 if steps > 1 and instruction.spec.sources == 3 else 0)


def _width(factor: SourceRegister | Immediate) -> int:
    """Returns the bits of a factor; a constant has as many as it needs."""
    value = factor.value() if isinstance(factor, Immediate) else None
    return factor.type.bits if not isinstance(value, int) else value.bit_length() + (value < 0)


# Documentation -------------------------------------------------------------------------------------------------------

_CONDITIONS = {"cmp": "(cond)flag", "cmpn": "(cond)flag", "sel": "[(cond)]", "csel": "(cond)"}
"""Instructions that need a condition, or name no flag."""


def _syntax(spec: OpSpec) -> Syntax:
    condition = (_CONDITIONS.get(spec.mnemonic, "[(cond)flag]"),) if spec.condition else ()
    destination = ("[(sat)]" if spec.saturate else "") + "dst"
    second = ("carry",) if spec.extra is Extra.CARRY else ()
    sources = (f"src{number}" for number in range(spec.sources))
    qualifiers = ".0xNN" if spec.extra is Extra.TABLE else ""
    return Syntax(qualifiers, "(ES|Moff)", (*condition, destination, *second, *sources))


define(
    FormatSpec(
        format=InstructionFormat.ALU,
        fields=frozenset({"destination", "sources", "table", "carry"}),
        layouts=_LAYOUTS,
        name_layout=_name_layout,
        encode=_encode,
        decode=_decode,
        parse=_parse,
        format_qualifiers=_format_qualifiers,
        format_operands=_format_operands,
        check_form=_check_form,
        validate=_validate,
        footprint=_footprint,
        by_channel=True,
        rounds=True,
        cost=_cost,
        syntax=_syntax,
    )
)
