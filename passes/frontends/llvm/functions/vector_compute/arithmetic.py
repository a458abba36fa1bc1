"""Arithmetic of vector compute: much of it is what LLVM's own intrinsics compute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import BFloat16Type, Float32Type, IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.functions.intrinsics import UNARY, Integers
from passes.frontends.llvm.importer.calls import INTRINSICS, Call, intrinsic
from passes.frontends.llvm.importer.function import Parts
from xegpu.dialects.upstream.arith import ExtFOp, ExtSIOp, ExtUIOp, SelectOp, TruncFOp, TruncIOp

_SAME: Mapping[str, str] = {
    "absf": "fabs",
    "absi": "abs",
    "bfrev": "bitreverse",
    "cos": "cos",
    "exp": "exp2",
    "fmax": "maxnum",
    "fmin": "minnum",
    "fptosi.sat": "fptosi.sat",
    "fptoui.sat": "fptoui.sat",
    "ieee.sqrt": "sqrt",
    "log": "log2",
    "pow": "pow",
    "rndd": "floor",
    "rnde": "roundeven",
    "rndu": "ceil",
    "rndz": "trunc",
    "sin": "sin",
    "smax": "smax",
    "smin": "smin",
    "sqrt": "sqrt",
    "umax": "umax",
    "umin": "umin",
}
"""LLVM's names of the same functions: logarithms and exponentials are those of base 2."""


@intrinsic(*(f"genx.{name}" for name in _SAME))
def same(call: Call) -> SSAValue | Parts | None:
    name = _SAME[call.name.removeprefix("genx.")]
    return INTRINSICS[name](replace(call, name=name))


def _resized(call: Call, value: SSAValue, type: Attribute, *, signed: bool) -> SSAValue:
    """Returns integers in another width."""
    old, new = (get_element_type_or_self(each) for each in (value.type, type))
    if not isinstance(old, IntegerType) or not isinstance(new, IntegerType):
        call.builder.error(f"calls '{call.symbol}', which makes numbers of type {type} of those of type {value.type}")
    if old == new:
        return value
    if new.width.data < old.width.data:
        return call.builder.add(TruncIOp(value, type))
    return call.builder.add((ExtSIOp if signed else ExtUIOp)(value, type))


def _like(type: Attribute, element: Attribute) -> Attribute:
    """Returns as many elements of another type."""
    return VectorType(element, type.get_shape()) if isinstance(type, VectorType) else element


# Floats ---------------------------------------------------------------------------------------------------------------


def _number(call: Call, value: float) -> SSAValue:
    call.importer.check(call.type)
    return call.builder.constant(call.type, value)


@intrinsic("genx.inv")
def invert(call: Call) -> SSAValue:
    return call.builder.add(arith.DivfOp(_number(call, 1.0), call.value(0)))


@intrinsic("genx.rsqrt")
def invert_root(call: Call) -> SSAValue:
    return call.builder.add(math.RsqrtOp(call.value(0)))


@intrinsic("genx.ieee.div")
def divide(call: Call) -> SSAValue:
    return call.builder.add(arith.DivfOp(call.value(0), call.value(1)))


@intrinsic("genx.frc")
def fraction(call: Call) -> SSAValue:
    """Returns the distance from the next lower integer."""
    value = call.value(0)
    return call.builder.add(arith.SubfOp(value, call.builder.add(math.FloorOp(value))))


@intrinsic("genx.sat")
def saturate(call: Call) -> SSAValue:
    """Returns a number between 0 and 1, 0 for NaN."""
    above = call.builder.add(arith.MaxnumfOp(call.value(0), _number(call, 0.0)))
    return call.builder.add(arith.MinnumfOp(above, _number(call, 1.0)))


@intrinsic("genx.bf.cvt")
def convert_brain(call: Call) -> SSAValue:
    """Converts between floats of 32 bits and the bits of bf16, which may be those of integers or halfs."""
    value, builder = call.value(0), call.builder
    if isinstance(get_element_type_or_self(value.type), Float32Type):
        brain = builder.add(TruncFOp(value, _like(value.type, BFloat16Type())))
        return brain if brain.type == call.type else builder.add(arith.BitcastOp(brain, call.type))
    brain = builder.add(arith.BitcastOp(value, _like(value.type, BFloat16Type())))
    return builder.add(ExtFOp(brain, call.type))


# Integers -------------------------------------------------------------------------------------------------------------

_COUNTS: Mapping[str, tuple[str, bool]] = {
    "cbit": ("ctpop", False),
    "lzd": ("ctlz", False),
    "fbl": ("cttz", True),
    "ufbh": ("ctlz", True),
    "sfbh": ("ctlz", True),
}
"""The counts of bits, and whether they are -1 for a number without any."""


@intrinsic(*(f"genx.{name}" for name in _COUNTS))
def count(call: Call) -> SSAValue:
    """The result may be wider or narrower than the operand; `sfbh` counts the bits that are equal to the sign."""
    value, builder = call.value(0), call.builder
    i = Integers(builder, value.type)
    name, searches = _COUNTS[call.name.removeprefix("genx.")]
    if call.name == "genx.sfbh":
        value = i.differing(value, i.sign(value))
    result = _resized(call, builder.add(UNARY[name](value)), call.type, signed=False)
    if not searches:
        return result
    return builder.add(SelectOp(i.compare("eq", value, i.constant(0)), builder.constant(call.type, -1), result))


@intrinsic("genx.umulh", "genx.smulh")
def multiply_high(call: Call) -> SSAValue:
    op = (arith.MulUIExtendedOp if call.name == "genx.umulh" else arith.MulSIExtendedOp)(call.value(0), call.value(1))
    call.builder.insert(op)
    return op.results[1]


