"""Bodies of floating-point functions that are a few operations."""

from __future__ import annotations

import math

from passes.frontends.builtins.bodies.bitfields import dot_of_integers
from passes.frontends.builtins.bodies.body import Body, count_of, llvm, pointer_of, scalar_of, writes
from passes.frontends.builtins.mangling import Scalar, Type, Vector

_HALF, _FLOAT = Scalar("Dh"), Scalar("f")

_INTRINSICS = {
    "ceil": "ceil",
    "copysign": "copysign",
    "fabs": "fabs",
    "floor": "floor",
    "fma": "fma",
    "fmax": "maxnum",
    "fmin": "minnum",
    "mad": "fmuladd",
    "rint": "rint",
    "round": "round",
    "sqrt": "sqrt",
    "trunc": "trunc",
}


@writes(*_INTRINSICS)
def _intrinsic(body: Body) -> None:
    if not body.floats:
        raise body.refuse()
    arguments = [body.whole(place) for place in range(len(body.arguments))]
    body.give(body.intrinsic(_INTRINSICS[body.name], body.type, *arguments))


def _op(body: Body, operation: str, left: str, right: str) -> str:
    return body.op(f"{operation} {body.type} {left}, {right}")


def _choose(body: Body, condition: str, left: str, right: str) -> str:
    return body.op(f"select {body.like('i1')} {condition}, {body.type} {left}, {body.type} {right}")


@writes(*(f"{kind}_{name}" for kind in ("half", "native") for name in ("divide", "recip")))
def _quotient(body: Body) -> None:
    if body.name.endswith("recip"):
        body.give(_op(body, "fdiv", body.constant(1.0), body.arguments[0]))
    else:
        body.give(_op(body, "fdiv", *body.arguments))


@writes(
    *(
        f"{kind}_{name}"
        for kind in ("half", "native")
        for name in ("cos", "exp", "exp2", "exp10", "log", "log2", "log10", "powr", "rsqrt", "sin", "sqrt", "tan")
    )
)
def _precise(body: Body) -> None:
    """Writes a call of the function with full accuracy, which meets every bound."""
    body.give(body.call(body.name.partition("_")[2], body.type, body.types, *body.arguments))


@writes("degrees", "radians")
def _angle(body: Body) -> None:
    factor = 180.0 / math.pi if body.name == "degrees" else math.pi / 180.0
    body.give(_op(body, "fmul", body.arguments[0], body.constant(factor)))


@writes("fdim")
def _fdim(body: Body) -> None:
    x, y = body.arguments
    below = body.op(f"fcmp ole {body.type} {x}, {y}")
    body.give(_choose(body, below, body.constant(0.0), _op(body, "fsub", x, y)))


@writes("maxmag", "minmag")
def _magnitude(body: Body) -> None:
    x, y = body.arguments
    left, right = (body.intrinsic("fabs", body.type, each) for each in (x, y))
    first, second = ("ogt", "maxnum") if body.name == "maxmag" else ("olt", "minnum")
    equal = body.intrinsic(second, body.type, x, y)
    other = body.op(f"fcmp {first} {body.type} {right}, {left}")
    one = body.op(f"fcmp {first} {body.type} {left}, {right}")
    body.give(_choose(body, one, x, _choose(body, other, y, equal)))


@writes("mix")
def _mix(body: Body) -> None:
    x, y = body.arguments[:2]
    share = _op(body, "fmul", _op(body, "fsub", y, x), body.whole(2))
    body.give(_op(body, "fadd", x, share))


def _as_result(body: Body, place: int, goal: str) -> str:
    """Returns an argument repeated to the length of the result, for functions whose edges may be scalars."""
    text, kind = body.arguments[place], llvm(body.types[place])
    if kind == goal:
        return text
    first = body.op(f"insertelement {goal} poison, {kind} {text}, i32 0")
    count = goal.strip("<>").partition(" ")[0]
    return body.op(f"shufflevector {goal} {first}, {goal} poison, <{count} x i32> zeroinitializer")


