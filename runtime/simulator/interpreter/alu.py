"""ALU instructions: their table formulas evaluated on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.simulator.interpreter.conversions import conversion
from runtime.simulator.interpreter.operands import Reader, raw_reader, reader, writer
from runtime.simulator.interpreter.primitives import FLOAT, INTEGER, Primitive, comparison
from runtime.simulator.interpreter.step import Step
from runtime.simulator.interpreter.thread import Thread
from runtime.simulator.interpreter.values import (
    DTYPES,
    Array,
    Bools,
    bits_dtype,
    canonical_nans,
    lane_array,
    lane_bits,
    number,
)
from xegpu.isa import DataType, Instruction
from xegpu.isa.semantics import Call, Expression, Operand, PredicateBits, computation_type, expression, is_bit_copy

Evaluate = Callable[[], Array]


def decode_alu(instruction: Instruction, thread: Thread) -> Step:
    """The step of an ALU instruction: which channels, the formula, the result's flag bits and its elements."""
    destination = instruction.destination
    assert destination is not None
    channels, every = instruction.exec_size, (1 << instruction.exec_size) - 1
    tree = expression(instruction)
    # A predicate that the formula itself uses chooses between sources and does not switch channels off.
    enabled = thread.base_channels if _uses_predicate(tree) else thread.enabled
    evaluate = _result(instruction, thread, tree, destination.type)
    set_flags = _flag_writer(instruction, thread, destination.type)
    write = writer(thread, destination, channels)

    def step() -> None:
        on = enabled(instruction, channels)
        if not on:
            return
        result = evaluate()
        if set_flags is not None:
            set_flags(result, on)
        write(_elements(result, destination.type), None if on == every else lane_array(on, channels))

    return step


def _uses_predicate(tree: Expression) -> bool:
    return isinstance(tree, PredicateBits) or (isinstance(tree, Call) and any(map(_uses_predicate, tree.arguments)))


def _elements(result: Array, type: DataType) -> Array:
    """What goes to the destination: a truth value becomes all ones or all zeros."""
    return -result.astype(bits_dtype(type)) if result.dtype == np.bool_ else result


def _result(instruction: Instruction, thread: Thread, tree: Expression, type: DataType) -> Evaluate:
    """The formula's value, converted to the destination's type `type`; a comparison's value stays a truth value."""
    channels, sources = instruction.exec_size, instruction.sources
    if is_bit_copy(instruction):
        return _evaluator(instruction, thread, tree, [raw_reader(thread, s, channels) for s in sources], INTEGER)
    computed = computation_type(instruction)
    readers = [reader(thread, s, channels, instruction.spec.modifiers, computed) for s in sources]
    evaluate = _evaluator(instruction, thread, tree, readers, FLOAT if computed.is_float else INTEGER)
    if isinstance(tree, Call) and tree.name == "compare":
        return evaluate
    convert = conversion(computed, type, saturate=instruction.saturate)
    if not type.is_float:
        return lambda: convert(evaluate())
    return lambda: canonical_nans(convert(evaluate()), type)


def _evaluator(
    instruction: Instruction,
    thread: Thread,
    tree: Expression,
    readers: list[Reader],
    primitives: dict[str, Primitive],
) -> Evaluate:
    """A function that evaluates `tree` on the operands that `readers` read."""
    match tree:
        case Operand(index):
            return readers[index]
        case PredicateBits():
            channels = instruction.exec_size
            return lambda: lane_array(thread.predicate(instruction, channels), channels)
        case Call(name, arguments):
            function = _primitive(instruction, name, primitives)
            parts = [_evaluator(instruction, thread, a, readers, primitives) for a in arguments]
            return lambda: function(*(part() for part in parts))


def _primitive(instruction: Instruction, name: str, primitives: dict[str, Primitive]) -> Primitive:
    if name == "compare" and instruction.condition is not None:
        return comparison(instruction.condition.condition)
    return primitives[name]


def _flag_writer(instruction: Instruction, thread: Thread, type: DataType) -> Callable[[Array, int], None] | None:
    """Writes the condition's outcome for the channels that are on; None without a condition that names a flag."""
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
