"""Bodies of functions of halfs that floats compute: a few roundings in halfs would exceed the bounds."""

from __future__ import annotations

from passes.frontends.builtins.bodies.body import Body, writes_scalar
from passes.frontends.builtins.mangling import Scalar

_HALF, _FLOAT = Scalar("Dh"), Scalar("f")


@writes_scalar("hypot", "ldexp", "lgamma", "lgamma_r", "rootn", "tgamma", codes=("Dh",))
@writes_scalar("acospi", "asinpi", "atanpi", "atan2pi", "cospi", "sinpi", "tanpi", codes=("Dh",))
def _through_float(body: Body) -> None:
    kinds = tuple(_FLOAT if kind == _HALF else kind for kind in body.types)
    texts = [
        body.op(f"fpext half {text} to float") if kind == _HALF else text
        for kind, text in zip(body.types, body.arguments, strict=True)
    ]
    result = body.call(body.name, "float", kinds, *texts)
    body.give(body.op(f"fptrunc float {result} to half"))
