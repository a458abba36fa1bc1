"""Primitives that count, find, reverse and extract bits, on arrays of 32-bit integers (and `dot4` on wider ones)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.simulator.interpreter.threads.values import Array

_NONE = np.uint32(0xFFFFFFFF)
"""The position of a bit that does not exist."""


def _unsigned(values: Array) -> Array:
    bits: Array = values.view(np.uint32)
    return bits


def _leading_zeros(a: Array) -> Array:
    # frexp scales to [0.5, 1): its exponent is the number of significant bits (0 for 0), exact since f64 holds 32 bits.
    return (32 - np.frexp(_unsigned(a).astype(np.float64))[1]).astype(a.dtype)


def _highest(a: Array) -> Array:
    differing = _unsigned(a ^ (a >> 31) if a.dtype.kind == "i" else a)
    return np.where(differing == 0, _NONE, _leading_zeros(differing)).view(a.dtype)


def _lowest(a: Array) -> Array:
    bits = _unsigned(a)
    return np.where(bits == 0, _NONE, 31 - _leading_zeros(bits & -bits)).view(a.dtype)


def _ones(a: Array) -> Array:
    return np.bitwise_count(_unsigned(a)).astype(a.dtype)


def _reverse(a: Array) -> Array:
    """Swaps halves, then quarters, down to single bits."""
    bits = _unsigned(a)
    for distance, kept in ((16, 0x0000FFFF), (8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        mask, step = np.uint32(kept), np.uint32(distance)
        bits = ((bits >> step) & mask) | ((bits & mask) << step)
    return bits.view(a.dtype)


def _extract(width: Array, offset: Array, value: Array) -> Array:
    shifted = _unsigned(value >> (offset & offset.dtype.type(31)))
    mask: Array = (np.uint32(1) << (_unsigned(width) & np.uint32(31))) - np.uint32(1)
    field: Array = shifted & mask
    if value.dtype.kind == "u":
        return field
    # With `top` the highest bit of the field, `(field ^ top) - top` copies it to all bits above.
    top = mask ^ (mask >> np.uint32(1))
    return np.asarray((field ^ top) - top).view(value.dtype)


def _dot(signs: str) -> Callable[[Array, Array], Array]:
    """Returns the dot product of four bytes; `signs` has `s` or `u` for each source."""
    types = [np.int8 if sign == "s" else np.uint8 for sign in signs]

    def dot(a: Array, b: Array) -> Array:
        shape = np.broadcast_shapes(a.shape, b.shape)
        left, right = (
            np.ascontiguousarray(np.broadcast_to(x.astype(np.uint32), shape)).view(type).reshape(*shape, 4)
            for x, type in zip((a, b), types, strict=True)
        )
        products: Array = left.astype(np.int64) * right.astype(np.int64)
        return np.asarray(products.sum(axis=-1).astype(a.dtype))

    return dot


BITS: dict[str, Callable[..., Array]] = {
    "lzd": _leading_zeros,
    "fbh": _highest,
    "fbl": _lowest,
    "cbit": _ones,
    "bfrev": _reverse,
    "bfe": _extract,
    **{f"dot4_{a}{b}": _dot(a + b) for a in "su" for b in "su"},
}
