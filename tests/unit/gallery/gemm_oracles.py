"""The products of the gallery: arguments, exact results, and how far the arithmetic may be from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tests.unit.gallery.support import Argument
from tests.unit.passes.kernels.gemm import RESULTS
from tests.unit.passes.kernels.harness import DTYPES, PRECISION, Array, random_array
from tests.unit.passes.kernels.tolerance import exact_product, product_bound

Float64 = NDArray[np.float64]

UNTOUCHED = 77
"""The number that fills results before a launch, unless a kernel adds to them; no kernel leaves one of it."""
U = 2.0**-24
"""Unit roundoff of f32: half a unit in the last place, relative."""
HALF_U = 2.0**-11
"""Unit roundoff of f16."""


@dataclass(frozen=True)
class Problem:
    """A launch: arguments, the last of which is the result, and what the result should be.

    Kernels for any size are launched on `grid`, all others on the one that they name.
    """

    arguments: list[Argument]
    exact: Float64
    bound: Float64 | float
    grid: tuple[int, ...] = ()


@dataclass(frozen=True)
class Operands:
    """A, B, their product in double precision, and how far a kernel's may be from it: exact for small integers."""

    a: Array
    b: Array
    element: str

    @property
    def result(self) -> str:
        return RESULTS[self.element]

    @property
    def exact(self) -> Float64:
        return exact_product(self.a, self.b)

    @property
    def bound(self) -> Float64 | float:
        return product_bound(self.a, self.b, None, self.result, 1) if self.result in PRECISION else 0.0

    @property
    def shape(self) -> tuple[int, int]:
        return self.a.shape[0], self.b.shape[1]

    def magnitude(self) -> Float64:
        """The sum of |a| |b|, which no partial sum exceeds."""
        return exact_product(np.abs(self.a), np.abs(self.b))


def operands(m: int, n: int, k: int, element: str) -> Operands:
    rng = np.random.default_rng(m + n + k)
    return Operands(random_array(rng, (m, k), element), random_array(rng, (k, n), element), element)


def untouched(shape: tuple[int, ...], element: str) -> Array:
    return np.full(shape, UNTOUCHED).astype(DTYPES[element])


def product(m: int, n: int, k: int, element: str, transposed: str = "") -> Problem:
    """C = A x B; those of `transposed` are stored so."""
    x = operands(m, n, k, element)
    a, b = (np.ascontiguousarray(v.T) if name in transposed else v for name, v in (("a", x.a), ("b", x.b)))
    return Problem([a, b, untouched((m, n), x.result)], x.exact, x.bound)


def sum_of_parts(m: int, n: int, k: int, parts: int) -> Problem:
    """C += A x B by atomic additions of up to so many parts, each of which rounds once more."""
    x = operands(m, n, k, "f16")
    c = random_array(np.random.default_rng(1), (m, n), "f32")
    total = x.magnitude() + np.abs(c)
    bound = x.bound + (parts + 1) * U * total
    return Problem([x.a, x.b, c], x.exact + c, bound)


def bias_relu() -> Problem:
    """One more addition, and a rounding to f16."""
    x = operands(32, 64, 32, "f16")
    bias = random_array(np.random.default_rng(1), (1, 64), "f32")
    exact = x.exact + bias
    bound = x.bound + U * np.abs(exact)
    bound = bound + HALF_U * (np.abs(exact) + bound) + 2.0**-25
    return Problem([x.a, x.b, bias, untouched(x.shape, "f16")], np.maximum(exact, 0), bound)


def gelu() -> Problem:
    """gelu(A x B).

    Its slope is below 1.13, so much the error of the product counts. The argument of tanh has six roundings, constants
    included, of which tanh's result sees at most 0.45, the largest y (1 - tanh² y); tanh is within four units in the
    last place; three more operations follow.
    """
    x = operands(64, 32, 32, "bf16")
    v = x.exact
    exact = v / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3)))
    bound = 1.13 * x.bound + np.abs(v) / 2 * (6 * 0.45 + 8 + 3 * 2) * U * 1.01
    return Problem([x.a, x.b, untouched(x.shape, "f32")], exact, bound)


def scaled_b() -> Problem:
    """B is scaled in f16, with the roundings of numpy's."""
    x = operands(32, 64, 64, "f16")
    scales = random_array(np.random.default_rng(1), (2, 64), "f16")
    scaled = replace(x, b=x.b * np.repeat(scales, 32, axis=0))
    return Problem([x.a, x.b, scales, untouched(x.shape, "f32")], scaled.exact, scaled.bound)


def batch() -> Problem:
    planes = [operands(32, 64, k, "f16") for k in (32, 32, 32)]
    rng = np.random.default_rng(1)
    planes = [replace(x, a=random_array(rng, x.a.shape, "f16")) for x in planes]
    a, b, exact, bound = (np.stack([getattr(x, name) for x in planes]) for name in ("a", "b", "exact", "bound"))
    return Problem([a, b, untouched(exact.shape, "f32")], exact, bound)


def quantized() -> Problem:
    """The product is an exact integer below 2^24, which two scales round twice."""
    x = operands(64, 32, 64, "i8")
    rng = np.random.default_rng(1)
    zero = rng.integers(-20, 20)
    zero_point = (zero * x.b.sum(0, dtype=np.int32, keepdims=True)).astype(np.int32)
    scale_a, scale_b = rng.random((64, 1), np.float32) / 16, rng.random((1, 32), np.float32) / 16
    whole = (x.a.astype(np.float64) - zero) @ x.b.astype(np.float64)
    exact = whole * scale_a * scale_b
    arguments: list[Argument] = [x.a, x.b, zero_point, scale_a, scale_b, untouched(x.shape, "f32")]
    return Problem(arguments, exact, 2.01 * U * np.abs(exact))


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "gemm_f16": partial(product, 64, 96, 64, "f16"),
    "gemm_bf16": partial(product, 32, 64, 32, "bf16"),
    "gemm_tf32": partial(product, 64, 32, 32, "tf32"),
    "gemm_i8": partial(product, 32, 64, 64, "i8"),
    "gemm_transposed_a": partial(product, 64, 32, 32, "bf16", transposed="a"),
    "gemm_transposed_b": partial(product, 32, 64, 32, "bf16", transposed="b"),
    "gemm_bias_relu": bias_relu,
    "gemm_gelu": gelu,
    "gemm_scaled_b": scaled_b,
    "gemm_batch": batch,
    "gemm_odd": partial(product, 37, 53, 29, "bf16"),
    "gemm_dynamic": lambda: replace(product(41, 35, 50, "f16"), grid=(6, 5)),
    "gemm_split_k": partial(sum_of_parts, 64, 32, 96, 3),
    "gemm_persistent": partial(product, 64, 64, 32, "f16"),
    "gemm_stream_k": partial(sum_of_parts, 64, 32, 96, 5),
    "gemm_quantized": quantized,
}
