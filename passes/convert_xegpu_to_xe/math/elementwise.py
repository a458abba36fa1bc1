"""Lowers elementwise `arith` and `math` operations on scalars and vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatTF32Type, i1
from xdsl.dialects.math import AbsFOp, CeilOp, FloorOp, FmaOp, RoundEvenOp, TruncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.register_types import BOOLEAN, element_type
from xegpu.dialects.upstream.arith import (
    CastOp,
    CmpfOp,
    CmpiOp,
    DivSIOp,
    DivUIOp,
    ExtSIOp,
    ExtUIOp,
    FPToSIOp,
    IndexCastOp,
    IndexCastUIOp,
    SelectOp,
    ShRSIOp,
    ShRUIOp,
    SIToFPOp,
)
from xegpu.dialects.xe import register_type
from xegpu.isa.model import BY_MNEMONIC, Condition, DataType, Immediate, integer


def signed(number: Number) -> Number:
    """Returns the number read as a signed integer."""
    return _reinterpret(number, True)


def unsigned(number: Number) -> Number:
    """Returns the number read as an unsigned integer."""
    return _reinterpret(number, False)


def _reinterpret(number: Number, is_signed: bool) -> Number:
    if number.type.is_float:
        return number
    type = integer(number.type.bits, is_signed)
    return UniformConstant(type, number.value) if isinstance(number, UniformConstant) else number.as_type(type)


@dataclass(frozen=True)
class Rule:
    """The instruction that an operation becomes; `read` gives the operands the type that the operation means."""

    mnemonic: str
    read: Callable[[Number], Number] = unsigned
    negate: tuple[bool, ...] = ()
    condition: Condition | None = None


_SUBTRACT = (False, True)
_PADDING = 64
"""A register block is longer than its value by fewer bytes than this."""
RULES: Mapping[type[Operation], Rule] = {
    arith.AddiOp: Rule("add"),
    arith.SubiOp: Rule("add", negate=_SUBTRACT),
    arith.MuliOp: Rule("mul"),
    DivSIOp: Rule("div", signed),
    DivUIOp: Rule("div"),
    arith.RemSIOp: Rule("mod", signed),
    arith.RemUIOp: Rule("mod"),
    arith.AndIOp: Rule("and"),
    arith.OrIOp: Rule("or"),
    arith.XOrIOp: Rule("xor"),
    arith.ShLIOp: Rule("shl"),
    ShRSIOp: Rule("asr", signed),
    ShRUIOp: Rule("shr"),
    arith.MinSIOp: Rule("sel", signed, condition=Condition.LT),
    arith.MinUIOp: Rule("sel", condition=Condition.LT),
    arith.MaxSIOp: Rule("sel", signed, condition=Condition.GE),
    arith.MaxUIOp: Rule("sel", condition=Condition.GE),
    arith.AddfOp: Rule("add"),
    arith.SubfOp: Rule("add", negate=_SUBTRACT),
    arith.MulfOp: Rule("mul"),
    arith.DivfOp: Rule("div"),
    arith.NegfOp: Rule("mov", negate=(True,)),
    arith.MinnumfOp: Rule("sel", condition=Condition.LT),
    arith.MaxnumfOp: Rule("sel", condition=Condition.GE),
    FmaOp: Rule("mad"),
    FloorOp: Rule("rndd"),
    CeilOp: Rule("rndu"),
    TruncOp: Rule("rndz"),
    RoundEvenOp: Rule("rnde"),
}
_ONE_BIT = {"add": "xor", "mul": "and", "div": "and"}
"""The instructions for sums, products and quotients of i1; a divisor can only be 1."""


@lowers(*RULES)
def by_rule(lowering: KernelLowering, op: Operation) -> None:
    rule = RULES[type(op)]
    element = _result_type(lowering, op)
    values, negate = list(op.operands), list(rule.negate) or [False] * len(op.operands)
    if rule.mnemonic == "add":
        _read_bits(lowering, values, negate)
    numbers, count = lowering.operands(op, values)
    if (folded := _fold_scalar(lowering, op, numbers)) is not None:
        lowering.values[op.results[0]] = folded
        return
    mnemonic = rule.mnemonic
    if element is BOOLEAN and mnemonic in _ONE_BIT:
        mnemonic, negate = _ONE_BIT[mnemonic], []
    emit, read = lowering.emit, [n if n.type is BOOLEAN is not element else rule.read(n) for n in numbers]
    computed = element
    if element not in BY_MNEMONIC[mnemonic].types:
        computed = DataType.F
        read = [emit.unary("mov", computed, n, count) for n in read]
    place = _dying_operand(op, values, read, count, computed) if computed is element else None
    result = emit.alu(mnemonic, computed, read, count, negate=negate, condition=rule.condition, reuse=place)
    lowering.values[op.results[0]] = _rounded(lowering, op, result, element)


def _read_bits(lowering: KernelLowering, values: list[SSAValue], negate: list[bool]) -> None:
    """Replaces extended i1 by the i1: its word is -1 where it is true, so that zero extension is a negation."""
    for position, value in enumerate(values):
        if isinstance(value.owner, ExtSIOp | ExtUIOp | IndexCastOp | IndexCastUIOp):
            bit = value.owner.operands[0]
            if get_element_type_or_self(bit.type) == i1 and isinstance(lowering.values[bit], Elements):
                values[position] = bit
                negate[position] ^= isinstance(value.owner, ExtUIOp | IndexCastUIOp)


def _dying_operand(
    op: Operation, values: Sequence[SSAValue], numbers: Sequence[Number], count: int, type: DataType
) -> SSAValue | None:
    """Returns the register block of an operand that can take the result: no other use, and the same size."""
    for value, number in zip(values, numbers, strict=True):
        if not isinstance(number, Elements) or number.count != count or number.type.size != type.size or count == 1:
            continue
        whole = number.offset == 0 and register_type(number.register).size.data < number.size + _PADDING
        others = [n for n in numbers if isinstance(n, Elements) and n.register is number.register]
        dies = all(use.operation is op for use in value.uses) and _block_of(value) is op.parent
        if whole and dies and all(n == number for n in others):
            return number.register
    return None


def _block_of(value: SSAValue) -> Block | None:
    return value.owner if isinstance(value.owner, Block) else value.owner.parent


def _rounded(lowering: KernelLowering, op: Operation, value: Elements, type: DataType) -> Elements:
    """Returns a float result in the precision of the operation's type."""
    if isinstance(get_element_type_or_self(op.results[0].type), FloatTF32Type):
        value = lowering.emit.unary("mov", DataType.TF32, value, value.count)
    elif value.type is not type:
        value = lowering.emit.unary("mov", type, value, value.count)
    return Elements(value.register, type, value.count, value.offset, value.lanes)


