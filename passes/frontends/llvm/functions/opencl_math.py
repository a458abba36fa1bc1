"""OpenCL C's functions on numbers that are few operations: common, integer, geometric, relational ones."""

from __future__ import annotations

import math as constants
from collections.abc import Callable

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.functions.intrinsics import Integers
from passes.frontends.llvm.functions.math import Floats, power_of_ten
from passes.frontends.llvm.importer.calls import BUILTINS, INTRINSICS, Call, builtin
from passes.frontends.llvm.importer.operations import inserted
from passes.frontends.llvm.reader import Value
from xegpu.dialects.upstream.arith import CmpfOp, ExtSIOp, ExtUIOp, SelectOp, ShRSIOp, ShRUIOp
from xegpu.dialects.upstream.vector.shapes import BroadcastOp
from xegpu.dialects.upstream.vector.slices import ExtractOp

_UNARY: dict[str, Callable[[SSAValue], Operation]] = {
    "ceil": math.CeilOp,
    "fabs": math.AbsFOp,
    "floor": math.FloorOp,
    "rint": math.RoundEvenOp,
    "round": math.RoundOp,
    "sqrt": math.SqrtOp,
    "trunc": math.TruncOp,
    "clz": math.CountLeadingZerosOp,
    "ctz": math.CountTrailingZerosOp,
    "popcount": math.CtPopOp,
}
_BINARY: dict[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "copysign": math.CopySignOp,
    "fmax": arith.MaxnumfOp,
    "fmin": arith.MinnumfOp,
}


def is_float(type: Attribute) -> bool:
    """Returns whether a type is, or consists of, floats."""
    return isinstance(get_element_type_or_self(type), AnyFloat)


def spread(call: Call, value: SSAValue, type: Attribute) -> SSAValue:
    """Returns a scalar in all elements of a vector type; a vector stays as it is."""
    if isinstance(type, VectorType) and not isinstance(value.type, VectorType):
        return call.builder.add(BroadcastOp(value, type))
    return value


def arguments(call: Call) -> list[SSAValue]:
    """Returns all arguments, scalars repeated where the result is a vector."""
    return [spread(call, value, call.type) for value in call.values]


@builtin(*_UNARY)
def unary(call: Call) -> SSAValue:
    return call.builder.add(_UNARY[call.name](call.value(0)))


@builtin(*_BINARY)
def binary(call: Call) -> SSAValue:
    a, b = arguments(call)
    return call.builder.add(_BINARY[call.name](a, b))


_SAME = ("cos", "exp", "exp2", "exp10", "log", "log2", "log10", "powr", "rsqrt", "sin", "sqrt", "tan")


@builtin(*(f"{prefix}_{name}" for prefix in ("half", "native") for name in _SAME))
def approximate(call: Call) -> SSAValue:
    """What may be less accurate is as accurate as the function itself."""
    name = call.name.partition("_")[2]
    if name == "exp10":
        return power_of_ten(call)
    result = BUILTINS[name](Call(call.importer, name, call.type, call.operands, call.alignments, call.letters))
    assert isinstance(result, SSAValue)
    return result


@builtin("half_divide", "native_divide", "half_recip", "native_recip")
def quotient(call: Call) -> SSAValue:
    f = Floats(call)
    a, b = (f.constant(1.0), call.value(0)) if call.name.endswith("recip") else call.values
    return f.do(arith.DivfOp, a, b)


@builtin("fma", "mad")
def multiply_add(call: Call) -> SSAValue:
    a, b, c = arguments(call)
    return call.builder.add(math.FmaOp(a, b, c))


@builtin("degrees", "radians")
def angle(call: Call) -> SSAValue:
    f = Floats(call)
    factor = 180 / constants.pi if call.name == "degrees" else constants.pi / 180
    return f.do(arith.MulfOp, call.value(0), factor)