@writes("step")
def _step(body: Body) -> None:
    goal = llvm(body.types[1])
    edge, x = _as_result(body, 0, goal), body.arguments[1]
    below = body.op(f"fcmp olt {goal} {x}, {edge}")
    above = body.op(f"xor {goal_truth(body.types[1])} {below}, {goal_true(body.types[1])}")
    body.give(body.op(f"uitofp {goal_truth(body.types[1])} {above} to {goal}"), goal)


def goal_truth(kind: Type) -> str:
    """Returns the type of truth values with the components of another type."""
    return f"<{count_of(kind)} x i1>" if count_of(kind) > 1 else "i1"


def goal_true(kind: Type) -> str:
    """Returns true, as often as another type has components."""
    return "splat (i1 true)" if count_of(kind) > 1 else "true"


@writes("smoothstep")
def _smoothstep(body: Body) -> None:
    kind = body.types[2]
    goal = llvm(kind)
    inner = Body(body.symbol, body.callee, goal)
    inner.types, inner.lines, inner.declared = (kind,), body.lines, body.declared
    low, high, x = (_as_result(body, place, goal) for place in range(3))
    part = _op(inner, "fdiv", _op(inner, "fsub", x, low), _op(inner, "fsub", high, low))
    part = inner.intrinsic(
        "minnum", goal, inner.intrinsic("maxnum", goal, part, inner.constant(0.0)), inner.constant(1.0)
    )
    rest = _op(inner, "fsub", inner.constant(3.0), _op(inner, "fmul", inner.constant(2.0), part))
    body.give(_op(inner, "fmul", _op(inner, "fmul", part, part), rest), goal)


@writes("sign")
def _sign(body: Body) -> None:
    (x,) = body.arguments
    nonzero = body.op(f"fcmp one {body.type} {x}, {body.constant(0.0)}")
    unit = body.intrinsic("copysign", body.type, body.constant(1.0), x)
    zero = body.intrinsic("copysign", body.type, body.constant(0.0), x)
    number = _choose(body, nonzero, unit, zero)
    ordered = body.op(f"fcmp ord {body.type} {x}, {x}")
    body.give(_choose(body, ordered, number, body.constant(0.0)))


_FORMATS = {"half": (16, 10), "float": (32, 23), "double": (64, 52)}


@writes("nan")
def _nan(body: Body) -> None:
    scalar = {16: "half", 32: "float", 64: "double"}.get(body.width)
    if scalar is None:
        raise body.refuse()
    fraction = _FORMATS[scalar][1]
    kept = _op(body, "and", body.arguments[0], body.constant((1 << fraction) - 1))
    quiet = (1 << body.width - 1) - (1 << fraction - 1)
    bits = _op(body, "or", kept, body.constant(quiet))
    goal = body.like(scalar)
    body.give(body.op(f"bitcast {body.type} {bits} to {goal}"), goal)


def _store(body: Body, kind: str, text: str) -> None:
    """Stores behind the last argument."""
    pointer = pointer_of(body.types[-1], body.symbol)
    body.do(f"store {kind} {text}, {llvm(pointer)} {body.arguments[-1]}")


@writes("fract")
def _fract(body: Body) -> None:
    if not body.floats:
        raise body.refuse()
    x = body.arguments[0]
    whole = body.intrinsic("floor", body.type, x)
    _store(body, body.type, whole)
    below = {"half": 1 - 2.0**-11, "float": 1 - 2.0**-24, "double": 1 - 2.0**-53}[body.scalar.llvm]
    part = body.intrinsic("minnum", body.type, _op(body, "fsub", x, whole), body.constant(below))
    integral = body.op(f"fcmp oeq {body.type} {x}, {whole}")
    part = _choose(body, integral, body.intrinsic("copysign", body.type, body.constant(0.0), x), part)
    ordered = body.op(f"fcmp ord {body.type} {x}, {x}")
    body.give(_choose(body, ordered, part, x))


