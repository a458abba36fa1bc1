"""Functions of OpenCL's mathematics that are more than one operation of LLVM."""

from __future__ import annotations

import math as constants
from collections.abc import Callable

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatTF32Type,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.functions.intrinsics import Integers
from passes.frontends.llvm.importer.calls import Call, builtin, intrinsic
from xegpu.dialects.upstream.arith import (
    CmpfOp,
    ExtFOp,
    ExtSIOp,
    RemfOp,
    SelectOp,
    SIToFPOp,
    TruncFOp,
    TruncIOp,
)
from xegpu.dialects.upstream.math import ErfcOp

_UNARY: dict[str, Callable[[SSAValue], Operation]] = {
    "acos": math.AcosOp,
    "acosh": math.AcoshOp,
    "asin": math.AsinOp,
    "asinh": math.AsinhOp,
    "atan": math.AtanOp,
    "atanh": math.AtanhOp,
    "cbrt": math.CbrtOp,
    "cos": math.CosOp,
    "cosh": math.CoshOp,
    "erf": math.ErfOp,
    "erfc": ErfcOp,
    "exp": math.ExpOp,
    "exp2": math.Exp2Op,
    "expm1": math.ExpM1Op,
    "log": math.LogOp,
    "log10": math.Log10Op,
    "log1p": math.Log1pOp,
    "log2": math.Log2Op,
    "rsqrt": math.RsqrtOp,
    "sin": math.SinOp,
    "sinh": math.SinhOp,
    "tan": math.TanOp,
    "tanh": math.TanhOp,
}
_BINARY: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "atan2": math.Atan2Op,
    "fmod": RemfOp,
    "pow": math.PowFOp,
    "powr": math.PowFOp,
    "pown": math.FPowIOp,
}


@builtin(*_UNARY)
def unary(call: Call) -> SSAValue:
    return call.builder.add(_UNARY[call.name](call.value(0)))


@builtin(*_BINARY)
def binary(call: Call) -> SSAValue:
    return call.builder.add(_BINARY[call.name](call.value(0), call.value(1)))


class Floats:
    """Arithmetic on floats of one type, scalars or vectors."""

    def __init__(self, call: Call, type: Attribute | None = None):
        self.builder = call.builder
        self.type: Attribute = call.value(0).type if type is None else type
        element = get_element_type_or_self(self.type)
        if not isinstance(element, Float16Type | Float32Type | Float64Type):
            self.builder.error(f"computes '{call.name}' of type {element}, which is not supported in a kernel")
        self.mantissa, self.bits = {16: (10, 16), 32: (23, 32), 64: (52, 64)}[element.bitwidth]
        self.bias = (1 << self.bits - self.mantissa - 2) - 1

    def constant(self, value: float) -> SSAValue:
        """Returns a number of the type."""
        return self.builder.constant(self.type, value)

    def do(self, op: Callable[..., Operation], *operands: SSAValue | float) -> SSAValue:
        """Returns the result of an operation on numbers."""
        return self.builder.add(op(*(self.constant(o) if isinstance(o, float) else o for o in operands)))

    def compare(self, predicate: str, a: SSAValue, b: SSAValue | float) -> SSAValue:
        """Returns whether a relation holds."""
        return self.builder.add(CmpfOp(a, self.constant(b) if isinstance(b, float) else b, predicate))

    def choose(self, condition: SSAValue, a: SSAValue | float, b: SSAValue | float) -> SSAValue:
        """Returns the first value where the condition holds, else the second one."""
        first, second = (self.constant(v) if isinstance(v, float) else v for v in (a, b))
        return self.builder.add(SelectOp(condition, first, second))

    @property
    def integers(self) -> Integers:
        """Arithmetic on the bits of the floats."""
        return Integers(self.builder, self.like(self.bits))

    def like(self, bits: int) -> Attribute:
        """Returns the type of as many integers as there are floats."""
        element = IntegerType(bits)
        return VectorType(element, self.type.get_shape()) if isinstance(self.type, VectorType) else element

    def as_bits(self, value: SSAValue) -> SSAValue:
        """Returns the bits of floats."""
        return self.builder.add(arith.BitcastOp(value, self.like(self.bits)))

    def from_bits(self, value: SSAValue) -> SSAValue:
        """Returns the floats that have given bits."""
        return self.builder.add(arith.BitcastOp(value, self.type))


