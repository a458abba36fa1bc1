"""The math functions on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from runtime.simulator.interpreter.threads.values import Array
from runtime.simulator.machine.elementary import FUNCTIONS, Lanes

_OPERATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "shl": np.left_shift,
    "lshr": lambda a, b: (a.view(np.uint64) >> b.view(np.uint64)).view(np.int64),
    "ashr": np.right_shift,
}
_INTEGRAL: dict[str, Callable[[Array], Array]] = {
    "rint": np.rint,
    "ceil": np.ceil,
    "floor": np.floor,
    "trunc": np.trunc,
}
_RELATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "gt": np.greater,
}


@dataclass(frozen=True)
class NumpyLanes(Lanes):
    """Numpy arrays of f64, i64 or bool."""

    values: Array

    def constant(self, value: float) -> Self:
        if self.values.dtype == np.int64:
            bits = int(value) & ((1 << 64) - 1)
            return self._of(np.array([bits], np.uint64).view(np.int64))
        return self._of(np.array([value], np.float64))

    def binary(self, operation: str, other: Self) -> Self:
        return self._of(_OPERATIONS[operation](self.values, other.values))

    def compare(self, relation: str, other: Self) -> Self:
        return self._of(_RELATIONS[relation](self.values, other.values))

    def choose(self, yes: Self, no: Self) -> Self:
        return self._of(np.where(self.values, yes.values, no.values))

    def sqrt(self) -> Self:
        return self._of(np.sqrt(self.values))

    def integral(self, name: str) -> Self:
        return self._of(_INTEGRAL[name](self.values))

    def bits(self) -> Self:
        return self._of(self.values.view(np.int64))

    def double(self) -> Self:
        return self._of(self.values.view(np.float64))

    def to_integer(self) -> Self:
        return self._of(self.values.astype(np.int64))

    def to_double(self) -> Self:
        return self._of(self.values.astype(np.float64))

    def lookup(self, table: Sequence[int]) -> Self:
        return self._of(np.array(table, np.uint64).view(np.int64)[self.values])

    def _of(self, values: Array) -> Self:
        return type(self)(values)


def _function(name: str) -> Callable[..., Array]:
    function = FUNCTIONS[name]

    def apply(*arguments: Array) -> Array:
        lanes = (NumpyLanes(argument.astype(np.float64)) for argument in arguments)
        result = function(*lanes)
        assert isinstance(result, NumpyLanes)
        return result.values.astype(arguments[0].dtype)

    return apply


ELEMENTARY: dict[str, Callable[..., Array]] = {name: _function(name) for name in FUNCTIONS}
"""Primitives on f32 or hf arrays; the result is rounded once, from f64."""
