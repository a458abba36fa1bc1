"""Measures the accuracy of math functions in kernels, in units in the last place, and prints a table of it.

    python -m tests.bulk.math_accuracy 131072 > docs/math-accuracy.md

Arguments are random bits, so that every magnitude occurs, and random numbers near zero and one. References are computed
in 80-bit floats, those of the error functions and of `cbrt` for f64 in f64.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.unit.passes.kernels.harness import DTYPES, PRECISION, Array, compile_one, kernel_text, run
from xegpu.diagnostics import CompileError
from xegpu.targets import ARC, PVC, Target

WIDE = np.longdouble
HEAD = """# Accuracy of math functions

The largest errors of the functions of the `math` dialect in kernels, in units in the last place of the result, as
`python -m tests.bulk.math_accuracy` measured them on 131072 arguments for each function and type. 0.50 is the error of
the number closest to the exact result. Arguments of `sin`, `cos` and `tan` are at most 2^20. Narrow floats are computed
in f32, on both GPUs.
"""
COLUMNS = [("f64", PVC), ("f32", PVC), ("f32", ARC), ("f16", PVC), ("bf16", PVC)]
"""Types and GPUs. Narrow floats are computed in f32 on both GPUs."""


def _each(function: Callable[[float], float]) -> Callable[[Array], Array]:
    return lambda x: np.array([function(float(v)) for v in x], WIDE)


def _rsqrt(x: Array) -> Array:
    return np.asarray(1 / np.sqrt(x))


@dataclass(frozen=True)
class Measured:
    """A function, the limits of its arguments, and whether it has two of them."""

    reference: Callable[..., Array]
    low: float = -math.inf
    high: float = math.inf
    two: bool = False


FUNCTIONS = {
    "acos": Measured(np.arccos, -1, 1),
    "acosh": Measured(np.arccosh, 1),
    "asin": Measured(np.arcsin, -1, 1),
    "asinh": Measured(np.arcsinh),
    "atan": Measured(np.arctan),
    "atan2": Measured(np.arctan2, two=True),
    "atanh": Measured(np.arctanh, -1, 1),
    "cbrt": Measured(np.cbrt),
    "cos": Measured(np.cos, -(2.0**20), 2.0**20),
    "cosh": Measured(np.cosh),
    "erf": Measured(_each(math.erf)),
    "erfc": Measured(_each(math.erfc)),
    "exp": Measured(np.exp),
    "exp2": Measured(np.exp2),
    "expm1": Measured(np.expm1),
    "log": Measured(np.log, 0),
    "log10": Measured(np.log10, 0),
    "log1p": Measured(np.log1p, -1),
    "log2": Measured(np.log2, 0),
    "powf": Measured(np.power, 0, two=True),
    "rsqrt": Measured(_rsqrt, 0),
    "sin": Measured(np.sin, -(2.0**20), 2.0**20),
    "sinh": Measured(np.sinh),
    "sqrt": Measured(np.sqrt, 0),
    "tan": Measured(np.tan, -(2.0**20), 2.0**20),
    "tanh": Measured(np.tanh),
}


def arguments(element: str, count: int, measured: Measured, seed: int) -> Array:
    """Finite numbers within the limits: random bits, and uniform ones near zero, one and the limits."""
    dtype, rng = DTYPES[element], np.random.default_rng(seed)
    bits = np.dtype(f"u{dtype.itemsize}")
    limits = [limit for limit in (measured.low, measured.high) if math.isfinite(limit)]
    with np.errstate(over="ignore"):  # limits may be beyond the type; what is not finite is left out
        pools = [
            rng.integers(0, np.iinfo(bits).max, count, bits, endpoint=True).view(dtype),
            *(rng.uniform(-scale, scale, count // 8).astype(dtype) for scale in (1, 4, 30, 1000)),
            *((at + rng.standard_normal(count // 8) / 8).astype(dtype) for at in (-1, 1, *limits)),
        ]
    values = np.concatenate(pools)
    with np.errstate(invalid="ignore"):  # random bits may be a signaling NaN
        wide = values.astype(np.float64)
    kept = values[np.isfinite(wide) & (wide >= measured.low) & (wide <= measured.high)]
    return np.resize(rng.permutation(kept), count)


def units(result: Array, exact: Array, element: str) -> Array:
    """Distances in units in the last place of the exact results; infinite where exactly one of them is finite."""
    dtype = DTYPES[element]
    precision = PRECISION[element]
    least = {"f64": -1022, "f16": -14}.get(element, -126)
    with np.errstate(all="ignore"):
        rounded = exact.astype(dtype).astype(WIDE)
        _, exponent = np.frexp(exact)
        unit = np.ldexp(WIDE(1), np.maximum(exponent - 1, least) - precision + 1)
        distance = np.abs(result.astype(WIDE) - exact) / unit
    same = (result.astype(WIDE) == rounded) | (np.isnan(rounded) & np.isnan(result.astype(WIDE)))
    overflowed = ~np.isfinite(rounded) | ~np.isfinite(result.astype(WIDE))
    return np.asarray(np.where(same & overflowed, 0, np.where(overflowed, np.inf, distance)))


def measure(name: str, element: str, target: Target, count: int) -> tuple[float, list[float]]:
    """The largest error of a function, and the arguments that have it.

    Raises `CompileError` where the function is not supported.
    """
    measured = FUNCTIONS[name]
    inputs = [arguments(element, count, measured, seed) for seed in range(1 + measured.two)]
    if name == "powf":
        inputs[1] = arguments(element, count, Measured(np.abs), 1)
    type, names = f"memref<{count}x{element}>", "xy"[: len(inputs)]
    body = "%i = gpu.global_id x\n" + "".join(f"%v{n} = memref.load %{n}[%i] : {type}\n" for n in names)
    operands = ", ".join(f"%v{n}" for n in names)
    body += f"%r = math.{name} {operands} : {element}\nmemref.store %r, %o[%i] : {type}"
    kernel = compile_one(kernel_text("".join(f"%{n}: {type}, " for n in names) + f"%o: {type}", body, ""), target)
    group = kernel.facts.simd_size
    *_, result = run(
        kernel, *inputs, np.zeros_like(inputs[0]), groups=(count // group, 1, 1), target=target, engines=["jit"]
    )
    with np.errstate(all="ignore"):
        exact = measured.reference(*(values.astype(WIDE) for values in inputs))
        errors = units(result, exact, element)
    worst = int(np.argmax(errors))
    return float(errors[worst]), [float(values[worst]) for values in inputs]


def main() -> None:
    """Prints the table, and the worst arguments to standard error."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 14
    print(HEAD)
    heads = [f"{element} on {target.name}" for element, target in COLUMNS]
    print("| Function |", " | ".join(heads), "|")
    print("|---" * (len(heads) + 1) + "|")
    for name in FUNCTIONS:
        cells = []
        for element, target in COLUMNS:
            try:
                error, where = measure(name, element, target, count)
            except CompileError:
                cells.append("refused")
                continue
            cells.append(f"{error:.2f}")
            print(name, element, target.name, error, where, file=sys.stderr)
        print(f"| `{name}` |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
