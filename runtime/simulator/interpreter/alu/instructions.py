"""ALU instructions: formulas of the instruction table, evaluated on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.alu.conversions import conversion
from runtime.simulator.interpreter.alu.float_modes import controlled_primitives, controlled_result
from runtime.simulator.interpreter.alu.operands import (
    Reader,
    Writer,
    destination_addresses,
    raw_reader,
    reader,
    source_addresses,
    writer,
)
from runtime.simulator.interpreter.alu.primitives import FLOAT, INTEGER, Primitive, comparison
from runtime.simulator.interpreter.threads.step import Step
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.interpreter.threads.values import (
    DTYPES,
    Array,
    Bools,
    bits_dtype,
    canonical_nans,
    lane_array,
    lane_bits,
    number,
)
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.fault import Fault
from runtime.simulator.machine.rounding import CONTROL_BITS, FloatControl
from xegpu.isa import DataType, Destination, Instruction, RegisterFile, SourceRegister
from xegpu.isa.model import (
    COMPARISONS,
    CONTROL_DEFAULT,
    Expression,
    IntegerConstant,
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

Evaluate = Callable[[], Array]


def decode_alu(instruction: Instruction, thread: Thread) -> Step:
    """Returns the step of an ALU instruction: enabled channels, the formula, flag bits and elements of the result."""
    destination = instruction.destination
    assert destination is not None
    channels, every = instruction.exec_size, (1 << instruction.exec_size) - 1
    tree = expression(instruction)
    # A predicate that the formula uses selects between sources and does not disable channels.
    enabled = thread.base_channels if uses_predicate(tree) else thread.enabled
    evaluate = _result(instruction, thread, tree, destination.type)
    set_flags = _flag_writer(instruction, thread, destination.type)
    write = writer(thread, destination, channels)
    carry = _carry(instruction, thread)
    check = _indirect_check(instruction, thread)

    def step() -> None:
        on = enabled(instruction, channels)
        if not on:
            return
        if check is not None:
            check(on)
        result = evaluate()
        if set_flags is not None:
            set_flags(result, on)
        lanes = None if on == every else lane_array(on, channels)
        if carry is None:
            write(_elements(result, destination.type), lanes)
            return
        second = carry.evaluate()
        write(result, lanes)
        carry.write(second, lanes)

    return step


def _indirect_check(instruction: Instruction, thread: Thread) -> Callable[[int], None] | None:
    """Raises a fault if an enabled channel has an indirect operand outside of the general registers.

    None without indirect operands. Sources are checked in order, then the destination, and of each the lowest channel
    first.
    """
    channels = instruction.exec_size
    operands: list[tuple[Callable[[], NDArray[np.int64]], int]] = [
        (source_addresses(thread, source, channels), source.type.size)
        for source in instruction.sources
        if isinstance(source, SourceRegister) and source.register.file is RegisterFile.INDIRECT
    ]
    destination = instruction.destination
    if destination is not None and destination.register.file is RegisterFile.INDIRECT:
        operands.append((destination_addresses(thread, destination, channels), destination.type.size))
    if not operands:
        return None

    def check(on: int) -> None:
        for addresses, size in operands:
            offsets = addresses()
            wrong = (offsets < 0) | (offsets > len(thread.registers) - size) | (offsets % size != 0)
            wrong &= lane_array(on, channels)
            if wrong.any():
                lane = int(np.argmax(wrong))
                raise Fault(
                    FaultKind.BAD_REGISTER,
                    lane=instruction.channel_offset + lane,
                    address=int(offsets[lane]),
                    size=size,
                )

    return check


@dataclass(frozen=True)
class _Second:
    """The second destination of an instruction: its value and its writer."""

    evaluate: Evaluate
    write: Writer


def _carry(instruction: Instruction, thread: Thread) -> _Second | None:
    tree, register = carry_expression(instruction.spec), instruction.carry
    if tree is None or register is None:
        return None
    destination = Destination(register, DataType.UD)
    write = writer(thread, destination, instruction.exec_size)
    return _Second(_result(instruction, thread, tree, destination.type), write)


def _elements(result: Array, type: DataType) -> Array:
    """Converts a value to elements of the destination: booleans become all ones or all zeros."""
    return -result.astype(bits_dtype(type)) if result.dtype == np.bool_ else result


def _result(instruction: Instruction, thread: Thread, tree: Expression, type: DataType) -> Evaluate:
    """Converts the formula's value to the destination's type `type`; a comparison's value stays boolean."""
    plain = _evaluation(instruction, thread, tree, type, None)
    if not thread.writes_control:
        return plain
    variants = {CONTROL_DEFAULT & CONTROL_BITS: plain}

    def evaluate() -> Array:
        control = int(thread.control.view(np.uint32)[0]) & CONTROL_BITS
        if control not in variants:
            variants[control] = _evaluation(instruction, thread, tree, type, FloatControl(control))
        return variants[control]()

    return evaluate


