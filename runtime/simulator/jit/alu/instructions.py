"""ALU instructions: operands, the table's formula, result, flags."""

from __future__ import annotations

from runtime.llvm import (
    IRFunction,
    Value,
    carrier,
    constant,
    count_of,
    decode,
    encode,
    float_splat,
    lanes,
    literals,
    mangled,
    splat,
    widen,
)
from runtime.simulator.jit.alu.float_modes import Controlled
from runtime.simulator.jit.alu.primitives import PRIMITIVES, compare
from runtime.simulator.jit.state.channels import Channels
from runtime.simulator.jit.state.control_register import DEFAULT
from runtime.simulator.jit.state.indirect_operands import Indirect
from runtime.simulator.jit.state.registers import Registers
from xegpu.isa import (
    Condition,
    DataType,
    Destination,
    IllegalInstruction,
    Immediate,
    Instruction,
    Region,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.formats import byte_of, is_apart
from xegpu.isa.model import (
    COMPARISONS,
    CONTROL,
    PACKED_AS,
    Expression,
    IntegerConstant,
    Modifiers,
    PredicateBits,
    PrimitiveCall,
    SourceOperand,
    carry_expression,
    computation_type,
    expression,
    is_bit_copy,
    is_comparison,
    uses_predicate,
)
from xegpu.targets import Target


class Alu:
    """Emits ALU instructions in one function."""

    def __init__(self, code: IRFunction, registers: Registers, channels: Channels, target: Target, indirect: Indirect):
        self._code = code
        self._controlled: Controlled | None = None
        self._indirect = indirect
        self._registers = registers
        self._channels = channels
        self._target = target

    def emit(self, instruction: Instruction, index: int, control: int | None) -> None:
        """Emits an instruction: reads the sources, computes, and writes flags and destination of the enabled channels.

        `index` is the instruction's number, `control` the known value of the control register (None: not known).
        """
        self._controlled = None if control == DEFAULT else Controlled(self._code, self._control(control))
        destination = instruction.destination
        if destination is None:
            raise IllegalInstruction(f"{instruction.mnemonic}: no destination")
        code, count = self._code, instruction.exec_size
        tree = expression(instruction)
        # A predicate that the formula uses selects between sources and does not disable channels.
        chooses = uses_predicate(tree)
        mask = (self._channels.base if chooses else self._channels.enabled)(instruction, count)
        self._indirect.check(instruction, index, mask)
        raw, truths = self._result(instruction, tree, destination.type, mask)
        second = carry_expression(instruction.spec)
        carry = None if second is None else self._result(instruction, second, DataType.UD, mask)[0]
        condition = instruction.condition
        if condition is not None and condition.flag is not None:
            if truths is None:
                zero = splat(count, carrier(destination.type), "0.0" if destination.type.is_float else 0)
                truths = compare(code, destination.type, condition.condition, decode(code, raw, destination.type), zero)
            self._channels.set_flag(condition.flag, instruction.channel_offset, truths, count, mask)
        if not destination.register.is_null:
            self._write(destination, count, raw, mask)
        if carry is not None and instruction.carry is not None:
            self._write(Destination(instruction.carry, DataType.UD), count, carry, mask)

    def _result(
        self, instruction: Instruction, tree: Expression, type: DataType, mask: Value | None
    ) -> tuple[Value, Value | None]:
        """Returns the bits of the result and, for a comparison, its booleans."""
        code, count = self._code, instruction.exec_size
        if is_bit_copy(instruction):
            raw = [self._raw(source, count, mask) for source in instruction.sources]
            return self._evaluate(instruction, tree, type, raw), None
        computed = computation_type(instruction)
        operands = [self._operand(instruction, source, computed, mask) for source in instruction.sources]
        values = self._evaluate(instruction, tree, computed, operands)
        if is_comparison(tree):
            return code.cast("sext", values, lanes(count, f"i{type.bits}")), values
        if self._controlled is not None and type.is_float:
            return self._controlled.encode(values, computed, type, saturate=instruction.saturate), None
        if computed is DataType.HF and type is not DataType.HF and isinstance(tree, PrimitiveCall):
            # The formula's value has more bits than hf.
            values = decode(code, encode(code, values, computed, computed), computed)
        return encode(code, values, computed, type, saturate=instruction.saturate), None

    def _evaluate(self, instruction: Instruction, tree: Expression, type: DataType, operands: list[Value]) -> Value:
        match tree:
            case SourceOperand(index):
                return operands[index]
            case IntegerConstant(value):
                count = instruction.exec_size
                if type.is_float:
                    return float_splat(count, carrier(type), float(value))
                return splat(count, carrier(type), value)
            case PredicateBits():
                count = instruction.exec_size
                return self._channels.predicate(instruction, count) or literals("i1", ["true"] * count)
            case PrimitiveCall(name, arguments):
                values = [self._evaluate(instruction, argument, type, operands) for argument in arguments]
                if name in COMPARISONS and instruction.condition is not None:
                    return self._compare(name, type, instruction.condition.condition, *values)
                if self._controlled is not None and type.is_float and self._controlled.rounds(name):
                    return self._controlled.primitive(name, type, values)
                return PRIMITIVES[name](self._code, type, *values)

    def _compare(self, name: str, type: DataType, condition: Condition, a: Value, b: Value) -> Value:
        holds = compare(self._code, type, condition, a, b)
        if name == "compare" or not type.is_float:
            return holds
        return self._code.binary("or", holds, self._code.compare("fcmp uno", b, b))

    def _control(self, known: int | None) -> Value:
        if known is not None:
            return constant("i32", known)
        return self._registers.read(byte_of(Register(RegisterFile.ARF, CONTROL.number), self._target), 1, 32)

    # Operands.

    def _operand(
        self, instruction: Instruction, source: SourceRegister | Immediate, computed: DataType, mask: Value | None
    ) -> Value:
        """Returns values of the computation type, modifiers applied."""
        type = PACKED_AS.get(source.type, source.type)
        raw = self._raw(source, instruction.exec_size, mask)
        if self._controlled is not None:
            raw = self._controlled.flushed(raw, type)
        values = widen(self._code, decode(self._code, raw, type), type, computed)
        if isinstance(source, SourceRegister):
            return self._modified(values, source, instruction.spec.modifiers, computed)
        return values

    def _modified(self, values: Value, source: SourceRegister, modifiers: Modifiers, type: DataType) -> Value:
        code, count = self._code, count_of(values.type)
        if modifiers is Modifiers.LOGIC:
            return code.binary("xor", values, splat(count, f"i{type.bits}", -1)) if source.negate else values
        if type.is_float:
            values = code.call(mangled("fabs", values.type), values.type, values) if source.absolute else values
            return code.unary("fneg", values) if source.negate else values
        if source.absolute and type.is_signed:
            values = code.call(mangled("abs", values.type), values.type, values, Value("i1", "false"))
        return code.binary("sub", splat(count, f"i{type.bits}", 0), values) if source.negate else values

    def _raw(self, source: SourceRegister | Immediate, count: int, mask: Value | None) -> Value:
        """Returns the bits of an operand, one element per channel; undefined for disabled channels."""
        if isinstance(source, Immediate):
            if source.type in PACKED_AS:
                bits = PACKED_AS[source.type].bits
                return literals(f"i{bits}", [source.lane_bits(channel) for channel in range(count)])
            return splat(count, f"i{source.type.bits}", source.bits)
        register, bits = source.register, source.type.bits
        if register.file is RegisterFile.INDIRECT:
            return self._indirect.read(source, count, mask)
        if is_apart(register):
            held = self._channels.mask if register.flag is None else self._channels.flag(register.flag)
            shifted = self._code.binary("lshr", held, constant("i32", 8 * register.byte))
            return self._code.broadcast(self._code.cast("trunc", shifted, f"i{bits}"), count)
        start = byte_of(register, self._target)
        return self._region(start, bits, source.region, count)

    def _region(self, start: int, bits: int, region: Region, count: int) -> Value:
        elements = [region.element(channel) for channel in range(count)]
        if not any(elements):
            return self._code.broadcast(self._registers.read(start, 1, bits), count)
        if elements == list(range(count)):
            return self._registers.read(start, count, bits)
        return self._code.shuffle(self._registers.read(start, max(elements) + 1, bits), None, elements)

    def _write_flag(self, flag: int, byte: int, raw: Value, mask: Value | None) -> None:
        if mask is not None:
            shifted = self._code.binary("lshr", self._channels.flag(flag), constant("i32", 8 * byte))
            raw = self._code.select(mask, raw, self._code.cast("trunc", shifted, raw.type))
        self._channels.write_flag(flag, byte, raw)

    def _write(self, destination: Destination, count: int, raw: Value, mask: Value | None) -> None:
        code, stride, bits = self._code, destination.stride, destination.type.bits
        register = destination.register
        if register.file is RegisterFile.INDIRECT:
            self._indirect.write(destination, raw, mask)
            return
        if register.flag is not None:
            self._write_flag(register.flag, register.byte, raw, mask)
            return
        start = byte_of(register, self._target)
        if mask is None and (stride == 1 or count == 1):
            self._registers.write(start, raw)
            return
        span = (count - 1) * stride + 1
        old = self._registers.read(start, span, bits)
        if mask is not None:
            kept = old if stride == 1 or count == 1 else code.shuffle(old, None, range(0, span, stride))
            raw = code.select(mask, raw, kept)
        if stride > 1 and count > 1:
            spread = code.shuffle(raw, None, [position // stride for position in range(span)])
            raw = code.shuffle(
                old, code.apart(spread), [position + span * (position % stride == 0) for position in range(span)]
            )
        self._registers.write(start, raw)
