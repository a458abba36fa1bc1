"""Rules that an instruction must keep on a target, beyond having the right form and an encoding."""

from __future__ import annotations

from collections.abc import Callable

from xegpu.isa.formats.form import check_form
from xegpu.isa.formats.image_validation import check_image
from xegpu.isa.formats.message_validation import check_fence, check_message
from xegpu.isa.model.instruction import Combination, IllegalInstruction, Instruction
from xegpu.isa.model.operands import (
    ADDRESS_WORDS,
    ARCHITECTURE,
    MAX_INDIRECT,
    MIN_INDIRECT,
    VXH,
    Architecture,
    Flag,
    Immediate,
    Region,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.rules import aligned, fail, in_file
from xegpu.isa.model.semantics import computation_type
from xegpu.isa.model.table import Condition, InstructionFormat, Modifiers
from xegpu.isa.model.types import (
    FLOATS,
    INTEGERS,
    PACKED_IMMEDIATES,
    SUB_BYTE,
    DataType,
)
from xegpu.targets import Target

_BYTE_PRECISIONS = frozenset({DataType.UB, DataType.B})
_FLAG_BITS = 32

_ARCHITECTURE_TYPES = frozenset({DataType.UW, DataType.W, DataType.UD, DataType.D})
"""Types of operands that are architecture registers."""


def validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Checks one instruction for a target; raises `IllegalInstruction` with the rule and the values."""
    check_form(instruction)
    size, offset = instruction.exec_size, instruction.channel_offset
    if offset % max(size, 4) or offset + size > 32:
        fail(instruction, f"channel offset {offset} does not go with execution size {size}")
    for flag in _flags(instruction):
        if flag.number >= target.flag_registers:
            fail(instruction, f"flag register f{flag.number}, {target.name} has f0 to f{target.flag_registers - 1}")
        if 16 * flag.half + offset + size > _FLAG_BITS:
            fail(instruction, f"channels {offset} to {offset + size - 1} leave flag f{flag.number}.{flag.half}")
    _CHECKS[instruction.spec.format](instruction, target, grf_count)


def _flags(instruction: Instruction) -> list[Flag]:
    predicate, condition = instruction.predicate, instruction.condition
    flags = [predicate.flag] if predicate else []
    return flags + ([condition.flag] if condition and condition.flag else [])


# ALU -----------------------------------------------------------------------------------------------------------------


def _check_alu(instruction: Instruction, target: Target, grf_count: int) -> None:
    spec, destination = instruction.spec, instruction.destination
    assert destination is not None
    allowed = set(spec.types)
    if destination.type not in allowed & (INTEGERS | FLOATS | {DataType.TF32}):
        fail(instruction, f"destination type {destination.type.text} is not allowed")
    for source in instruction.sources:
        if source.type not in allowed:
            fail(instruction, f"source type {source.type.text} is not allowed")
        if isinstance(source, SourceRegister):
            _check_source(instruction, source, target, grf_count)
    if not destination.register.is_null:
        span = (instruction.exec_size - 1) * destination.stride + 1
        _check_place(instruction, destination.register, destination.type, span, target, grf_count)
        architecture = ARCHITECTURE.get(destination.register.number)
        if destination.register.file is RegisterFile.ARF and architecture is not None and not architecture.writable:
            fail(instruction, f"{architecture.text} cannot be written")
    if instruction.carry is not None:
        in_file(instruction, instruction.carry, instruction.exec_size * DataType.UD.size, target, grf_count)
        aligned(instruction, instruction.carry, DataType.UD.size)
    _check_flag_use(instruction)
    _check_types(instruction, destination.type, {s.type for s in instruction.sources}, target)


def _check_place(
    instruction: Instruction, register: Register, type: DataType, span: int, target: Target, grf_count: int
) -> None:
    """Checks where an operand that spans some elements of a type lies."""
    match register.file:
        case RegisterFile.GRF:
            in_file(instruction, register, span * type.size, target, grf_count)
            aligned(instruction, register, type.size)
        case RegisterFile.ARF:
            _check_architecture(instruction, ARCHITECTURE[register.number], register, type, span, target)
        case RegisterFile.INDIRECT:
            if not (0 <= register.number < ADDRESS_WORDS and MIN_INDIRECT <= register.byte <= MAX_INDIRECT):
                fail(instruction, f"no indirect register r[a0.{register.number}, {register.byte}]")


def _check_architecture(
    instruction: Instruction,
    architecture: Architecture,
    register: Register,
    type: DataType,
    span: int,
    target: Target,
) -> None:
    name = architecture.text
    if register.flag is not None and register.flag >= target.flag_registers:
        fail(instruction, f"flag register {name}, {target.name} has f0 to f{target.flag_registers - 1}")
    if type not in _ARCHITECTURE_TYPES:
        fail(instruction, f"{name} holds uw, w, ud and d, not {type.text}")
    if span > 1 and not architecture.elements:
        fail(instruction, f"{name} is one element for all channels")
    if register.byte % type.size or register.byte + span * type.size > architecture.size:
        fail(
            instruction, f"{span * type.size} bytes from byte {register.byte} of {name}, which has {architecture.size}"
        )


def _check_source(instruction: Instruction, source: SourceRegister, target: Target, grf_count: int) -> None:
    region, modifiers = source.region, instruction.spec.modifiers
    if source.type in PACKED_IMMEDIATES:
        fail(instruction, f"{source.type.text} is a type of immediates only")
    if region.width > instruction.exec_size:
        fail(instruction, f"region width {region.width} exceeds execution size {instruction.exec_size}")
    if region.width == 1 and region.horizontal != 0:
        fail(instruction, f"region {_region_text(region)}: rows of width 1 have horizontal stride 0")
    if region.vertical == VXH:
        rows = instruction.exec_size // region.width
        if source.register.number + rows > ADDRESS_WORDS:
            fail(instruction, f"{rows} rows from a0.{source.register.number} on, a0 has {ADDRESS_WORDS} words")
    span = region.span(instruction.exec_size)
    _check_place(instruction, source.register, source.type, span, target, grf_count)
    if modifiers is Modifiers.LOGIC and source.absolute:
        fail(instruction, "logic takes no absolute value")
    if modifiers is Modifiers.NONE and (source.negate or source.absolute):
        fail(instruction, "takes no source modifiers")


def _region_text(region: Region) -> str:
    return f"<{region.vertical};{region.width},{region.horizontal}>"


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
    if DataType.DF in types and not target.has_fp64:
        fail(instruction, f"{target.name} has no double precision")
    if DataType.TF32 in types and (types - {DataType.TF32, DataType.F} or not target.dpas.tf32):
        fail(instruction, "tf32 converts only from and to f, on targets that have it")
    if converts or compares:
        return
    if computed.is_float != destination.is_float or (DataType.DF in types and len(types) > 1):
        fail(instruction, f"computes in {computed.text}, cannot write {destination.text}: convert with mov")


# dpas ----------------------------------------------------------------------------------------------------------------


def _check_dpas(instruction: Instruction, target: Target, grf_count: int) -> None:
    destination = instruction.destination
    assert destination is not None
    c, b, a = instruction.sources
    lanes, rows = target.dpas.execution_size, instruction.repeat
    if instruction.exec_size != lanes or instruction.channel_offset:
        fail(instruction, f"execution size {instruction.exec_size}, {target.name} has {lanes}")
    if not 1 <= rows <= target.dpas.max_repeat:
        fail(instruction, f"repeat count {rows}, expected 1 to {target.dpas.max_repeat}")
    check_dpas_types(destination.type, c.type, b.type, a.type, target)
    shape = dpas_operand_bytes(instruction, target)
    for operand, (used, alignment) in zip((destination, c, b, a), shape, strict=True):
        if isinstance(operand, Immediate) or operand.register.is_null:
            continue
        in_file(instruction, operand.register, used, target, grf_count)
        aligned(instruction, operand.register, alignment)


def check_dpas_types(dst: DataType, c: DataType, b: DataType, a: DataType, target: Target) -> None:
    """Raises `IllegalInstruction` unless the target's matrix engine takes these types for D, C, B and A."""
    integers = _BYTE_PRECISIONS | SUB_BYTE
    words = {DataType.D, DataType.UD}
    if a in integers and b in integers and dst in words and c in words:
        return
    results = {DataType.F}
    if a is b and a in (DataType.BF, DataType.HF):
        if target.dpas.bf_hf_results:
            results.add(a)
        if dst in results and c in results:
            return
    if a is b is DataType.TF32 and target.dpas.tf32 and dst is c is DataType.F:
        return
    raise IllegalInstruction(
        f"dpas: {target.name} has no matrix product of {a.text} (A) and {b.text} (B) "
        f"with accumulator {c.text} and result {dst.text}"
    )


def operations_per_channel(b: DataType, a: DataType) -> int:
    """Products that a dpas channel sums per systolic step: 1 for tf32, 2 for 16 bits, 4 for bytes, 8 below."""
    widest = max(a.bits, b.bits)
    return {32: 1, 16: 2, 8: 4}.get(widest, 8)


def dpas_operand_bytes(instruction: Instruction, target: Target) -> tuple[tuple[int, int], ...]:
    """Bytes and alignment of D, C, B and A of a dpas."""
    destination, (c, b, a) = instruction.destination, instruction.sources
    if destination is None:
        raise IllegalInstruction("dpas: no destination")
    lanes, rows = target.dpas.execution_size, instruction.repeat
    depth = target.dpas.depth * operations_per_channel(b.type, a.type)
    row = depth * a.type.bits // 8
    return (
        (rows * lanes * destination.type.size, lanes * destination.type.size),
        (rows * lanes * c.type.size, lanes * c.type.size),
        (depth * lanes * b.type.bits // 8, target.grf_bytes),
        (rows * row, row),
    )


# Control -------------------------------------------------------------------------------------------------------------


def _check_control(instruction: Instruction, target: Target, grf_count: int) -> None:
    """The program checks where branches go."""
    if instruction.exec_size != 1:
        fail(instruction, f"execution size {instruction.exec_size}, expected 1")


def _check_divergence(instruction: Instruction, target: Target, grf_count: int) -> None:
    """The program checks where branches go, and the size against that of its threads."""
    if instruction.channel_offset or instruction.no_mask:
        fail(instruction, "works on all channels of the thread that are on, from M0 and without (W)")
    predicate = instruction.predicate
    if predicate is not None and predicate.combination is not Combination.NONE:
        fail(instruction, "takes a plain predicate")


def _check_call(instruction: Instruction, target: Target, grf_count: int) -> None:
    _check_control(instruction, target, grf_count)
    place_bytes = 4 if instruction.spec.format is InstructionFormat.INDIRECT_CALL else 8
    for register, used in ((instruction.returned, 8), (instruction.address, place_bytes)):
        if register is not None:
            in_file(instruction, register, used, target, grf_count)


def _check_barrier(instruction: Instruction, target: Target, grf_count: int) -> None:
    _check_control(instruction, target, grf_count)
    for source in instruction.sources:
        if isinstance(source, SourceRegister):
            _check_source(instruction, source, target, grf_count)


_CHECKS: dict[InstructionFormat, Callable[[Instruction, Target, int], None]] = {
    InstructionFormat.ALU: _check_alu,
    InstructionFormat.DPAS: _check_dpas,
    InstructionFormat.MESSAGE: check_message,
    InstructionFormat.IMAGE: check_image,
    InstructionFormat.FENCE: check_fence,
    InstructionFormat.BARRIER: _check_barrier,
    InstructionFormat.BRANCH: _check_control,
    InstructionFormat.GOTO: _check_divergence,
    InstructionFormat.JOIN: _check_divergence,
    InstructionFormat.CALL: _check_call,
    InstructionFormat.INDIRECT_CALL: _check_call,
    InstructionFormat.RETURN: _check_call,
    InstructionFormat.PLAIN: _check_control,
}
