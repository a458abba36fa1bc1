"""LLVM's intrinsics on numbers."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.importer.builder import Builder
from passes.frontends.llvm.importer.calls import Call, intrinsic
from passes.frontends.llvm.importer.function import Parts
from xegpu.dialects.upstream.arith import (
    CmpfOp,
    CmpiOp,
    ExtUIOp,
    FPToSIOp,
    FPToUIOp,
    SelectOp,
    ShRSIOp,
    ShRUIOp,
    TruncIOp,
)
from xegpu.dialects.upstream.vector import ExtractOp

UNARY: dict[str, Callable[[SSAValue], Operation]] = {
    "abs": math.AbsIOp,
    "acos": math.AcosOp,
    "asin": math.AsinOp,
    "atan": math.AtanOp,
    "ceil": math.CeilOp,
    "cos": math.CosOp,
    "cosh": math.CoshOp,
    "ctlz": math.CountLeadingZerosOp,
    "ctpop": math.CtPopOp,
    "cttz": math.CountTrailingZerosOp,
    "exp": math.ExpOp,
    "exp2": math.Exp2Op,
    "fabs": math.AbsFOp,
    "floor": math.FloorOp,
    "log": math.LogOp,
    "log10": math.Log10Op,
    "log2": math.Log2Op,
    "nearbyint": math.RoundEvenOp,
    "rint": math.RoundEvenOp,
    "round": math.RoundOp,
    "roundeven": math.RoundEvenOp,
    "sin": math.SinOp,
    "sinh": math.SinhOp,
    "sqrt": math.SqrtOp,
    "tan": math.TanOp,
    "tanh": math.TanhOp,
    "trunc": math.TruncOp,
}
BINARY: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "atan2": math.Atan2Op,
    "copysign": math.CopySignOp,
    "maximum": arith.MaximumfOp,
    "maximumnum": arith.MaxnumfOp,
    "maxnum": arith.MaxnumfOp,
    "minimum": arith.MinimumfOp,
    "minimumnum": arith.MinnumfOp,
    "minnum": arith.MinnumfOp,
    "pow": math.PowFOp,
    "smax": arith.MaxSIOp,
    "smin": arith.MinSIOp,
    "umax": arith.MaxUIOp,
    "umin": arith.MinUIOp,
}
_REDUCTIONS: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "add": arith.AddiOp,
    "and": arith.AndIOp,
    "fadd": arith.AddfOp,
    "fmax": arith.MaxnumfOp,
    "fmaximum": arith.MaximumfOp,
    "fmin": arith.MinnumfOp,
    "fminimum": arith.MinimumfOp,
    "fmul": arith.MulfOp,
    "mul": arith.MuliOp,
    "or": arith.OrIOp,
    "smax": arith.MaxSIOp,
    "smin": arith.MinSIOp,
    "umax": arith.MaxUIOp,
    "umin": arith.MinUIOp,
    "xor": arith.XOrIOp,
}


@intrinsic(*UNARY)
def unary(call: Call) -> SSAValue:
    call.importer.check(call.type)
    return call.builder.add(UNARY[call.name](call.value(0)))


@intrinsic(*BINARY)
def binary(call: Call) -> SSAValue:
    call.importer.check(call.type)
    return call.builder.add(BINARY[call.name](call.value(0), call.value(1)))


@intrinsic("fma", "fmuladd")
def multiply_add(call: Call) -> SSAValue:
    return call.builder.add(math.FmaOp(call.value(0), call.value(1), call.value(2)))


@intrinsic(*(f"vector.reduce.{name}" for name in _REDUCTIONS))
def reduce(call: Call) -> SSAValue:
    """The elements from the first to the last; sums and products of floats begin with a number of their own."""
    *start, vector = call.values
    assert isinstance(vector.type, VectorType)
    elements = [call.builder.add(ExtractOp(vector, [i])) for i in range(vector.type.element_count())]
    combine = _REDUCTIONS[call.name.rpartition(".")[2]]
    result, *rest = [*start, *elements]
    for element in rest:
        result = call.builder.add(combine(result, element))
    return result


@intrinsic("stepvector")
def numbers(call: Call) -> SSAValue:
    assert isinstance(call.type, VectorType)
    return call.builder.constant(call.type, range(call.type.element_count()))


@intrinsic("expect", "canonicalize", "arithmetic.fence", "ssa.copy")
def same(call: Call) -> SSAValue:
    """The value itself: the rest of these intrinsics is a hint for optimisers."""
    return call.value(0)


@intrinsic(
    *("assume", "donothing", "lifetime.start", "lifetime.end", "experimental.noalias.scope.decl"),
    *("dbg.declare", "dbg.value", "dbg.label", "dbg.assign", "prefetch", "invariant.end"),
)
def ignore(call: Call) -> None:
    """Hints compute nothing."""


class Integers:
    """Arithmetic on integers of one type, scalars or vectors."""

    def __init__(self, builder: Builder, type: Attribute):
        element = get_element_type_or_self(type)
        if not isinstance(element, IntegerType):
            builder.error(f"computes with {type} as with integers")
        self.builder = builder
        self.type = type
        self.bits = element.width.data

    def constant(self, value: int) -> SSAValue:
        """Returns a number of the type."""
        return self.builder.constant(self.type, value)

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Returns the sum."""
        return self.builder.add(arith.AddiOp(a, b))

    def subtract(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Returns the difference."""
        return self.builder.add(arith.SubiOp(a, b))

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Returns the bits that are set in both."""
        return self.builder.add(arith.AndIOp(a, b))

    def either(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Returns the bits that are set in either."""
        return self.builder.add(arith.OrIOp(a, b))

    def differing(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Returns the bits that differ."""
        return self.builder.add(arith.XOrIOp(a, b))

    def inverted(self, a: SSAValue) -> SSAValue:
        """Returns the bits that are not set."""
        return self.differing(a, self.constant(-1))

    def left(self, a: SSAValue, count: SSAValue) -> SSAValue:
        """Returns the bits moved up."""
        return self.builder.add(arith.ShLIOp(a, count))

    def right(self, a: SSAValue, count: SSAValue) -> SSAValue:
        """Returns the bits moved down."""
        return self.builder.add(ShRUIOp(a, count))

    def sign(self, a: SSAValue) -> SSAValue:
        """Returns 0, or -1 for numbers below 0."""
        return self.builder.add(ShRSIOp(a, self.constant(self.bits - 1)))

    def compare(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """Returns whether a relation holds."""
        return self.builder.add(CmpiOp(a, b, predicate))

    def choose(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        """Returns the first value where the condition holds, else the second one."""
        return self.builder.add(SelectOp(condition, a, b))


def _integers(call: Call) -> Integers:
    type = call.value(0).type
    call.importer.check(type)
    return Integers(call.builder, type)


@intrinsic("uadd.sat")
def add_unsigned(call: Call) -> SSAValue:
    (a, b), i = call.values, _integers(call)
    return i.add(a, call.builder.add(arith.MinUIOp(b, i.inverted(a))))


@intrinsic("usub.sat")
def subtract_unsigned(call: Call) -> SSAValue:
    (a, b), i = call.values, _integers(call)
    return i.subtract(a, call.builder.add(arith.MinUIOp(a, b)))


def _overflow(i: Integers, a: SSAValue, b: SSAValue, result: SSAValue, *, sum: bool) -> SSAValue:
    """Returns whether a signed sum or difference has overflowed."""
    other = i.differing(b, result) if sum else i.differing(a, b)
    return i.compare("slt", i.both(i.differing(a, result), other), i.constant(0))


@intrinsic("sadd.sat", "ssub.sat")
def saturate_signed(call: Call) -> SSAValue:
    (a, b), i = call.values, _integers(call)
    is_sum = call.name == "sadd.sat"
    result = i.add(a, b) if is_sum else i.subtract(a, b)
    limit = i.differing(i.sign(a), i.constant((1 << i.bits - 1) - 1))
    return i.choose(_overflow(i, a, b, result, sum=is_sum), limit, result)


@intrinsic("sadd.with.overflow", "ssub.with.overflow")
def overflow_signed(call: Call) -> Parts:
    (a, b), i = call.values, _integers(call)
    is_sum = call.name.startswith("sadd")
    result = i.add(a, b) if is_sum else i.subtract(a, b)
    return result, _overflow(i, a, b, result, sum=is_sum)


@intrinsic("uadd.with.overflow", "usub.with.overflow")
def overflow_unsigned(call: Call) -> Parts:
    (a, b), i = call.values, _integers(call)
    if call.name.startswith("usub"):
        return i.subtract(a, b), i.compare("ult", a, b)
    result = i.add(a, b)
    return result, i.compare("ult", result, a)


@intrinsic("umul.with.overflow")
def overflow_product(call: Call) -> Parts:
    (a, b), i = call.values, _integers(call)
    op = arith.MulUIExtendedOp(a, b)
    call.builder.insert(op)
    low, high = op.results
    return low, i.compare("ne", high, i.constant(0))


@intrinsic("fshl", "fshr")
def funnel_shift(call: Call) -> SSAValue:
    """The high or low half of two words behind one another, shifted by a number modulo their width."""
    (high, low, count), i = call.values, _integers(call)
    is_power = i.bits & i.bits - 1 == 0
    distance = (
        i.both(count, i.constant(i.bits - 1)) if is_power else i.builder.add(arith.RemUIOp(count, i.constant(i.bits)))
    )
    rest = i.subtract(i.constant(i.bits - 1), distance)
    one = i.constant(1)
    if call.name == "fshl":
        return i.either(i.left(high, distance), i.right(i.right(low, one), rest))
    return i.either(i.left(i.left(high, one), rest), i.right(low, distance))


@intrinsic("bswap")
def swap_bytes(call: Call) -> SSAValue:
    value, i = call.value(0), _integers(call)
    result = i.constant(0)
    for byte in range(i.bits // 8):
        part = i.both(i.right(value, i.constant(8 * byte)), i.constant(0xFF))
        result = i.either(result, i.left(part, i.constant(i.bits - 8 - 8 * byte)))
    return result


@intrinsic("bitreverse")
def reverse_bits(call: Call) -> SSAValue:
    """Swaps neighboring bits, pairs, fours, and so on. Of other widths than powers of two, the bits are those above the
    rest of the next one.
    """
    value, given = call.value(0), _integers(call)
    bits = 1 << (given.bits - 1).bit_length()
    if bits != given.bits:
        wide = Integers(call.builder, _of_width(given.type, bits))
        moved = wide.left(call.builder.add(ExtUIOp(value, wide.type)), wide.constant(bits - given.bits))
        return call.builder.add(TruncIOp(_reversed(wide, moved), given.type))
    return _reversed(given, value)


def _of_width(type: Attribute, bits: int) -> Attribute:
    """Returns integers of another width, as many as a type has."""
    return VectorType(IntegerType(bits), type.get_shape()) if isinstance(type, VectorType) else IntegerType(bits)


def _reversed(i: Integers, value: SSAValue) -> SSAValue:
    """Returns the bits of integers, whose width is a power of two, in reverse order."""
    width = 1
    while width < i.bits:
        mask = sum(((1 << width) - 1) << start for start in range(0, i.bits, 2 * width))
        count = i.constant(width)
        value = i.either(
            i.left(i.both(value, i.constant(mask)), count), i.both(i.right(value, count), i.constant(mask))
        )
        width *= 2
    return value


@intrinsic("fptosi.sat", "fptoui.sat")
def convert_saturating(call: Call) -> SSAValue:
    """Numbers out of range become the nearest integer, and NaN becomes 0."""
    value, i = call.value(0), Integers(call.builder, call.type)
    call.importer.check(call.type)
    is_signed = call.name == "fptosi.sat"
    least, most = (-(1 << i.bits - 1), (1 << i.bits - 1) - 1) if is_signed else (0, (1 << i.bits) - 1)
    builder = call.builder

    def is_float(predicate: str, number: float) -> SSAValue:
        return builder.add(CmpfOp(value, builder.constant(value.type, number), predicate))

    element = get_element_type_or_self(value.type)
    assert isinstance(element, AnyFloat)
    result = builder.add((FPToSIOp if is_signed else FPToUIOp)(value, call.type))
    result = i.choose(is_float("oge", float(most + 1)), i.constant(most), result)
    result = i.choose(is_float("ole", float(least)), i.constant(least), result)
    return i.choose(builder.add(CmpfOp(value, value, "uno")), i.constant(0), result)


_CLASSES = {0x3: "nan", 0x4: "-inf", 0x8: "-normal", 0x10: "-subnormal", 0x20: "-zero"}
_CLASSES |= {0x40: "zero", 0x80: "subnormal", 0x100: "normal", 0x200: "inf"}


@intrinsic("is.fpclass")
def classify(call: Call) -> SSAValue:
    """Returns whether a float belongs to any of the classes that a mask names; a signaling NaN is a NaN."""
    value, mask, builder = call.value(0), call.number(1), call.builder
    element = get_element_type_or_self(value.type)
    assert isinstance(element, AnyFloat)
    mantissa = {16: 10, 32: 23, 64: 52}[element.bitwidth]
    type = IntegerType(element.bitwidth)
    i = Integers(builder, VectorType(type, value.type.get_shape()) if isinstance(value.type, VectorType) else type)
    bits = builder.add(arith.BitcastOp(value, i.type))
    smallest, infinity = 1 << mantissa, (1 << i.bits - 1) - (1 << mantissa)
    ranges = {"zero": (0, 0), "subnormal": (1, smallest - 1), "normal": (smallest, infinity - 1)}
    ranges |= {"inf": (infinity, infinity), "nan": (infinity + 1, (1 << i.bits - 1) - 1)}
    size = i.both(bits, i.constant((1 << i.bits - 1) - 1))
    found: SSAValue | None = None
    for flag, name in _CLASSES.items():
        if not mask & flag:
            continue
        first, last = ranges[name.removeprefix("-")]
        tested = size if name == "nan" else bits
        start = first + (1 << i.bits - 1 if name[0] == "-" else 0)
        inside = _within(i, tested, start, start + last - first)
        found = inside if found is None else builder.add(arith.OrIOp(found, inside))
    return builder.constant(call.type, 0) if found is None else found


def _within(i: Integers, value: SSAValue, first: int, last: int) -> SSAValue:
    """Returns whether an integer without a sign is in a range, from the first to the last of its numbers."""
    if first == last:
        return i.compare("eq", value, i.constant(first))
    return i.compare("ule", i.subtract(value, i.constant(first)) if first else value, i.constant(last - first))


@intrinsic("ucmp", "scmp")
def three_way(call: Call) -> SSAValue:
    """-1, 0 or 1."""
    a, b = call.values
    call.importer.check(call.type)
    sign = call.name[0]
    source, target = Integers(call.builder, a.type), Integers(call.builder, call.type)
    greater = call.builder.add(ExtUIOp(source.compare(f"{sign}gt", a, b), call.type))
    less = call.builder.add(ExtUIOp(source.compare(f"{sign}lt", a, b), call.type))
    return target.subtract(greater, less)
