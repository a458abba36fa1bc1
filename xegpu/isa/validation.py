"""Rules that an instruction must keep on a target, beyond having the right form and an encoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xegpu.isa.form import check_form
from xegpu.isa.instruction import IllegalInstruction, Instruction
from xegpu.isa.messages import AddressModel, AddressSize, CacheControl, DataSize, Message, Unit, data_bytes
from xegpu.isa.operands import (
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
    Source,
)
from xegpu.isa.semantics import computation_type
from xegpu.isa.table import Access, Condition, Format, Modifiers
from xegpu.isa.types import FLOATS, INTEGERS, PACKED_IMMEDIATES, SUB_BYTE, DataType
from xegpu.targets import Block2D, BlockLimits, Target

_BYTE_PRECISIONS = frozenset({DataType.UB, DataType.B})
GATHER_VECTORS = {
    DataSize.D32: (1, 2, 3, 4, 8),
    DataSize.D64: (1, 2, 3, 4, 8),
    DataSize.D8U32: (1,),
    DataSize.D16U32: (1,),
}
"""Element size of a gather or scatter to the vector sizes that it goes with."""

_FLAG_BITS = 32

_ARCHITECTURE_TYPES = frozenset({DataType.UW, DataType.W, DataType.UD, DataType.D})
"""Types of operands that are architecture registers."""


def validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Checks one instruction for a target; raises `IllegalInstruction` with the rule and the values."""
    check_form(instruction)
    size, offset = instruction.exec_size, instruction.channel_offset
    if offset % max(size, 4) or offset + size > 32:
        _fail(instruction, f"channel offset {offset} does not go with execution size {size}")
    for flag in _flags(instruction):
        if flag.number >= target.flag_registers:
            _fail(instruction, f"flag register f{flag.number}, {target.name} has f0 to f{target.flag_registers - 1}")
        if 16 * flag.half + offset + size > _FLAG_BITS:
            _fail(instruction, f"channels {offset} to {offset + size - 1} leave flag f{flag.number}.{flag.half}")
    _CHECKS[instruction.spec.format](instruction, target, grf_count)


def _fail(instruction: Instruction, reason: str) -> None:
    raise IllegalInstruction(f"{instruction.mnemonic}: {reason}")


def _flags(instruction: Instruction) -> list[Flag]:
    predicate, condition = instruction.predicate, instruction.condition
    flags = [predicate.flag] if predicate else []
    return flags + ([condition.flag] if condition and condition.flag else [])


def _in_file(instruction: Instruction, register: Register, used: int, target: Target, grf_count: int) -> None:
    end = register.number * target.grf_bytes + register.byte + used
    if register.file is RegisterFile.GRF and (register.byte >= target.grf_bytes or end > grf_count * target.grf_bytes):
        _fail(
            instruction,
            f"{used} bytes from byte {register.byte} of r{register.number} leave the {grf_count} registers "
            f"of {target.grf_bytes} bytes",
        )


def _aligned(instruction: Instruction, register: Register, alignment: int) -> None:
    if register.byte % alignment:
        _fail(instruction, f"byte {register.byte} of r{register.number} is not aligned to {alignment}")


# ALU -----------------------------------------------------------------------------------------------------------------


def _check_alu(instruction: Instruction, target: Target, grf_count: int) -> None:
    spec, destination = instruction.spec, instruction.destination
    assert destination is not None
    allowed = set(spec.types)
    if destination.type not in allowed & (INTEGERS | FLOATS | {DataType.TF32}):
        _fail(instruction, f"destination type {destination.type.text} is not allowed")
    for source in instruction.sources:
        if source.type not in allowed:
            _fail(instruction, f"source type {source.type.text} is not allowed")
        if isinstance(source, Source):
            _check_source(instruction, source, target, grf_count)
    if not destination.register.is_null:
        span = (instruction.exec_size - 1) * destination.stride + 1
        _check_place(instruction, destination.register, destination.type, span, target, grf_count)
        architecture = ARCHITECTURE.get(destination.register.number)
        if destination.register.file is RegisterFile.ARF and architecture is not None and not architecture.writable:
            _fail(instruction, f"{architecture.text} cannot be written")
    if instruction.carry is not None:
        _in_file(instruction, instruction.carry, instruction.exec_size * DataType.UD.size, target, grf_count)
        _aligned(instruction, instruction.carry, DataType.UD.size)
    _check_flag_use(instruction)
    _check_types(instruction, destination.type, {s.type for s in instruction.sources}, target)