@builtin("fdim")
def positive_difference(call: Call) -> SSAValue:
    f, (a, b) = Floats(call), call.values
    difference = f.do(arith.SubfOp, a, b)
    return f.choose(f.compare("ole", a, b), 0.0, difference)


@builtin("maxmag", "minmag")
def by_magnitude(call: Call) -> SSAValue:
    f, (a, b) = Floats(call), call.values
    first, second = f.do(math.AbsFOp, a), f.do(math.AbsFOp, b)
    wins, loses = ("ogt", "olt") if call.name == "maxmag" else ("olt", "ogt")
    even = f.do(arith.MaxnumfOp if call.name == "maxmag" else arith.MinnumfOp, a, b)
    return f.choose(f.compare(wins, first, second), a, f.choose(f.compare(loses, first, second), b, even))


@builtin("mix")
def blend(call: Call) -> SSAValue:
    f = Floats(call, call.type)
    a, b, t = arguments(call)
    return f.do(math.FmaOp, f.do(arith.SubfOp, b, a), t, a)


@builtin("step")
def step(call: Call) -> SSAValue:
    f = Floats(call, call.type)
    edge, x = arguments(call)
    return f.choose(f.compare("olt", x, edge), 0.0, 1.0)


@builtin("smoothstep")
def smooth_step(call: Call) -> SSAValue:
    f = Floats(call, call.type)
    low, high, x = arguments(call)
    t = f.do(arith.DivfOp, f.do(arith.SubfOp, x, low), f.do(arith.SubfOp, high, low))
    t = f.do(arith.MinnumfOp, f.do(arith.MaxnumfOp, t, 0.0), 1.0)
    slope = f.do(arith.SubfOp, 3.0, f.do(arith.MulfOp, t, 2.0))
    return f.do(arith.MulfOp, f.do(arith.MulfOp, t, t), slope)


@builtin("sign")
def sign(call: Call) -> SSAValue:
    f, x = Floats(call), call.value(0)
    one = f.do(math.CopySignOp, 1.0, x)
    result = f.choose(f.compare("oeq", x, 0.0), x, one)
    return f.choose(f.compare("uno", x, x), 0.0, result)


@builtin("nan")
def not_a_number(call: Call) -> SSAValue:
    return call.builder.constant(call.type, constants.nan)


@builtin("max", "min")
def extremum(call: Call) -> SSAValue:
    a, b = arguments(call)
    return _extremum(call, call.name, a, b)


def _extremum(call: Call, name: str, a: SSAValue, b: SSAValue) -> SSAValue:
    ops = {
        ("max", "f"): arith.MaxnumfOp,
        ("min", "f"): arith.MinnumfOp,
        ("max", "s"): arith.MaxSIOp,
        ("min", "s"): arith.MinSIOp,
        ("max", "u"): arith.MaxUIOp,
        ("min", "u"): arith.MinUIOp,
    }
    kind = "f" if is_float(a.type) else "s" if call.signed(0) else "u"
    return call.builder.add(ops[name, kind](a, b))


@builtin("clamp")
def clamp(call: Call) -> SSAValue:
    x, low, high = arguments(call)
    return _extremum(call, "min", _extremum(call, "max", x, low), high)


# Integers


@builtin("abs")
def absolute(call: Call) -> SSAValue:
    return call.builder.add(math.AbsIOp(call.value(0))) if call.signed(0) else call.value(0)


@builtin("abs_diff")
def absolute_difference(call: Call) -> SSAValue:
    (a, b), i = call.values, Integers(call.builder, call.type)
    more = i.compare("sgt" if call.signed(0) else "ugt", a, b)
    return i.choose(more, i.subtract(a, b), i.subtract(b, a))


@builtin("add_sat", "sub_sat")
def saturating(call: Call) -> SSAValue:
    name = f"{'s' if call.signed(0) else 'u'}{call.name.replace('_', '.')}"
    return _intrinsic(call, name, call.operands)


def _intrinsic(call: Call, name: str, operands: tuple[Value, ...]) -> SSAValue:
    result = INTRINSICS[name](Call(call.importer, name, call.type, operands, call.alignments))
    assert isinstance(result, SSAValue)
    return result


