"""Bodies of the gamma function and its logarithm."""

from __future__ import annotations

import math

from passes.frontends.builtins.bodies.arithmetic import Arithmetic
from passes.frontends.builtins.bodies.body import Body, llvm, writes_scalar

_RECIPROCAL = (
    1.0,
    0.5772156649015329,
    -0.6558780715202539,
    -0.04200263503409524,
    0.16653861138229148,
    -0.04219773455554433,
    -0.009621971527876973,
    0.0072189432466631,
    -0.0011651675918590652,
    -0.00021524167411495098,
    0.0001280502823881162,
    -2.013485478078824e-05,
    -1.2504934821426706e-06,
    1.133027231981696e-06,
    -2.056338416977607e-07,
    6.116095104481416e-09,
    5.002007644469223e-09,
    -1.1812745704870201e-09,
    1.0434267116911005e-10,
    7.782263439905071e-12,
    -3.696805618642206e-12,
    5.100370287454476e-13,
)
"""The power series of 1 / gamma(1 + z), truncated with an error below 2^-60 for |z| <= 1/2."""

_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
_LARGE = 10
"""The least argument of Stirling's series: from there on, the terms that are left out are below 2^-53."""

_LIMITS = {"f": (-45.5, 36.0), "d": (-185.5, 172.0)}
"""Arguments below which the gamma function is zero, and above which it is infinite."""


@writes_scalar("tgamma", codes=("f", "d"))
def _gamma(body: Body) -> None:
    """Multiplies, or divides, the gamma function between 1/2 and 3/2 by the numbers on the way there.

    The product carries what each multiplication rounds away, so that its length costs no digits.
    """
    f, (x,) = Arithmetic(body, body.scalar), body.arguments
    low, high = _LIMITS[body.scalar.code]
    near = f.intrinsic("maxnum", f.intrinsic("minnum", x, high), low)
    whole = f.intrinsic("rint", near)
    steps, z = f.subtract(whole, 1.0), f.subtract(near, whole)
    start = f.divide(1.0, f.polynomial(z, _RECIPROCAL))
    up = f.compare("ogt", steps, 0.0)
    count = f.intrinsic("fabs", steps)
    # Upwards from gamma, the factors are x - 1, x - 2, ...; downwards they are x, x + 1, ..., and divide it.
    first = f.choose(up, f.subtract(near, 1.0), near)
    step = f.choose(up, -1.0, 1.0)
    # A long product of numbers below zero would overflow before its reciprocal vanishes.
    scale = f.choose(f.compare("olt", x, -20.0), 2.0**-60, 1.0)
    product = f.choose(up, start, scale)
    body.do("br label %head")
    f.label("head")
    names = ("%k", "%factor", "%product", "%lost")
    phis = len(body.lines)
    body.lines += [""] * len(names)
    more = f.compare("olt", names[0], count)
    body.do(f"br i1 {more}, label %body, label %end")
    f.label("body")
    exact = f.multiply(names[2], names[1])
    error = f.fused(names[2], names[1], f.negate(exact))
    initial = (f.text(0.0), first, product, f.text(0.0))
    later = (f.add(names[0], 1.0), f.add(names[1], step), exact, f.fused(names[3], names[1], error))
    for place, (name, before, after) in enumerate(zip(names, initial, later, strict=True), phis):
        body.lines[place] = f"  {name} = phi {f.type} [ {before}, %0 ], [ {after}, %body ]"
    body.do("br label %head")
    f.label("end")
    usable = f.compare("olt", f.intrinsic("fabs", names[2]), math.inf)
    total = f.choose(usable, f.add(names[2], names[3]), names[2])
    result = f.choose(up, total, f.multiply(f.divide(start, total), scale))
    result = f.choose(f.compare("ogt", x, high), math.inf, result)
    pole = body.op(f"and i1 {f.compare('olt', x, 0.0)}, {f.compare('oeq', f.intrinsic('floor', x), x)}")
    result = f.choose(pole, math.nan, result)
    result = f.choose(f.compare("oeq", x, 0.0), f.intrinsic("copysign", math.inf, x), result)
    body.give(f.choose(f.compare("uno", x, x), x, result))