def _fold_scalar(lowering: KernelLowering, op: Operation, numbers: Sequence[Number]) -> Number | None:
    """Returns sums and products of constant indices as constants, so that descriptor offsets stay constant."""
    if not isinstance(op, arith.AddiOp | arith.MuliOp) or numbers[0].type is not DataType.UQ:
        return None
    if any(isinstance(n, Elements) and (n.count != 1 or n.type is BOOLEAN) for n in numbers):
        return None
    fold = lowering.index.add if isinstance(op, arith.AddiOp) else lowering.index.multiply
    return fold(*numbers)


def _result_type(lowering: KernelLowering, op: Operation) -> DataType:
    type = element_type(op.results[0].type)
    if type is None:
        lowering.refuse(op, f"has a result of type {op.results[0].type}, which registers do not hold")
    return type


@lowers(AbsFOp)
def absolute(lowering: KernelLowering, op: AbsFOp) -> None:
    type = _result_type(lowering, op)
    bits = integer(type.bits, signed=False)
    (value,), count = lowering.operands(op, op.operands)
    if isinstance(value, UniformConstant):
        lowering.values[op.results[0]] = UniformConstant(type, abs(value.value))
        return
    mask = UniformConstant(bits, (1 << type.bits - 1) - 1)
    lowering.values[op.results[0]] = lowering.emit.alu("and", bits, [value.as_type(bits), mask], count).as_type(type)