@builtin("hadd", "rhadd")
def halved_sum(call: Call) -> SSAValue:
    """The common bits and half of the others; rounded up, all bits less half of the others."""
    (a, b), i = call.values, Integers(call.builder, call.type)
    shift = ShRSIOp if call.signed(0) else ShRUIOp
    half = call.builder.add(shift(i.differing(a, b), i.constant(1)))
    return i.add(i.both(a, b), half) if call.name == "hadd" else i.subtract(i.either(a, b), half)


@builtin("mul_hi", "mad_hi")
def high_product(call: Call) -> SSAValue:
    op = (arith.MulSIExtendedOp if call.signed(0) else arith.MulUIExtendedOp)(call.value(0), call.value(1))
    call.builder.insert(op)
    high: SSAValue = op.results[1]
    return high if call.name == "mul_hi" else call.builder.add(arith.AddiOp(high, call.value(2)))


@builtin("mul24", "mad24")
def product_of_24_bits(call: Call) -> SSAValue:
    product = call.builder.add(arith.MuliOp(call.value(0), call.value(1)))
    return product if call.name == "mul24" else call.builder.add(arith.AddiOp(product, call.value(2)))


@builtin("rotate")
def rotate(call: Call) -> SSAValue:
    value, count = call.operands
    return _intrinsic(call, "fshl", (value, value, count))