@intrinsic("genx.rol", "genx.ror")
def rotate(call: Call) -> SSAValue | Parts | None:
    value, distance = call.operand(0), call.operand(1)
    name = "fshl" if call.name == "genx.rol" else "fshr"
    return INTRINSICS[name](replace(call, name=name, operands=(value, value, distance)))


_SIGNS = {"s": True, "u": False}
_PAIRS = [f"{result}{operand}" for result in _SIGNS for operand in _SIGNS]


@intrinsic(*(f"genx.{pair}shl" for pair in _PAIRS))
def shift_left(call: Call) -> SSAValue:
    """The operand has the width of the result before it is shifted."""
    signed = _SIGNS[call.name[len("genx.s")]]
    value, distance = (_resized(call, call.value(i), call.type, signed=signed) for i in range(2))
    return Integers(call.builder, call.type).left(value, distance)


@intrinsic(*(f"genx.{pair}trunc.sat" for pair in _PAIRS))
def truncate(call: Call) -> SSAValue:
    """Numbers out of range become the nearest one in it."""
    to_signed, from_signed = (_SIGNS[letter] for letter in call.name[len("genx.") :][:2])
    value = call.value(0)
    i = Integers(call.builder, value.type)
    bits = Integers(call.builder, call.type).bits
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if to_signed else (0, (1 << bits) - 1)
    if from_signed:
        value = call.builder.add(arith.MaxSIOp(value, i.constant(least)))
        value = call.builder.add(arith.MinSIOp(value, i.constant(most)))
    else:
        value = call.builder.add(arith.MinUIOp(value, i.constant(most)))
    return _resized(call, value, call.type, signed=to_signed)


def _field(i: Integers, width: SSAValue, offset: SSAValue) -> SSAValue:
    """Returns the bits of a field of a word, whose width and offset count modulo the bits of the word."""
    one, last = i.constant(1), i.constant(i.bits - 1)
    ones = i.subtract(i.left(one, i.both(width, last)), one)
    return i.left(ones, i.both(offset, last))


@intrinsic("genx.bfi")
def insert_field(call: Call) -> SSAValue:
    """Replaces a field of the last operand by the low bits of the one before."""
    (width, offset, new, old), i = call.values, Integers(call.builder, call.type)
    field = _field(i, width, offset)
    moved = i.left(new, i.both(offset, i.constant(i.bits - 1)))
    return i.either(i.both(moved, field), i.both(old, i.inverted(field)))


@intrinsic("genx.ubfe", "genx.sbfe")
def extract_field(call: Call) -> SSAValue:
    """Returns a field, whose highest bit is the sign of `sbfe`; 0 for a width of 0."""
    (width, offset, value), i = call.values, Integers(call.builder, call.type)
    last = i.constant(i.bits - 1)
    width = i.both(width, last)
    rest = i.both(i.subtract(i.constant(i.bits), width), last)
    moved = i.left(i.right(value, i.both(offset, last)), rest)
    shifted = i.right(moved, rest) if call.name == "genx.ubfe" else _shifted_signed(i, moved, rest)
    return i.choose(i.compare("eq", width, i.constant(0)), i.constant(0), shifted)


def _shifted_signed(i: Integers, value: SSAValue, distance: SSAValue) -> SSAValue:
    """Returns the bits moved down behind copies of the sign."""
    sign = i.sign(value)
    return i.differing(i.right(i.differing(value, sign), distance), sign)


def _byte(i: Integers, word: SSAValue, number: int, *, signed: bool) -> SSAValue:
    """Returns a byte of a word as a word."""
    high, distance = i.left(word, i.constant(24 - 8 * number)), i.constant(24)
    return _shifted_signed(i, high, distance) if signed else i.right(high, distance)


@intrinsic(*(f"genx.{pair}dp4a" for pair in _PAIRS))
def dot_product(call: Call) -> SSAValue:
    """Adds the products of the four bytes of two words."""
    (total, a, b), i = call.values, Integers(call.builder, call.type)
    signed = _SIGNS[call.name[len("genx.s")]]
    for byte in range(4):
        left, right = (_byte(i, word, byte, signed=signed) for word in (a, b))
        total = i.add(total, call.builder.add(arith.MuliOp(left, right)))
    return total


@intrinsic("genx.bfn")
def boolean_function(call: Call) -> SSAValue:
    """Returns, for each bit, the bit of a constant whose number the bits of the three operands are, lowest first."""
    (*operands, _), i = call.values, Integers(call.builder, call.type)
    table, result = call.number(3), i.constant(0)
    for number in range(8):
        if table >> number & 1:
            bits = [each if number >> place & 1 else i.inverted(each) for place, each in enumerate(operands)]
            result = i.either(result, i.both(i.both(bits[0], bits[1]), bits[2]))
    return result


@intrinsic("genx.addc", "genx.subb")
def add_with_carry(call: Call) -> Parts:
    """Returns the carry or borrow of each sum or difference, and those."""
    (a, b), builder = call.values, call.builder
    i = Integers(builder, a.type)
    is_sum = call.name == "genx.addc"
    result = i.add(a, b) if is_sum else i.subtract(a, b)
    over = i.compare("ult", result, a) if is_sum else i.compare("ult", a, b)
    return builder.add(ExtUIOp(over, a.type)), result


_SUMS = {"ss": "sadd.sat", "uu": "uadd.sat"}


@intrinsic(*(f"genx.{pair}add.sat" for pair in _SUMS))
def add_saturating(call: Call) -> SSAValue | Parts | None:
    name = _SUMS[call.name[len("genx.") :][:2]]
    if any(value.type != call.type for value in call.values):
        call.builder.error(f"calls '{call.symbol}' for operands of other types than the result, which is not supported")
    return INTRINSICS[name](replace(call, name=name))
