"""Measures the functions of `OpenCL.std` against exact results, and renews the table of docs/opencl.md.

    python -m tests.bulk.opencl_accuracy 1024

Arguments are random bits, so that every magnitude occurs, and random numbers near zero, one and the limits of the
domain. References are computed by mpmath with 30 digits beyond those that the arguments need.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import mpmath
import numpy as np

from runtime import Device
from tests.bulk.math_accuracy import DTYPES, Array, Measured as Domain, arguments as numbers
from tests.paths import ROOT

PAGE = ROOT / "docs/opencl.md"
TYPES = {"f32": "float", "f64": "double", "f16": "half"}
_DIGITS = {"f32": 24, "f64": 53, "f16": 11}
_LEAST = {"f32": -149, "f64": -1074, "f16": -24}
_LARGEST = {"f32": 128, "f64": 1024, "f16": 16}
_WIDE = 1200
"""Bits of references: the sine of the largest double takes as many."""

Exact = Callable[..., mpmath.mpf]


@dataclass(frozen=True)
class Function:
    """A function: what it should give, its bounds in ulp for f32, f64 and f16, and the domains of its arguments.

    Attributes:
        exact: Computes the result with many digits.
        bounds: The largest errors that OpenCL allows; infinite where it leaves them to implementations.
        domains: The limits of the arguments; integers where a limit is one.
        call: The expression in OpenCL C, of `x`, `y` and `z`; the call of the function if it is empty.
        types: The types that the function has.

    """

    exact: Exact
    bounds: tuple[float, float, float] = (0, 0, 0)
    domains: tuple[Domain, ...] = (Domain(abs),)
    call: str = ""
    types: tuple[str, ...] = ("f32", "f64", "f16")


_ANY = Domain(abs)
_INT = Domain(abs, -2000, 2000)


def _in(low: float = -math.inf, high: float = math.inf) -> tuple[Domain, ...]:
    return (Domain(abs, low, high),)


def _same(bound: float, half: float) -> tuple[float, float, float]:
    return bound, bound, half


def _nearest(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.nint(x)


def _away(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.sign(x) * mpmath.floor(abs(x) + mpmath.mpf(1) / 2)


def _truncated(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.sign(x) * mpmath.floor(abs(x))


def _fraction(x: mpmath.mpf, n: mpmath.mpf) -> mpmath.mpf:
    return x - n


def _exponent(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.mpf(mpmath.frexp(x)[1] - 1) if x else -mpmath.inf


def _root(x: mpmath.mpf, n: mpmath.mpf) -> mpmath.mpf:
    n = int(n)
    if n == 0 or (x < 0 and n % 2 == 0):
        return mpmath.nan
    if not x:
        return mpmath.mpf(0) if n > 0 else mpmath.inf
    return mpmath.sign(x) * mpmath.power(abs(x), mpmath.mpf(1) / n)


def _power(x: mpmath.mpf, y: mpmath.mpf) -> mpmath.mpf:
    if not x:
        return mpmath.mpf(1) if not y else mpmath.mpf(0) if y > 0 else mpmath.inf
    if x < 0 and y != int(y):
        return mpmath.nan
    size = mpmath.power(abs(x), y)
    return -size if x < 0 and int(y) % 2 else size


def _remainder(x: mpmath.mpf, y: mpmath.mpf) -> mpmath.mpf:
    return mpmath.mpf(math.remainder(float(x), float(y))) if y else mpmath.nan


def _modulo(x: mpmath.mpf, y: mpmath.mpf) -> mpmath.mpf:
    return mpmath.mpf(math.fmod(float(x), float(y))) if y else mpmath.nan


def _of_pi(function: Exact) -> Exact:
    def reduced(x: mpmath.mpf) -> mpmath.mpf:
        return function(mpmath.pi * (x - 2 * mpmath.nint(x / 2)))

    return reduced


def _tangent_of_pi(x: mpmath.mpf) -> mpmath.mpf:
    turn = x - mpmath.nint(x)
    return mpmath.inf if abs(turn) * 2 == 1 else mpmath.tan(mpmath.pi * turn)


def _gamma(x: mpmath.mpf) -> mpmath.mpf:
    if not x:
        return mpmath.inf
    if x < 0 and x == mpmath.floor(x):
        return mpmath.nan
    return mpmath.mpf(0) if x < -400 else mpmath.inf if x > 400 else mpmath.gamma(x)


def _logarithm_of_gamma(x: mpmath.mpf) -> mpmath.mpf:
    if x <= 0 and x == mpmath.floor(x):
        return mpmath.inf
    return mpmath.loggamma(x).real


def _step(x: mpmath.mpf, edge: mpmath.mpf) -> mpmath.mpf:
    return mpmath.mpf(0 if edge < x else 1)


_ONE, _TWO, _THREE = (_ANY,), (_ANY, _ANY), (_ANY, _ANY, _ANY)
_MODERATE = (Domain(abs, -1000, 1000),) * 3
_POSITIVE = Domain(abs, 0)
_HALVES = {
    **{name: getattr(mpmath, name) for name in ("cos", "sin", "tan", "exp", "log")},
    "exp2": lambda x: mpmath.power(2, x),
    "exp10": lambda x: mpmath.power(10, x),
    "log2": lambda x: mpmath.log(x, 2),
    "log10": mpmath.log10,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x) if x else mpmath.inf,
    "sqrt": mpmath.sqrt,
    "recip": lambda x: 1 / x if x else mpmath.inf,
}
_FREE = math.inf
FUNCTIONS: dict[str, Function] = {
    "acos": Function(mpmath.acos, _same(4, 2), _in(-1, 1)),
    "acosh": Function(mpmath.acosh, _same(4, 2), _in(1)),
    "acospi": Function(lambda x: mpmath.acos(x) / mpmath.pi, _same(5, 2), _in(-1, 1)),
    "asin": Function(mpmath.asin, _same(4, 2), _in(-1, 1)),
    "asinh": Function(mpmath.asinh, _same(4, 2)),
    "asinpi": Function(lambda x: mpmath.asin(x) / mpmath.pi, _same(5, 2), _in(-1, 1)),
    "atan": Function(mpmath.atan, _same(5, 2)),
    "atan2": Function(mpmath.atan2, _same(6, 2), _TWO),
    "atan2pi": Function(lambda y, x: mpmath.atan2(y, x) / mpmath.pi, _same(6, 2), _TWO),
    "atanh": Function(mpmath.atanh, _same(5, 2), _in(-1, 1)),
    "atanpi": Function(lambda x: mpmath.atan(x) / mpmath.pi, _same(5, 2)),
    "cbrt": Function(lambda x: _root(x, mpmath.mpf(3)), _same(2, 2)),
    "ceil": Function(mpmath.ceil),
    "copysign": Function(lambda x, y: abs(x) * (-1 if y < 0 else 1), domains=(_ANY, _ANY)),
    "cos": Function(mpmath.cos, _same(4, 2)),
    "cosh": Function(mpmath.cosh, _same(4, 2)),
    "cospi": Function(_of_pi(mpmath.cos), _same(4, 2)),
    "erf": Function(mpmath.erf, _same(16, 4)),
    "erfc": Function(mpmath.erfc, _same(16, 4)),
    "exp": Function(mpmath.exp, _same(3, 2)),
    "exp10": Function(lambda x: mpmath.power(10, x), _same(3, 2)),
    "exp2": Function(lambda x: mpmath.power(2, x), _same(3, 2)),
    "expm1": Function(mpmath.expm1, _same(3, 2)),
    "fabs": Function(abs),
    "fdim": Function(lambda x, y: x - y if x > y else mpmath.mpf(0), domains=_TWO),
    "floor": Function(mpmath.floor),
    "fma": Function(lambda x, y, z: x * y + z, domains=_THREE),
    "fmax": Function(max, domains=_TWO),
    "fmin": Function(min, domains=_TWO),
    "fmod": Function(_modulo, domains=_TWO),
    # The largest number below 1 is what OpenCL asks for where the nearest one would be 1.
    "fract": Function(lambda x: x - mpmath.floor(x), _same(1, 1), call="fract(x, &v)"),
    "frexp": Function(lambda x: mpmath.frexp(x)[0], call="frexp(x, &n)"),
    "frexp (exponent)": Function(lambda x: mpmath.mpf(mpmath.frexp(x)[1]), call="(frexp(x, &n), (T)n)"),
    "hypot": Function(lambda x, y: mpmath.sqrt(x * x + y * y), _same(4, 2), _TWO),
    "ilogb": Function(_exponent, domains=_in(2.0**-1074), call="(T)ilogb(x)"),
    "ldexp": Function(lambda x, n: mpmath.ldexp(x, int(n)), domains=(_ANY, _INT), call="ldexp(x, (int)y)"),
    "lgamma": Function(_logarithm_of_gamma, (_FREE, _FREE, _FREE), _in(-150)),
    "log": Function(mpmath.log, _same(3, 2), _in(0)),
    "log10": Function(mpmath.log10, _same(3, 2), _in(0)),
    "log1p": Function(mpmath.log1p, _same(2, 2), _in(-1)),
    "log2": Function(lambda x: mpmath.log(x, 2), _same(3, 2), _in(0)),
    "logb": Function(_exponent),
    "mad": Function(lambda x, y, z: x * y + z, (_FREE, _FREE, _FREE), _THREE),
    "maxmag": Function(lambda x, y: x if abs(x) > abs(y) else y if abs(y) > abs(x) else max(x, y), domains=_TWO),
    "minmag": Function(lambda x, y: x if abs(x) < abs(y) else y if abs(y) < abs(x) else min(x, y), domains=_TWO),
    "modf": Function(lambda x: x - _truncated(x), call="modf(x, &v)"),
    "modf (whole)": Function(_truncated, call="(modf(x, &v), v)"),
    "pow": Function(_power, _same(16, 4), (_ANY, Domain(abs, -1100, 1100))),
    "pown": Function(_power, _same(16, 4), (_ANY, _INT), "pown(x, (int)y)"),
    "powr": Function(_power, _same(16, 4), (Domain(abs, 1e-320), Domain(abs, -1100, 1100))),
    "remainder": Function(_remainder, domains=_TWO),
    "remquo": Function(_remainder, domains=_TWO, call="remquo(x, y, &n)"),
    "rint": Function(_nearest),
    "rootn": Function(_root, _same(16, 4), (_ANY, _INT), "rootn(x, (int)y)"),
    "round": Function(_away),
    "rsqrt": Function(_HALVES["rsqrt"], _same(2, 1), _in(0)),
    "sin": Function(mpmath.sin, _same(4, 2)),
    "sincos": Function(mpmath.sin, _same(4, 2), call="sincos(x, &v)"),
    "sincos (cosine)": Function(mpmath.cos, _same(4, 2), call="(sincos(x, &v), v)"),
    "sinh": Function(mpmath.sinh, _same(4, 2)),
    "sinpi": Function(_of_pi(mpmath.sin), _same(4, 2)),
    "sqrt": Function(mpmath.sqrt, (3, 0, 1.5), _in(0)),
    "tan": Function(mpmath.tan, _same(5, 2.5)),
    "tanh": Function(mpmath.tanh, _same(5, 2)),
    "tanpi": Function(_tangent_of_pi, _same(6, 2)),
    "tgamma": Function(_gamma, _same(16, 4)),
    "trunc": Function(_truncated),
    "divide": Function(lambda x, y: x / y if y else mpmath.nan, (2.5, 0, 1), _TWO, "x / y"),
    "clamp": Function(lambda x: max(-1, min(x, 1)), call="clamp(x, (T)-1, (T)1)"),
    "degrees": Function(mpmath.degrees, _same(2, 2)),
    "max": Function(max, domains=_TWO),
    "min": Function(min, domains=_TWO),
    "radians": Function(mpmath.radians, _same(2, 2)),
    "sign": Function(mpmath.sign),
    "step": Function(_step, domains=_TWO),
    "mix": Function(lambda x, y, z: x + (y - x) * z, (_FREE, _FREE, _FREE), _MODERATE),
    "smoothstep": Function(
        lambda x: (lambda t: t * t * (3 - 2 * t))((max(-2, min(x, 2)) + 2) / 4),
        (_FREE, _FREE, _FREE),
        call="smoothstep((T)-2, (T)2, x)",
    ),
    "length": Function(lambda x, y: mpmath.sqrt(x * x + y * y), (5, 5, 3), _TWO, "length((V)(x, y))"),
    "distance": Function(
        lambda x, y, z: mpmath.sqrt((x - z) ** 2 + y * y), (_FREE,) * 3, _MODERATE, "distance((V)(x, y), (V)(z, 0))"
    ),
    "normalize": Function(
        lambda x, y: x / mpmath.sqrt(x * x + y * y) if x or y else x, (4, 4, 3), _TWO, "normalize((V)(x, y)).x"
    ),
    "dot": Function(lambda x, y, z: x * z + y * y, (_FREE,) * 3, _MODERATE, "dot((V)(x, y), (V)(z, y))"),
    **{
        f"half_{name}": Function(
            exact,
            (8192, _FREE, _FREE),
            _in(-(2.0**16), 2.0**16)
            if name in ("cos", "sin", "tan")
            else _in(0)
            if name[:3] in ("log", "sqr", "rsq")
            else _ONE,
            types=("f32",),
        )
        for name, exact in _HALVES.items()
    },
    "half_divide": Function(lambda x, y: x / y if y else mpmath.nan, (8192, _FREE, _FREE), _TWO, types=("f32",)),
    "half_powr": Function(_power, (8192, _FREE, _FREE), (_POSITIVE, Domain(abs, -100, 100)), types=("f32",)),
    **{
        f"native_{name}": Function(
            exact,
            (_FREE,) * 3,
            _in(-1000, 1000)
            if name in ("cos", "sin", "tan")
            else _in(0)
            if name[:3] in ("log", "sqr", "rsq")
            else _ONE,
            types=("f32",),
        )
        for name, exact in _HALVES.items()
    },
    "native_divide": Function(lambda x, y: x / y if y else mpmath.nan, (_FREE,) * 3, _TWO, types=("f32",)),
    "native_powr": Function(_power, (_FREE,) * 3, (_POSITIVE, Domain(abs, -100, 100)), types=("f32",)),
}
_GROUP = 64


def kernel(name: str, element: str) -> str:
    """Returns the kernel that computes a function of a type."""
    function, type = FUNCTIONS[name], TYPES[element]
    letters = "xyz"[: len(function.domains)]
    parameters = "".join(f"global const {type} *{letter}s, " for letter in letters)
    loads = "".join(f"{type} {letter} = {letter}s[i]; " for letter in letters)
    call = function.call or f"{name}({', '.join(letters)})"
    head = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" if element == "f16" else ""
    return (
        f"{head}typedef {type} T; typedef {type}2 V;\nkernel void k({parameters}global {type} *out) "
        f"{{ size_t i = get_global_id(0); {loads}T v; int n; out[i] = {call}; }}"
    )


def inputs(name: str, element: str, count: int) -> list[Array]:
    """Returns the arguments of a measurement."""
    found = []
    for seed, domain in enumerate(FUNCTIONS[name].domains):
        values = numbers(element, count, domain, seed)
        whole = domain is _INT
        found.append(np.trunc(values / 50).astype(values.dtype) if whole else values)
    return found


def distance(found: float, exact: mpmath.mpf, element: str) -> float:
    """Returns the distance of a result from the exact one, in units in the last place of that."""
    digits, least = _DIGITS[element], _LEAST[element]
    if mpmath.isnan(exact):
        return 0.0 if math.isnan(found) else math.inf
    if math.isnan(found):
        return math.inf
    limit = mpmath.ldexp(1, _LARGEST[element])
    if abs(exact) >= limit or mpmath.isinf(exact):
        # What is next to the largest number may be it, or infinite; poles of either sign are infinite.
        unit = mpmath.ldexp(1, _LARGEST[element] - digits)
        return 0.0 if math.isinf(found) else float((limit - abs(mpmath.mpf(found))) / unit)
    exponent = mpmath.frexp(exact)[1] if exact else least
    unit = mpmath.ldexp(1, max(exponent - digits, least))
    value = mpmath.sign(found) * limit if math.isinf(found) else mpmath.mpf(found)
    return float(abs(value - exact) / unit)


def measure(name: str, element: str, count: int, device: Device) -> tuple[float, list[float]]:
    """Returns the largest error of a function, and the arguments that have it."""
    function, values = FUNCTIONS[name], inputs(name, element, count)
    result = np.zeros(count, DTYPES[element])
    device.compile(kernel(name, element), "accuracy.cl")["k"][(count // _GROUP, 1, 1), (_GROUP, 1, 1)](*values, result)
    worst, where = 0.0, [float(each[0]) for each in values]
    with mpmath.workprec(_WIDE if element == "f64" else 300):
        for found, *given in zip(result, *values, strict=True):
            arguments = [mpmath.mpf(float(each)) for each in given]
            try:
                exact = function.exact(*arguments)
            except (OverflowError, mpmath.libmp.NoConvergence):
                continue
            error = distance(float(found), exact, element)
            if error > worst:
                worst, where = error, [float(each) for each in given]
    return worst, where


def bound(name: str, element: str) -> float:
    """Returns the largest error that OpenCL allows; results that must be exact are the nearest numbers."""
    return max(FUNCTIONS[name].bounds[list(TYPES).index(element)], 0.5)


HEAD = """## Accuracy

The largest errors of the functions of `OpenCL.std`, in units in the last place of the exact result, as
`python -m tests.bulk.opencl_accuracy {count}` measured them on {count} arguments for each function and type; behind
them, the errors that OpenCL allows. 0.50 is the error of the number closest to the exact result, and 0.00 means exact
results only. Arguments are random bits, so that every magnitude occurs, and random numbers near zero, one and the
limits of the domain.
"""


def _cell(error: float, allowed: float) -> str:
    return f"{error:.2f} ≤ {allowed:g}" if math.isfinite(allowed) else f"{error:.2f}"


def main() -> None:
    """Renews the page, and prints the worst arguments."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 10
    device = Device("pvc")
    lines = [HEAD.format(count=count), f"| Function | {' | '.join(TYPES.values())} |", "|---" * (len(TYPES) + 1) + "|"]
    for name, function in FUNCTIONS.items():
        cells = []
        for element in TYPES:
            if element not in function.types:
                cells.append("")
                continue
            error, where = measure(name, element, count, device)
            cells.append(_cell(error, bound(name, element)))
            print(name, element, error, where, flush=True)
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    kept = PAGE.read_text().partition(HEAD.partition("\n")[0])[0]
    PAGE.write_text(kept + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
