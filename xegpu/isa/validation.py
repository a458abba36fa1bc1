"""Rules that a decoded instruction must keep on a target, beyond having an encoding."""

from __future__ import annotations

from collections.abc import Callable

from xegpu.isa.instruction import IllegalInstruction, Instruction
from xegpu.isa.messages import DataSize, Unit, data_bytes
from xegpu.isa.operands import Immediate, Register, RegisterFile, Source
from xegpu.isa.semantics import computation_type
from xegpu.isa.table import Access, Condition, Format, Modifiers
from xegpu.isa.types import FLOATS, INTEGERS, SUB_BYTE, DataType
from xegpu.targets import Target

_BYTE_PRECISIONS = frozenset({DataType.UB, DataType.B})
_LOAD_VECTORS = (1, 2, 3, 4, 8)


def validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Checks one instruction for a target; raises `IllegalInstruction` with the rule and the values."""
    size, offset = instruction.exec_size, instruction.channel_offset
    if offset % min(max(size, 4), 32) or offset + size > 32:
        _fail(instruction, f"channel offset {offset} does not go with execution size {size}")
    for flag in _flags(instruction):
        if flag >= target.flag_registers:
            _fail(instruction, f"flag register f{flag}, {target.name} has f0 to f{target.flag_registers - 1}")
    _CHECKS[instruction.spec.format](instruction, target, grf_count)


def _fail(instruction: Instruction, reason: str) -> None:
    raise IllegalInstruction(f"{instruction.mnemonic}: {reason}")


def _flags(instruction: Instruction) -> list[int]:
    predicate, condition = instruction.predicate, instruction.condition
    flags = [predicate.flag.number] if predicate else []
    return flags + ([condition.flag.number] if condition and condition.flag else [])


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


def _check_alu(instruction: Instruction, target: Target, grf_count: int) -> None:
    spec, destination = instruction.spec, instruction.destination
    if destination is None or len(instruction.sources) != spec.sources:
        _fail(instruction, f"takes a destination and {spec.sources} sources")
        return
    allowed = set(spec.types)
    if destination.type not in allowed & (INTEGERS | FLOATS | {DataType.TF32}):
        _fail(instruction, f"destination type {destination.type.text} is not allowed")
    for source in instruction.sources:
        if source.type not in allowed:
            _fail(instruction, f"source type {source.type.text} is not allowed")
        if isinstance(source, Source):
            span = source.region.span(instruction.exec_size) * source.type.size
            _in_file(instruction, source.register, span, target, grf_count)
            _aligned(instruction, source.register, source.type.size)
            if spec.modifiers is Modifiers.LOGIC and source.absolute:
                _fail(instruction, "logic takes no absolute value")
            if spec.modifiers is Modifiers.NONE and (source.negate or source.absolute):
                _fail(instruction, "takes no source modifiers")
    if not destination.register.is_null:
        span = ((instruction.exec_size - 1) * destination.stride + 1) * destination.type.size
        _in_file(instruction, destination.register, span, target, grf_count)
        _aligned(instruction, destination.register, destination.type.size)
    _check_alu_combination(instruction, target)


def _check_alu_combination(instruction: Instruction, target: Target) -> None:
    destination, sources = instruction.destination, instruction.sources
    if destination is None:
        return
    if instruction.mnemonic == "cmp" and (instruction.condition is None or instruction.condition.flag is None):
        _fail(instruction, "needs a condition modifier with a flag")
    if instruction.mnemonic == "sel":
        if (instruction.condition is None) == (instruction.predicate is None):
            _fail(instruction, "takes either a predicate or a condition")
        if instruction.condition and instruction.condition.condition not in (Condition.LT, Condition.GE):
            _fail(instruction, "takes lt (minimum) or ge (maximum)")
    computed = computation_type(instruction)
    if instruction.mnemonic not in ("mov", "cmp") and computed.is_float != destination.type.is_float:
        _fail(instruction, f"computes in {computed.text}, cannot write {destination.type.text}: convert with mov")
    if DataType.TF32 in (destination.type, *(s.type for s in sources)):
        types = {destination.type, *(s.type for s in sources)}
        if types - {DataType.TF32, DataType.F} or not target.dpas.tf32:
            _fail(instruction, "tf32 converts only from and to f, on targets that have it")


def _check_dpas(instruction: Instruction, target: Target, grf_count: int) -> None:
    destination = instruction.destination
    registers = instruction.sources
    if destination is None or len(registers) != 3 or any(isinstance(s, Immediate) for s in registers):
        _fail(instruction, "takes a destination, C, B and A")
        return
    c, b, a = registers
    lanes, rows = target.dpas.execution_size, instruction.repeat
    if instruction.exec_size != lanes or instruction.channel_offset:
        _fail(instruction, f"execution size {instruction.exec_size}, {target.name} has {lanes}")
    if not 1 <= rows <= target.dpas.max_repeat:
        _fail(instruction, f"repeat count {rows}, expected 1 to {target.dpas.max_repeat}")
    check_dpas_types(destination.type, c.type, b.type, a.type, target)
    shape = dpas_operand_bytes(instruction, target)
    for operand, (used, alignment) in zip((destination, c, b, a), shape, strict=True):
        register = operand.register if not isinstance(operand, Immediate) else None
        if register is None or register.is_null:
            continue
        _in_file(instruction, register, used, target, grf_count)
        _aligned(instruction, register, alignment)


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


def _check_message(instruction: Instruction, target: Target, grf_count: int) -> None:
    spec, message, address = instruction.spec, instruction.message, instruction.address
    if message is None or address is None:
        _fail(instruction, "needs message fields and an address register")
        return
    stores, loads = spec.access is Access.STORE, spec.access is Access.LOAD
    if (instruction.data is not None) != stores or (instruction.returned is not None) != loads:
        _fail(instruction, "loads return registers, stores take data, prefetches neither")
    if (message.block is not None) != spec.block2d:
        _fail(instruction, "a block shape belongs to block-2D messages, and only to them")
    if spec.block2d:
        _check_block2d(instruction, target)
    elif message.transposed:
        if instruction.exec_size != 1 or message.data_size not in (DataSize.D32, DataSize.D64):
            _fail(instruction, "a transposed message is SIMD1 with d32 or d64 elements")
    else:
        small = message.data_size in (DataSize.D8U32, DataSize.D16U32)
        if message.data_size in (DataSize.D8, DataSize.D16) or message.vector not in ((1,) if small else _LOAD_VECTORS):
            _fail(instruction, f"no gather of {message.data_size.text}x{message.vector}")
    if message.vnni and not spec.block2d:
        _fail(instruction, "only block-2D loads have the VNNI transform")
    size = instruction.exec_size if not (message.transposed or spec.block2d) else 1
    payload = target.grf_bytes if spec.block2d else size * message.address_size.size
    _in_file(instruction, address, payload, target, grf_count)
    used = data_bytes(message, instruction.exec_size, target.grf_bytes, target.physical_simd_width)
    register = instruction.returned or instruction.data
    if register is not None:
        _in_file(instruction, register, used, target, grf_count)


def _check_block2d(instruction: Instruction, target: Target) -> None:
    message, limits = instruction.message, target.block2d
    if message is None or message.block is None:
        return
    if limits is None:
        _fail(instruction, f"{target.name} has no block-2D messages")
        return
    if message.unit is not Unit.UGM or instruction.exec_size != 1:
        _fail(instruction, "is a SIMD1 message to ugm")
    shape, size = message.block, message.data_size.memory_bytes
    if instruction.spec.access is Access.STORE:
        table = limits.store if not (message.vnni or message.transposed) else {}
    elif message.vnni:
        table = limits.load_vnni if not message.transposed else {}
    else:
        table = limits.load_transposed if message.transposed else limits.load
    rule = table.get(size)
    bad_row = shape.width * size % limits.row_bytes_multiple != 0
    if rule is None or bad_row or not rule.allows(shape.width, shape.height, shape.count):
        kind = "VNNI " if message.vnni else "transposed " if message.transposed else ""
        _fail(instruction, f"no {kind}block of {shape.width}x{shape.height}x{shape.count} {message.data_size.text}")


def _check_nothing(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Branches and plain instructions have no operands to check; the program checks where branches go."""


_CHECKS: dict[Format, Callable[[Instruction, Target, int], None]] = {
    Format.ALU: _check_alu,
    Format.DPAS: _check_dpas,
    Format.MESSAGE: _check_message,
    Format.BRANCH: _check_nothing,
    Format.PLAIN: _check_nothing,
}