@writes_scalar("lgamma", codes=("f", "d"))
def _logarithm(body: Body) -> None:
    body.give(_logarithm_of(body, Arithmetic(body, body.scalar), body.arguments[0]))


@writes_scalar("lgamma_r", codes=("f", "d"))
def _logarithm_with_sign(body: Body) -> None:
    """Below zero, the gamma function has the sign of the number of whole steps from there."""
    f, x = Arithmetic(body, body.scalar), body.arguments[0]
    below = f.compare("olt", x, 0.0)
    floor = f.intrinsic("floor", x)
    half = f.multiply(floor, 0.5)
    odd = f.compare("one", half, f.intrinsic("floor", half))
    pole = f.compare("oeq", floor, x)
    negative = body.op(f"select i1 {below}, i1 {odd}, i1 {f.compare('olt', f.divide(1.0, x), 0.0)}")
    sign = body.op(f"select i1 {negative}, i32 -1, i32 1")
    none = body.op(f"and i1 {below}, {pole}")
    sign = body.op(f"select i1 {none}, i32 0, i32 {sign}")
    body.do(f"store i32 {sign}, {llvm(body.types[1])} {body.arguments[1]}")
    body.give(f.call("lgamma", x))


def _logarithm_of(body: Body, f: Arithmetic, x: str) -> str:
    """Returns log |gamma(x)|: of a reflected argument if it is below 1/2, by a product if it is small."""
    reflects = f.compare("olt", x, 0.5)
    place = f.choose(reflects, f.subtract(1.0, x), x)
    # Small arguments: gamma(1 + z), times 1 + z if that is needed, times the numbers up to the argument.
    small = f.intrinsic("minnum", place, float(_LARGE))
    steps = f.intrinsic("maxnum", f.subtract(f.intrinsic("rint", small), 1.0), 0.0)
    z = f.subtract(f.subtract(small, 1.0), steps)
    between = f.text(1.0)
    for step in range(1, _LARGE - 1):
        counts = f.compare("ogt", steps, float(step))
        between = f.choose(counts, f.multiply(between, f.subtract(small, float(step))), between)
    first = f.choose(f.compare("ogt", steps, 0.0), z, 0.0)
    reciprocal = f.multiply(z, f.polynomial(z, _RECIPROCAL[1:]))
    near = f.subtract(f.add(f.call("log", between), f.call("log1p", first)), f.call("log1p", reciprocal))
    large = f.intrinsic("maxnum", place, float(_LARGE))
    inverse = f.divide(1.0, large)
    series = f.multiply(inverse, f.polynomial(f.multiply(inverse, inverse), _STIRLING))
    power = f.multiply(f.subtract(large, 0.5), f.subtract(f.call("log", large), 1.0))
    far = f.add(power, f.add(series, math.log(2 * math.pi) / 2 - 0.5))
    result = f.choose(f.compare("olt", place, float(_LARGE)), near, far)
    # gamma(x) gamma(1 - x) = pi / sin(pi x)
    sine = f.intrinsic("fabs", f.call("sinpi", x))
    reflected = f.subtract(f.subtract(math.log(math.pi), f.call("log", sine)), result)
    result = f.choose(reflects, reflected, result)
    infinite = f.compare("oeq", f.intrinsic("fabs", x), math.inf)
    pole = body.op(f"and i1 {f.compare('ole', x, 0.0)}, {f.compare('oeq', f.intrinsic('floor', x), x)}")
    result = f.choose(body.op(f"or i1 {infinite}, {pole}"), math.inf, result)
    return f.choose(f.compare("uno", x, x), x, result)