@builtin("exp10")
def power_of_ten(call: Call) -> SSAValue:
    f = Floats(call)
    return f.do(math.PowFOp, 10.0, call.value(0))


@builtin("acospi", "asinpi", "atanpi")
def fraction_of_pi(call: Call) -> SSAValue:
    f = Floats(call)
    return f.do(arith.MulfOp, f.do(_UNARY[call.name.removesuffix("pi")], call.value(0)), 1 / constants.pi)


@builtin("atan2pi")
def angle_of_pi(call: Call) -> SSAValue:
    f = Floats(call)
    return f.do(arith.MulfOp, f.do(math.Atan2Op, call.value(0), call.value(1)), 1 / constants.pi)


@builtin("sinpi", "cospi", "tanpi")
def of_pi(call: Call) -> SSAValue:
    """The distance to the nearest half turn is exact, and so is its sign; the sine has full precision near 0."""
    f, x = Floats(call), call.value(0)
    half = f.do(arith.MulfOp, x, 0.5)
    turn = f.do(arith.SubfOp, x, f.do(arith.MulfOp, f.do(math.RoundEvenOp, half), 2.0))
    # The turn lies in [-1, 1]. Beyond a half the sine decreases again, and the cosine is below 0.
    size = f.do(math.AbsFOp, turn)
    far = f.compare("ogt", size, 0.5)
    sine_side = f.choose(far, f.do(arith.SubfOp, 1.0, size), size)
    sine = f.do(math.CopySignOp, _sine_of_turn(f, sine_side), turn)
    if call.name == "sinpi":
        return sine
    cosine_side = f.do(arith.SubfOp, 0.5, size)
    magnitude = _sine_of_turn(f, f.do(math.AbsFOp, cosine_side))
    cosine = f.choose(f.compare("olt", cosine_side, 0.0), f.do(arith.NegfOp, magnitude), magnitude)
    return cosine if call.name == "cospi" else f.do(arith.DivfOp, sine, cosine)


def _sine_of_turn(f: Floats, turn: SSAValue) -> SSAValue:
    """Returns sin(pi t) for 0 <= t <= 1/2: of the sine up to 1/4, of the cosine of what is left beyond."""
    near = f.do(math.SinOp, f.do(arith.MulfOp, turn, constants.pi))
    rest = f.do(arith.SubfOp, 0.5, turn)
    beyond = f.do(math.CosOp, f.do(arith.MulfOp, rest, constants.pi))
    return f.choose(f.compare("ole", turn, 0.25), near, beyond)


@builtin("hypot")
def hypotenuse(call: Call) -> SSAValue:
    """The larger side times sqrt(1 + ratio^2), so that no square overflows; infinite sides win over NaN."""
    f = Floats(call)
    a, b = (f.do(math.AbsFOp, value) for value in call.values)
    larger, smaller = f.do(arith.MaximumfOp, a, b), f.do(arith.MinimumfOp, a, b)
    ratio = f.choose(f.compare("oeq", larger, 0.0), 0.0, f.do(arith.DivfOp, smaller, larger))
    root = f.do(math.SqrtOp, f.do(math.FmaOp, ratio, ratio, 1.0))
    result = f.do(arith.MulfOp, larger, root)
    for side in (a, b):
        infinite = f.compare("oeq", side, constants.inf)
        result = f.choose(infinite, constants.inf, result)
    return result


@builtin("ldexp")
def scale(call: Call) -> SSAValue:
    """Three multiplications by powers of two: a power that takes a normal number to a subnormal one is not normal.

    Only the last one may give a subnormal number that is rounded: those before it are followed by a power that leaves
    nothing of what they round.
    """
    f, value, exponent = Floats(call), call.value(0), call.value(1)
    limit = 3 * f.bias
    n = Integers(call.builder, exponent.type)
    exponent = call.builder.add(arith.MaxSIOp(exponent, n.constant(-limit)))
    exponent = call.builder.add(arith.MinSIOp(exponent, n.constant(limit)))
    for _ in range(3):
        within = n.compare("sge", exponent, n.constant(1 - f.bias))
        step = n.choose(within, exponent, n.constant(2 + f.mantissa - f.bias))
        step = call.builder.add(arith.MinSIOp(step, n.constant(f.bias)))
        value = f.do(arith.MulfOp, value, _power_of_two(f, n, step))
        exponent = n.subtract(exponent, step)
    return value