@builtin("upsample")
def upsample(call: Call) -> SSAValue:
    high, low = call.values
    i = Integers(call.builder, call.type)
    wide = (call.builder.add(ExtUIOp(value, call.type)) for value in (high, low))
    above, below = wide
    return i.either(i.left(above, i.constant(i.bits // 2)), below)


# Choices and relations


@builtin("select")
def select(call: Call) -> SSAValue:
    """Scalars are chosen by any bit, elements of vectors by the highest one."""
    a, b, mask = call.values
    i = Integers(call.builder, mask.type)
    condition = i.compare("slt" if isinstance(mask.type, VectorType) else "ne", mask, i.constant(0))
    return call.builder.add(SelectOp(condition, b, a))


@builtin("bitselect")
def bit_select(call: Call) -> SSAValue:
    bits = [_bits(call, value) for value in call.values]
    i = Integers(call.builder, bits[0].type)
    a, b, mask = bits
    result = i.differing(a, i.both(i.differing(a, b), mask))
    return result if result.type == call.type else call.builder.add(arith.BitcastOp(result, call.type))


def _bits(call: Call, value: SSAValue) -> SSAValue:
    return Floats(call, value.type).as_bits(value) if is_float(value.type) else value


_RELATIONS = {
    "isequal": "oeq",
    "isnotequal": "une",
    "isgreater": "ogt",
    "isgreaterequal": "oge",
    "isless": "olt",
    "islessequal": "ole",
    "islessgreater": "one",
    "isordered": "ord",
    "isunordered": "uno",
}


@builtin(*_RELATIONS)
def relation(call: Call) -> SSAValue:
    return _truth(call, call.builder.add(CmpfOp(call.value(0), call.value(1), _RELATIONS[call.name])))


def _truth(call: Call, condition: SSAValue) -> SSAValue:
    """Returns 1 or 0, or for vectors -1 or 0 in each element."""
    if condition.type == call.type:
        return condition
    return call.builder.add((ExtSIOp if isinstance(call.type, VectorType) else ExtUIOp)(condition, call.type))


@builtin("isnan", "isinf", "isfinite", "isnormal", "signbit")
def classify(call: Call) -> SSAValue:
    f, x = Floats(call), call.value(0)
    size = f.do(math.AbsFOp, x)
    match call.name:
        case "isnan":
            found = f.compare("uno", x, x)
        case "isinf":
            found = f.compare("oeq", size, constants.inf)
        case "isfinite":
            found = f.compare("olt", size, constants.inf)
        case "isnormal":
            normal = f.compare("oge", size, 2.0 ** (1 - f.bias))
            found = call.builder.add(arith.AndIOp(normal, f.compare("olt", size, constants.inf)))
        case _:
            found = f.integers.compare("slt", f.as_bits(x), f.integers.constant(0))
    return _truth(call, found)


@builtin("any", "all")
def of_signs(call: Call) -> SSAValue:
    """Whether the highest bit is set in any element, or in all."""
    value = call.value(0)
    i = Integers(call.builder, value.type)
    negative = i.compare("slt", value, i.constant(0))
    combine = arith.OrIOp if call.name == "any" else arith.AndIOp
    if isinstance(value.type, VectorType):
        elements = [call.builder.add(ExtractOp(negative, [n])) for n in range(value.type.element_count())]
        negative = elements[0]
        for element in elements[1:]:
            negative = call.builder.add(combine(negative, element))
    return call.builder.add(ExtUIOp(negative, call.type))


# Geometry


def _elements(call: Call, value: SSAValue) -> list[SSAValue]:
    if not isinstance(value.type, VectorType):
        return [value]
    return [call.builder.add(ExtractOp(value, [n])) for n in range(value.type.element_count())]


def _dot(call: Call, a: SSAValue, b: SSAValue) -> SSAValue:
    (first, second), *rest = zip(_elements(call, a), _elements(call, b), strict=True)
    total = call.builder.add(arith.MulfOp(first, second))
    for x, y in rest:
        total = call.builder.add(math.FmaOp(x, y, total))
    return total


@builtin("dot")
def dot(call: Call) -> SSAValue:
    return _dot(call, call.value(0), call.value(1))


@builtin("length", "fast_length", "distance", "fast_distance")
def length(call: Call) -> SSAValue:
    vector = call.value(0)
    if call.name.endswith("distance"):
        vector = call.builder.add(arith.SubfOp(vector, call.value(1)))
    return call.builder.add(math.SqrtOp(_dot(call, vector, vector)))


@builtin("normalize", "fast_normalize")
def normalize(call: Call) -> SSAValue:
    vector = call.value(0)
    size = call.builder.add(math.SqrtOp(_dot(call, vector, vector)))
    f = Floats(call, size.type)
    size = f.choose(f.compare("oeq", size, 0.0), 1.0, size)
    return call.builder.add(arith.DivfOp(vector, spread(call, size, vector.type)))


@builtin("cross")
def cross(call: Call) -> SSAValue:
    a, b = (_elements(call, value) for value in call.values)
    f = Floats(call, a[0].type)
    result = f.builder.constant(call.type, 0.0)
    for n in range(3):
        first, second = (n + 1) % 3, (n + 2) % 3
        product = f.do(arith.MulfOp, a[second], b[first])
        part = f.do(arith.SubfOp, f.do(arith.MulfOp, a[first], b[second]), product)
        result = inserted(call.importer, part, result, n)
    return result


@builtin("shuffle", "shuffle2")
def shuffle(call: Call) -> SSAValue:
    """Elements of one vector, or of two behind one another, at positions that may be computed at run time."""
    *vectors, mask = call.values
    source = vectors[0].type
    assert isinstance(source, VectorType) and isinstance(mask.type, VectorType)
    count, result = source.element_count(), call.builder.constant(call.type, 0)
    i = Integers(call.builder, get_element_type_or_self(mask.type))
    for n in range(mask.type.element_count()):
        number = call.builder.add(ExtractOp(mask, [n]))
        place = call.builder.index(i.both(number, i.constant(count - 1)))
        found = [call.builder.add(ExtractOp(vector, [place])) for vector in vectors]
        element = found[0]
        if len(found) > 1:
            second = i.compare("ne", i.both(number, i.constant(count)), i.constant(0))
            element = call.builder.add(SelectOp(second, found[1], found[0]))
        result = inserted(call.importer, element, result, n)
    return result