@lowers(arith.MaximumfOp, arith.MinimumfOp)
def propagating_extremum(lowering: KernelLowering, op: arith.MaximumfOp | arith.MinimumfOp) -> None:
    type = _result_type(lowering, op)
    (a, b), count = lowering.operands(op, op.operands)
    is_maximum = isinstance(op, arith.MaximumfOp)
    lowering.values[op.results[0]] = extremum(lowering.emit, type, a, b, count, maximum=is_maximum)


def extremum(emit: XeEmitter, type: DataType, a: Number, b: Number, count: int, *, maximum: bool) -> Elements:
    """Like `sel`, except that a NaN operand gives NaN and that -0 is less than +0."""
    a, b = (emit.unary("mov", type, n, count) if isinstance(n, UniformConstant) else n for n in (a, b))
    result = emit.alu("sel", type, [a, b], count, condition=Condition.GE if maximum else Condition.LT)
    bits = integer(type.bits, signed=False)
    merged = emit.alu("and" if maximum else "or", bits, [a.as_type(bits), b.as_type(bits)], count).as_type(type)
    equal = emit.alu("cmp", BOOLEAN, [a, b], count, condition=Condition.EQ)
    result = emit.alu("sel", type, [merged, result], count, predicate=equal)
    for operand in (a, b):
        is_nan = emit.alu("cmp", BOOLEAN, [operand, operand], count, condition=Condition.NE)
        result = emit.alu("sel", type, [operand, result], count, predicate=is_nan)
    return result


# Comparison and selection --------------------------------------------------------------------------------------------

_INTEGER_PREDICATES = (
    ("eq", Condition.EQ, unsigned),
    ("ne", Condition.NE, unsigned),
    ("slt", Condition.LT, signed),
    ("sle", Condition.LE, signed),
    ("sgt", Condition.GT, signed),
    ("sge", Condition.GE, signed),
    ("ult", Condition.LT, unsigned),
    ("ule", Condition.LE, unsigned),
    ("ugt", Condition.GT, unsigned),
    ("uge", Condition.GE, unsigned),
)
_FLOAT_PREDICATES: tuple[tuple[tuple[Condition, ...], bool] | bool, ...] = (
    False,
    ((Condition.EQ,), False),
    ((Condition.GT,), False),
    ((Condition.GE,), False),
    ((Condition.LT,), False),
    ((Condition.LE,), False),
    ((Condition.LT, Condition.GT), False),
    ((Condition.LE, Condition.GT), False),
    ((Condition.LT, Condition.GT), True),
    ((Condition.LE,), True),
    ((Condition.LT,), True),
    ((Condition.GE,), True),
    ((Condition.GT,), True),
    ((Condition.NE,), False),
    ((Condition.LE, Condition.GT), True),
    True,
)
"""By the number of the predicate: the conditions of which one must hold, and whether the outcome is inverted."""


def _predicate_number(op: CmpiOp | CmpfOp) -> int:
    return int(op.predicate.value.data)


@lowers(CmpiOp)
def compare_integers(lowering: KernelLowering, op: CmpiOp) -> None:
    _compare(lowering, op, _predicate_number(op))


def _compare(lowering: KernelLowering, op: Operation, predicate: int) -> None:
    _, condition, read = _INTEGER_PREDICATES[predicate]
    numbers, count = lowering.operands(op, op.operands)
    operands = [read(n) for n in numbers]
    lowering.values[op.results[0]] = lowering.emit.alu("cmp", BOOLEAN, operands, count, condition=condition)