def _check_place(
    instruction: Instruction, register: Register, type: DataType, span: int, target: Target, grf_count: int
) -> None:
    """Checks where an operand that spans some elements of a type lies."""
    match register.file:
        case RegisterFile.GRF:
            _in_file(instruction, register, span * type.size, target, grf_count)
            _aligned(instruction, register, type.size)
        case RegisterFile.ARF:
            _check_architecture(instruction, ARCHITECTURE[register.number], register, type, span, target)
        case RegisterFile.INDIRECT:
            if not (0 <= register.number < ADDRESS_WORDS and MIN_INDIRECT <= register.byte <= MAX_INDIRECT):
                _fail(instruction, f"no indirect register r[a0.{register.number}, {register.byte}]")


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
        _fail(instruction, f"flag register {name}, {target.name} has f0 to f{target.flag_registers - 1}")
    if type not in _ARCHITECTURE_TYPES:
        _fail(instruction, f"{name} holds uw, w, ud and d, not {type.text}")
    if span > 1 and not architecture.elements:
        _fail(instruction, f"{name} is one element for all channels")
    if register.byte % type.size or register.byte + span * type.size > architecture.size:
        _fail(
            instruction, f"{span * type.size} bytes from byte {register.byte} of {name}, which has {architecture.size}"
        )


def _check_source(instruction: Instruction, source: Source, target: Target, grf_count: int) -> None:
    region, modifiers = source.region, instruction.spec.modifiers
    if source.type in PACKED_IMMEDIATES:
        _fail(instruction, f"{source.type.text} is a type of immediates only")
    if region.width > instruction.exec_size:
        _fail(instruction, f"region width {region.width} exceeds execution size {instruction.exec_size}")
    if region.width == 1 and region.horizontal != 0:
        _fail(instruction, f"region {_region_text(region)}: rows of width 1 have horizontal stride 0")
    if region.vertical == VXH:
        rows = instruction.exec_size // region.width
        if source.register.number + rows > ADDRESS_WORDS:
            _fail(instruction, f"{rows} rows from a0.{source.register.number} on, a0 has {ADDRESS_WORDS} words")
    span = region.span(instruction.exec_size)
    _check_place(instruction, source.register, source.type, span, target, grf_count)
    if modifiers is Modifiers.LOGIC and source.absolute:
        _fail(instruction, "logic takes no absolute value")
    if modifiers is Modifiers.NONE and (source.negate or source.absolute):
        _fail(instruction, "takes no source modifiers")


def _region_text(region: Region) -> str:
    return f"<{region.vertical};{region.width},{region.horizontal}>"


def _check_flag_use(instruction: Instruction) -> None:
    if instruction.mnemonic in ("cmp", "cmpn", "csel") and instruction.condition is None:
        _fail(instruction, "needs a condition modifier")
    if instruction.mnemonic == "sel":
        if (instruction.condition is None) == (instruction.predicate is None):
            _fail(instruction, "takes either a predicate or a condition")
        if instruction.condition and instruction.condition.condition not in (Condition.LT, Condition.GE):
            _fail(instruction, "takes lt (minimum) or ge (maximum)")


def _check_types(instruction: Instruction, destination: DataType, sources: set[DataType], target: Target) -> None:
    converts, compares = instruction.mnemonic == "mov", instruction.mnemonic in ("cmp", "cmpn")
    if instruction.spec.same_types and len(sources) > 1:
        _fail(instruction, f"sources of different types: {', '.join(sorted(t.text for t in sources))}")
    computed = computation_type(instruction)
    types = sources | {destination}
    condition = instruction.condition
    if condition is not None and condition.condition is Condition.UN:
        compared = computed if compares or instruction.spec.selects else destination
        if not compared.is_float:
            _fail(instruction, f"un compares floats, not {compared.text}")
    if DataType.DF in types and not target.has_fp64:
        _fail(instruction, f"{target.name} has no double precision")
    if DataType.TF32 in types and (types - {DataType.TF32, DataType.F} or not target.dpas.tf32):
        _fail(instruction, "tf32 converts only from and to f, on targets that have it")
    if converts or compares:
        return
    if computed.is_float != destination.is_float or (DataType.DF in types and len(types) > 1):
        _fail(instruction, f"computes in {computed.text}, cannot write {destination.text}: convert with mov")


# dpas ----------------------------------------------------------------------------------------------------------------


def _check_dpas(instruction: Instruction, target: Target, grf_count: int) -> None:
    destination = instruction.destination
    assert destination is not None
    c, b, a = instruction.sources
    lanes, rows = target.dpas.execution_size, instruction.repeat
    if instruction.exec_size != lanes or instruction.channel_offset:
        _fail(instruction, f"execution size {instruction.exec_size}, {target.name} has {lanes}")
    if not 1 <= rows <= target.dpas.max_repeat:
        _fail(instruction, f"repeat count {rows}, expected 1 to {target.dpas.max_repeat}")
    check_dpas_types(destination.type, c.type, b.type, a.type, target)
    shape = dpas_operand_bytes(instruction, target)
    for operand, (used, alignment) in zip((destination, c, b, a), shape, strict=True):
        if isinstance(operand, Immediate) or operand.register.is_null:
            continue
        _in_file(instruction, operand.register, used, target, grf_count)
        _aligned(instruction, operand.register, alignment)


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