def _evaluation(
    instruction: Instruction, thread: Thread, tree: Expression, type: DataType, control: FloatControl | None
) -> Evaluate:
    """Returns the evaluation for one value of the control register; None is the initial one."""
    channels, sources = instruction.exec_size, instruction.sources
    if is_bit_copy(instruction):
        raw = [raw_reader(thread, s, channels) for s in sources]
        return _Evaluator(instruction, thread, raw, INTEGER, bits_dtype(type)).of(tree)
    computed = computation_type(instruction)
    readers = [reader(thread, s, channels, instruction.spec.modifiers, computed, control) for s in sources]
    primitives = FLOAT if computed.is_float else INTEGER
    if computed.is_float and control is not None:
        primitives = primitives | controlled_primitives(computed, control.rounding)
    evaluate = _Evaluator(instruction, thread, readers, primitives, DTYPES[computed]).of(tree)
    if is_comparison(tree):
        return evaluate
    if control is not None and type.is_float:
        return lambda: controlled_result(evaluate(), computed, type, control, saturate=instruction.saturate)
    convert = conversion(computed, type, saturate=instruction.saturate)
    if not type.is_float:
        return lambda: convert(evaluate())
    return lambda: canonical_nans(convert(evaluate()), type)


@dataclass(frozen=True)
class _Evaluator:
    """Compiles formulas to functions of the operands that `readers` read; constants have the type `dtype`."""

    instruction: Instruction
    thread: Thread
    readers: list[Reader]
    primitives: dict[str, Primitive]
    dtype: np.dtype[Any]

    def of(self, tree: Expression) -> Evaluate:
        match tree:
            case SourceOperand(index):
                return self.readers[index]
            case IntegerConstant(value):
                constant = np.array([value]).astype(self.dtype)
                return lambda: constant
            case PredicateBits():
                instruction, channels = self.instruction, self.instruction.exec_size
                return lambda: lane_array(self.thread.predicate(instruction, channels), channels)
            case PrimitiveCall(name, arguments):
                function = self._primitive(name)
                parts = [self.of(argument) for argument in arguments]
                return lambda: function(*(part() for part in parts))

    def _primitive(self, name: str) -> Primitive:
        condition = self.instruction.condition
        if condition is None or name not in COMPARISONS:
            return self.primitives[name]
        holds = comparison(condition.condition)
        return holds if name == "compare" else lambda a, b: holds(a, b) | (b != b)


def _flag_writer(instruction: Instruction, thread: Thread, type: DataType) -> Callable[[Array, int], None] | None:
    """Returns the function that writes the condition's result for enabled channels, None without a condition flag."""
    condition = instruction.condition
    if condition is None or condition.flag is None:
        return None
    flag, offset, channels = condition.flag, instruction.channel_offset, instruction.exec_size
    holds, dtype = comparison(condition.condition), DTYPES[type]
    zero = np.zeros(1, number(np.zeros(1, dtype), type).dtype)

    def outcome(result: Array) -> Bools:
        return result if result.dtype == np.bool_ else holds(number(result.view(dtype), type), zero)

    def write(result: Array, on: int) -> None:
        truth = np.broadcast_to(outcome(result), channels)
        thread.write_flag_bits(flag, offset, lane_bits(truth), on)

    return write
