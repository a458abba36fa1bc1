"""Types and values of random kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.unit.passes.kernels.harness import BFLOAT16, Array

DTYPES: dict[str, np.dtype[Any]] = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.uint8),
    "i16": np.dtype(np.uint16),
    "i32": np.dtype(np.uint32),
    "i64": np.dtype(np.uint64),
    "index": np.dtype(np.uint64),
    "f16": np.dtype(np.float16),
    "bf16": BFLOAT16,
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
"""Integers are unsigned; operations that read them as signed numbers say so."""
PRECISION = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}
SMALL = 16.0
"""Bound of the numbers that products and sums of many elements start from, so that they are exact in any order."""


@dataclass(frozen=True)
class Type:
    """A scalar or vector type; `shape` is empty for scalars."""

    element: str
    shape: tuple[int, ...] = ()

    def __str__(self) -> str:
        dimensions = "".join(f"{size}x" for size in self.shape)
        return f"vector<{dimensions}{self.element}>" if self.shape else self.element

    @property
    def dtype(self) -> np.dtype[Any]:
        return DTYPES[self.element]

    @property
    def is_float(self) -> bool:
        return self.element in PRECISION

    @property
    def bits(self) -> int:
        return 64 if self.element == "index" else 8 * self.dtype.itemsize

    @property
    def count(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    def of(self, element: str) -> Type:
        """Returns the type of the same shape with another element type."""
        return Type(element, self.shape)

    def shaped(self, *shape: int) -> Type:
        """Returns the type of another shape with the same element type."""
        return Type(self.element, shape)

    def literal(self, value: int) -> str:
        """Returns the attribute with the value in every element."""
        if self.element == "i1":
            number = "true" if value else "false"
        else:
            number = f"{value}.0" if self.is_float else str(value)
        return f"dense<{number}>" if self.shape else number


@dataclass(frozen=True)
class Variable:
    """A value. If `uniform`, it is the same in all work-items of a subgroup; its elements are at most `bound`."""

    name: str
    type: Type
    uniform: bool = False
    bound: float = np.inf

    def __str__(self) -> str:
        return f"%{self.name}"


def signed(array: Array) -> Array:
    """Returns the bits of unsigned integers as signed ones."""
    return array.view(np.dtype(f"i{array.dtype.itemsize}"))