# Messages ------------------------------------------------------------------------------------------------------------


def _check_message(instruction: Instruction, target: Target, grf_count: int) -> None:
    spec, message, address = instruction.spec, instruction.message, instruction.address
    assert message is not None
    assert address is not None
    _check_memory(instruction, message)
    if spec.block2d:
        _check_block2d(instruction, message, target)
    elif message.vnni:
        _fail(instruction, "only block-2D loads have the VNNI transform")
    elif message.transposed:
        if instruction.exec_size != 1 or message.data_size not in (DataSize.D32, DataSize.D64):
            _fail(instruction, "a transposed message is SIMD1 with d32 or d64 elements")
    elif message.vector not in GATHER_VECTORS.get(message.data_size, ()):
        _fail(instruction, f"no gather of {message.data_size.text}x{message.vector}")
    used = data_bytes(message, instruction.exec_size, target.grf_bytes, target.physical_simd_width)
    if not spec.block2d and used > target.max_message_bytes:
        _fail(instruction, f"{used} bytes of data, a message carries up to {target.max_message_bytes}")
    _in_file(instruction, address, address_bytes(instruction, target), target, grf_count)
    register = instruction.returned or instruction.data
    if register is not None:
        _in_file(instruction, register, used, target, grf_count)


def address_bytes(instruction: Instruction, target: Target) -> int:
    """Register bytes of a message's address payload."""
    message = instruction.message
    if message is None:
        raise IllegalInstruction(f"{instruction.mnemonic}: not a message")
    if message.block is not None:
        return target.grf_bytes
    return (1 if message.transposed else instruction.exec_size) * message.address_size.size


def _check_memory(instruction: Instruction, message: Message) -> None:
    if message.unit is Unit.UGM:
        return
    if message.unit is not Unit.SLM:
        _fail(instruction, f"{message.unit.text} holds no memory")
    if instruction.spec.access is Access.PREFETCH or instruction.spec.block2d:
        _fail(instruction, "is a message to ugm")
    if (message.address_size, message.model) != (AddressSize.A32, AddressModel.FLAT):
        _fail(instruction, "slm takes flat a32 addresses")
    if message.cache is not CacheControl.DEFAULT:
        _fail(instruction, "slm has no cache controls")


def _check_block2d(instruction: Instruction, message: Message, target: Target) -> None:
    limits, shape = target.block2d, message.block
    if limits is None or shape is None:
        _fail(instruction, f"{target.name} has no block-2D messages")
        return
    if instruction.exec_size != 1:
        _fail(instruction, f"execution size {instruction.exec_size}, expected 1")
    if (message.address_size, message.model, message.offset) != (AddressSize.A64, AddressModel.FLAT, 0):
        _fail(instruction, "takes a flat a64 payload without an immediate offset")
    size = message.data_size.memory_bytes
    rule = _block_rules(limits, instruction.spec.access, message).get(size)
    bad_row = shape.width * size % limits.row_bytes_multiple != 0
    widened = message.data_size.memory_bytes != message.data_size.register_bytes
    if rule is None or bad_row or widened or not rule.allows(shape.width, shape.height, shape.count):
        kind = "VNNI " if message.vnni else "transposed " if message.transposed else ""
        _fail(instruction, f"no {kind}block of {shape.width}x{shape.height}x{shape.count} {message.data_size.text}")


def _block_rules(limits: Block2D, access: Access | None, message: Message) -> Mapping[int, BlockLimits]:
    """Element size to limits, for what a block-2D message does; empty when no message does that."""
    match access, message.transposed, message.vnni:
        case Access.STORE, False, False:
            return limits.store
        case Access.LOAD | Access.PREFETCH, False, False:
            return limits.load
        case Access.LOAD, True, False:
            return limits.load_transposed
        case Access.LOAD, False, True:
            return limits.load_vnni
    return {}


# Control -------------------------------------------------------------------------------------------------------------


def _check_control(instruction: Instruction, target: Target, grf_count: int) -> None:
    """The program checks where branches go."""
    if instruction.exec_size != 1:
        _fail(instruction, f"execution size {instruction.exec_size}, expected 1")


_CHECKS: dict[Format, Callable[[Instruction, Target, int], None]] = {
    Format.ALU: _check_alu,
    Format.DPAS: _check_dpas,
    Format.MESSAGE: _check_message,
    Format.BRANCH: _check_control,
    Format.PLAIN: _check_control,
}