@writes("modf")
def _modf(body: Body) -> None:
    x = body.arguments[0]
    whole = body.intrinsic("trunc", body.type, x)
    _store(body, body.type, whole)
    integral = body.op(f"fcmp oeq {body.type} {x}, {whole}")
    part = _choose(body, integral, body.constant(0.0), _op(body, "fsub", x, whole))
    body.give(body.intrinsic("copysign", body.type, part, x))


@writes("sincos")
def _sincos(body: Body) -> None:
    x, kind = body.arguments[0], body.types[:1]
    _store(body, body.type, body.call("cos", body.type, kind, x))
    body.give(body.call("sin", body.type, kind, x))


@writes("frexp")
def _frexp(body: Body) -> None:
    """Takes the exponent from the bits; a subnormal number is scaled first."""
    if not body.floats:
        raise body.refuse()
    x = body.arguments[0]
    bits, fraction = _FORMATS[body.scalar.llvm]
    integer, scalar = body.like(f"i{bits}"), f"i{bits}"
    exponents = (1 << bits - 1 - fraction) - 1
    scale = fraction + 2

    def constant(value: int) -> str:
        return body.splat(scalar, str(value))

    magnitude = body.intrinsic("fabs", body.type, x)
    least = 2.0 ** (2 - (1 << bits - 2 - fraction))
    tiny = body.op(f"fcmp olt {body.type} {magnitude}, {body.constant(least)}")
    scaled = _choose(body, tiny, _op(body, "fmul", x, body.constant(2.0**scale)), x)
    raw = body.op(f"bitcast {body.type} {scaled} to {integer}")
    field = body.op(f"and {integer} {body.op(f'lshr {integer} {raw}, {constant(fraction)}')}, {constant(exponents)}")
    half = (exponents >> 1) - 1
    removed = body.op(f"and {integer} {raw}, {constant(~(exponents << fraction))}")
    mantissa = body.op(f"or {integer} {removed}, {constant(half << fraction)}")
    truth = body.like("i1")
    bias = body.op(f"select {truth} {tiny}, {integer} {constant(half + scale)}, {integer} {constant(half)}")
    exponent = body.op(f"sub {integer} {field}, {bias}")
    special = body.op(f"icmp eq {integer} {field}, {constant(exponents)}")
    zero = body.op(f"fcmp oeq {body.type} {x}, {body.constant(0.0)}")
    plain = body.op(f"or {truth} {special}, {zero}")
    exponent = body.op(f"select {truth} {plain}, {integer} {constant(0)}, {integer} {exponent}")
    goal = body.like("i32")
    if bits != 32:
        exponent = body.op(f"{'sext' if bits < 32 else 'trunc'} {integer} {exponent} to {goal}")
    _store(body, goal, exponent)
    body.give(_choose(body, plain, x, body.op(f"bitcast {integer} {mantissa} to {body.type}")))


def _parts(body: Body, kind: Type, text: str) -> list[str]:
    if count_of(kind) == 1:
        return [text]
    return [body.op(f"extractelement {llvm(kind)} {text}, i32 {place}") for place in range(count_of(kind))]


def _sum(body: Body, left: list[str], right: list[str]) -> str:
    scalar = scalar_of(body.types[0], body.symbol).llvm
    total = ""
    for one, another in zip(left, right, strict=True):
        product = body.op(f"fmul {scalar} {one}, {another}")
        total = body.op(f"fadd {scalar} {total}, {product}") if total else product
    return total


@writes("dot")
def _dot(body: Body) -> None:
    if not body.floats:
        dot_of_integers(body)
        return
    left, right = (_parts(body, body.types[0], each) for each in body.arguments)
    body.give(_sum(body, left, right), body.scalar.llvm)