@lowers(CmpfOp)
def compare_floats(lowering: KernelLowering, op: CmpfOp) -> None:
    numbers, count = lowering.operands(op, op.operands)
    rule = _FLOAT_PREDICATES[_predicate_number(op)]
    if isinstance(rule, bool):
        lowering.values[op.results[0]] = UniformConstant(BOOLEAN, -1 if rule else 0)
        return
    conditions, inverted = rule
    emit = lowering.emit
    outcome = emit.alu("cmp", BOOLEAN, numbers, count, condition=conditions[0])
    for condition in conditions[1:]:
        other = emit.alu("cmp", BOOLEAN, numbers, count, condition=condition)
        outcome = emit.alu("or", BOOLEAN, [outcome, other], count)
    lowering.values[op.results[0]] = emit.unary("not", BOOLEAN, outcome, count) if inverted else outcome


@lowers(SelectOp)
def select(lowering: KernelLowering, op: SelectOp) -> None:
    if element_type(op.results[0].type) is None:
        lowering.refuse(
            op, f"chooses between values of type {op.results[0].type}: only scalars and vectors can be chosen"
        )
    (predicate, a, b), count = lowering.operands(op, op.operands)
    if isinstance(predicate, UniformConstant):
        lowering.values[op.results[0]] = a if predicate.value else b
        return
    type = _result_type(lowering, op)
    lowering.values[op.results[0]] = lowering.emit.alu("sel", type, [a, b], count, predicate=predicate)


# Conversion ----------------------------------------------------------------------------------------------------------

_READS_SIGNED = (ExtSIOp, SIToFPOp, IndexCastOp)


@lowers(CastOp)
def convert(lowering: KernelLowering, op: CastOp) -> None:
    emit, type = lowering.emit, _result_type(lowering, op)
    (value,), count = lowering.operands(op, op.operands)
    reads_signed = isinstance(op, _READS_SIGNED)
    if (
        isinstance(value, UniformConstant)
        and not type.is_float
        and not value.type.is_float
        and BOOLEAN not in (type, value.type)
    ):
        number = Immediate.of(value.value, integer(value.type.bits, reads_signed)).value()
        lowering.values[op.results[0]] = UniformConstant(type, number)
        return
    if value.type is BOOLEAN and type is not BOOLEAN:
        # True is -1 in a register: as an unsigned bit it is 1, the negated word.
        lowering.values[op.results[0]] = emit.alu("mov", type, [value], count, negate=(not reads_signed,))
        return
    if type is BOOLEAN and value.type.is_float:
        value = emit.alu("mov", DataType.D, [value], count)
    if type is BOOLEAN:
        lowering.values[op.results[0]] = truth_of(emit, value, count)
        return
    source = signed(value) if reads_signed else unsigned(value)
    written = integer(type.bits, signed=True) if isinstance(op, FPToSIOp) else type
    result = emit.alu("mov", written, [source], count).as_type(type)
    lowering.values[op.results[0]] = _rounded(lowering, op, result, type)


def truth_of(emit: XeEmitter, value: Number, count: int = 0) -> Elements:
    """Returns whether integers are odd: their lowest bit is an i1, which is 0 or -1 in a register."""
    count = count or (value.count if isinstance(value, Elements) else 1)
    bit = signed(emit.alu("and", value.type, [value, UniformConstant(value.type, 1)], count))
    return emit.alu("mov", BOOLEAN, [bit], count, negate=(True,))


@lowers(arith.BitcastOp)
def bitcast(lowering: KernelLowering, op: arith.BitcastOp) -> None:
    value, type = lowering.number(op.operands[0]), _result_type(lowering, op)
    if type.bits != value.type.bits or (type is BOOLEAN) != (value.type is BOOLEAN):
        lowering.refuse(op, f"from {op.operands[0].type} to {op.results[0].type} is not supported")
    if isinstance(value, UniformConstant):
        bits = Immediate.of(value.value, value.type).bits
        lowering.values[op.results[0]] = UniformConstant(type, Immediate(type, bits).value())
    else:
        lowering.values[op.results[0]] = value.as_type(type)
