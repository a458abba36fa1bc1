"""Bodies of remainders of quotients that are rounded to nearest."""

from __future__ import annotations

from passes.frontends.builtins.bodies.arithmetic import Arithmetic
from passes.frontends.builtins.bodies.body import Body, llvm, scalar_of, writes_scalar

_QUOTIENT_BITS = 7
"""The bits of the quotient that `remquo` gives."""


@writes_scalar("remainder")
def _remainder(body: Body) -> None:
    rest, _ = _nearest(body, quotient_bits=1)
    body.give(rest)


@writes_scalar("remquo")
def _remquo(body: Body) -> None:
    rest, quotient = _nearest(body, quotient_bits=_QUOTIENT_BITS)
    goal = scalar_of(getattr(body.types[2], "pointee", body.types[2]), body.symbol).llvm
    x, y = body.arguments[:2]
    integer = f"i{body.width}"
    signs = [body.op(f"bitcast {body.type} {each} to {integer}") for each in (x, y)]
    differ = body.op(f"icmp slt {integer} {body.op(f'xor {integer} {signs[0]}, {signs[1]}')}, 0")
    kept = body.op(f"and i32 {quotient}, {(1 << _QUOTIENT_BITS) - 1}")
    signed = body.op(f"select i1 {differ}, i32 {body.op(f'sub i32 0, {kept}')}, i32 {kept}")
    if goal != "i32":
        raise body.refuse()
    body.do(f"store i32 {signed}, {llvm(body.types[2])} {body.arguments[2]}")
    body.give(rest)


def _nearest(body: Body, quotient_bits: int) -> tuple[str, str]:
    """Returns the remainder of the nearest quotient, and the low bits of that, of the magnitudes.

    The remainder of 2^bits divisors is exact, and so is each subtraction of a power of two of them.
    """
    f = Arithmetic(body, body.scalar)
    x, y = body.arguments[:2]
    rest, divisor = f.intrinsic("fabs", x), f.intrinsic("fabs", y)
    rest = f.remainder(rest, f.multiply(divisor, 2.0**quotient_bits))
    quotient = "0"
    for bit in reversed(range(quotient_bits)):
        part = f.multiply(divisor, 2.0**bit)
        whole = f.compare("oge", rest, part)
        rest = f.choose(whole, f.subtract(rest, part), rest)
        quotient = body.op(f"add i32 {quotient}, {body.op(f'select i1 {whole}, i32 {1 << bit}, i32 0')}")
    other = f.subtract(divisor, rest)
    odd = body.op(f"trunc i32 {quotient} to i1")
    halfway = body.op(f"and i1 {f.compare('oeq', rest, other)}, {odd}")
    up = body.op(f"or i1 {f.compare('ogt', rest, other)}, {halfway}")
    rest = f.choose(up, f.negate(other), rest)
    quotient = body.op(f"add i32 {quotient}, {body.op(f'zext i1 {up} to i32')}")
    # A rest of zero has the sign of the dividend, and others have it turned by it.
    negative = f.compare("olt", f.intrinsic("copysign", 1.0, x), 0.0)
    return f.choose(negative, f.negate(rest), rest), quotient