def _length(body: Body, vector: str, scaled: bool) -> str:
    """Returns the length of a vector; components are divided by the largest one unless speed matters more."""
    kind, scalar = body.types[0], body.scalar.llvm
    parts = _parts(body, kind, vector)
    if len(parts) == 1:
        return body.intrinsic("fabs", scalar, parts[0])
    if not scaled:
        return body.intrinsic("sqrt", scalar, _sum(body, parts, parts))
    largest = body.intrinsic("fabs", scalar, parts[0])
    for part in parts[1:]:
        largest = body.intrinsic("maxnum", scalar, largest, body.intrinsic("fabs", scalar, part))
    ratios = [body.op(f"fdiv {scalar} {part}, {largest}") for part in parts]
    root = body.intrinsic("sqrt", scalar, _sum(body, ratios, ratios))
    product = body.op(f"fmul {scalar} {root}, {largest}")
    # A zero vector and one with an infinity have no ratios; their largest component is the length.
    infinity = {"half": "0xH7C00"}.get(scalar, "0x7FF0000000000000")
    zero = {"half": "0xH0000"}.get(scalar, "0.0")
    unusual = [body.op(f"fcmp oeq {scalar} {largest}, {each}") for each in (zero, infinity)]
    either = body.op(f"or i1 {unusual[0]}, {unusual[1]}")
    return body.op(f"select i1 {either}, {scalar} {largest}, {scalar} {product}")


def _through_floats(body: Body) -> bool:
    """Writes a function of vectors of halfs as that of floats, where squares do not vanish; says whether it has."""
    if body.scalar != _HALF:
        return False
    kind = Vector(body.count, _FLOAT) if body.count > 1 else _FLOAT
    wide = [body.op(f"fpext {body.type} {text} to {kind.llvm}") for text in body.arguments]
    goal = body.result.replace("half", "float")
    result = body.call(body.name, goal, (kind,) * len(wide), *wide)
    body.give(body.op(f"fptrunc {goal} {result} to {body.result}"), body.result)
    return True


@writes("length", "fast_length")
def _length_of(body: Body) -> None:
    if _through_floats(body):
        return
    body.give(_length(body, body.arguments[0], body.name == "length"), body.scalar.llvm)


@writes("distance", "fast_distance")
def _distance(body: Body) -> None:
    if _through_floats(body):
        return
    between = _op(body, "fsub", *body.arguments)
    body.give(_length(body, between, body.name == "distance"), body.scalar.llvm)


@writes("normalize", "fast_normalize")
def _normalize(body: Body) -> None:
    if _through_floats(body):
        return
    (x,) = body.arguments
    length = _length(body, x, body.name == "normalize")
    scalar = body.scalar.llvm
    whole = length
    if body.count > 1:
        first = body.op(f"insertelement {body.type} poison, {scalar} {length}, i32 0")
        whole = body.op(f"shufflevector {body.type} {first}, {body.type} poison, <{body.count} x i32> zeroinitializer")
    zero = body.op(f"fcmp oeq {body.type} {whole}, {body.constant(0.0)}")
    body.give(_choose(body, zero, x, _op(body, "fdiv", x, whole)))


@writes("cross")
def _cross(body: Body) -> None:
    if body.count not in (3, 4):
        raise body.refuse()
    scalar = body.scalar.llvm
    x, y = (_parts(body, body.types[0], each) for each in body.arguments)
    result = "zeroinitializer"
    for place in range(3):
        one, two = (place + 1) % 3, (place + 2) % 3
        left = body.op(f"fmul {scalar} {x[one]}, {y[two]}")
        right = body.op(f"fmul {scalar} {x[two]}, {y[one]}")
        part = body.op(f"fsub {scalar} {left}, {right}")
        result = body.op(f"insertelement {body.type} {result}, {scalar} {part}, i32 {place}")
    body.give(result)