def _power_of_two(f: Floats, n: Integers, exponent: SSAValue) -> SSAValue:
    biased = n.add(exponent, n.constant(f.bias))
    return f.from_bits(f.integers.left(_resized(f, n, biased), f.integers.constant(f.mantissa)))


def _resized(f: Floats, n: Integers, value: SSAValue) -> SSAValue:
    """Returns an integer in the width of the floats."""
    type = f.like(f.bits)
    if n.bits == f.bits:
        return value
    return f.builder.add(TruncIOp(value, type) if n.bits > f.bits else ExtSIOp(value, type))


@builtin("logb", "ilogb")
def exponent_of(call: Call) -> SSAValue:
    """The exponent field of a number that has been made normal; zeros, infinities and NaN have results of their own."""
    f, value = Floats(call), call.value(0)
    i, size = f.integers, f.do(math.AbsFOp, value)
    subnormal = f.compare("olt", size, 2.0 ** (1 - f.bias))
    scaled = f.choose(subnormal, f.do(arith.MulfOp, size, 2.0 ** (f.mantissa + 1)), size)
    bias = i.choose(subnormal, i.constant(f.bias + f.mantissa + 1), i.constant(f.bias))
    exponent = i.subtract(i.right(f.as_bits(scaled), i.constant(f.mantissa)), bias)
    zero, infinite = f.compare("oeq", size, 0.0), f.compare("oeq", size, constants.inf)
    invalid = f.compare("uno", value, value)
    if call.name == "logb":
        number = f.builder.add(SIToFPOp(exponent, f.type))
        number = f.choose(zero, -constants.inf, f.choose(infinite, constants.inf, number))
        return f.choose(invalid, value, number)
    n = Integers(f.builder, call.type)
    whole = exponent
    if n.bits != i.bits:
        whole = f.builder.add((TruncIOp if n.bits < i.bits else ExtSIOp)(exponent, call.type))
    most = (1 << n.bits - 1) - 1
    whole = n.choose(infinite, n.constant(most), whole)
    return n.choose(f.builder.add(arith.OrIOp(zero, invalid)), n.constant(-most - 1), whole)


@builtin("nextafter")
def next_number(call: Call) -> SSAValue:
    """The bits of floats of one sign are ordered as they are: the neighbor is one more or one less."""
    f = Floats(call)
    value, target = call.values
    i = f.integers
    bits = f.as_bits(value)
    up = f.builder.add(
        arith.XOrIOp(f.compare("olt", value, target), f.compare("olt", value, 0.0)),
    )
    neighbor = i.choose(up, i.add(bits, i.constant(1)), i.subtract(bits, i.constant(1)))
    smallest = f.do(math.CopySignOp, 2.0 ** (1 - f.bias - f.mantissa), target)
    moved = f.choose(f.compare("oeq", value, 0.0), smallest, f.from_bits(neighbor))
    moved = f.choose(f.compare("oeq", value, target), target, moved)
    invalid = f.compare("uno", value, target)
    return f.choose(invalid, f.do(arith.AddfOp, value, target), moved)


@builtin("__spirv_ConvertFToBF16INTEL")
def to_bf16(call: Call) -> SSAValue:
    f = Floats(call)
    narrow = BFloat16Type()
    target = VectorType(narrow, f.type.get_shape()) if isinstance(f.type, VectorType) else narrow
    return f.builder.add(arith.BitcastOp(f.builder.add(TruncFOp(call.value(0), target)), call.type))


@intrinsic("genx.tf32.cvt")
@builtin("__spirv_RoundFToTF32INTEL")
def to_tf32(call: Call) -> SSAValue:
    """Returns floats with the precision of tf32, which may be held as integers."""
    value, narrow, builder = call.value(0), FloatTF32Type(), call.builder
    target = VectorType(narrow, value.type.get_shape()) if isinstance(value.type, VectorType) else narrow
    rounded = builder.add(ExtFOp(builder.add(TruncFOp(value, target)), value.type))
    return rounded if call.type == value.type else builder.add(arith.BitcastOp(rounded, call.type))


@builtin("__spirv_ConvertBF16ToFINTEL")
def from_bf16(call: Call) -> SSAValue:
    value, narrow = call.value(0), BFloat16Type()
    target = VectorType(narrow, value.type.get_shape()) if isinstance(value.type, VectorType) else narrow
    return call.builder.add(ExtFOp(call.builder.add(arith.BitcastOp(value, target)), call.type))
