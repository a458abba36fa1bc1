"""Bodies of roots."""

from __future__ import annotations

import math

from passes.frontends.builtins.bodies.arithmetic import Arithmetic
from passes.frontends.builtins.bodies.body import Body, writes_scalar
from passes.frontends.builtins.mangling import Scalar

_INT = Scalar("i")


@writes_scalar("rootn", codes=("f", "d"))
def _root(body: Body) -> None:
    """Takes whole powers of two out first: the error of the exponent 1 / n grows with the logarithm of the number.

    Odd roots have the sign of the number; even roots of numbers below zero, and roots of degree zero, do not exist.
    """
    f, (x, degree) = Arithmetic(body, body.scalar), body.arguments
    size = f.intrinsic("fabs", x)
    exponent = body.call("ilogb", "i32", (body.scalar,), size)
    special = body.op(f"xor i1 {f.compare('one', f.multiply(size, 0.0), size)}, true")
    special = body.op(f"or i1 {special}, {f.compare('oeq', size, math.inf)}")
    exponent = body.op(f"select i1 {special}, i32 0, i32 {exponent}")
    none = body.op(f"icmp eq i32 {degree}, 0")
    divisor = body.op(f"select i1 {none}, i32 1, i32 {degree}")
    whole = body.op(f"sdiv i32 {exponent}, {divisor}")
    removed = body.op(f"mul i32 {whole}, {divisor}")
    kinds = (body.scalar, _INT)
    near = body.call("ldexp", body.type, kinds, size, body.op(f"sub i32 0, {removed}"))
    inverse = f.divide(1.0, body.op(f"sitofp i32 {divisor} to {body.type}"))
    root = body.call("ldexp", body.type, kinds, f.call("pow", near, inverse), whole)
    odd = body.op(f"trunc i32 {degree} to i1")
    even = f.choose(f.compare("olt", x, 0.0), math.nan, root)
    result = f.choose(odd, f.intrinsic("copysign", root, x), even)
    result = body.op(f"select i1 {none}, {body.type} {f.text(math.nan)}, {body.type} {result}")
    body.give(f.choose(f.compare("uno", x, x), x, result))
