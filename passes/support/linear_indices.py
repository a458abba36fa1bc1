"""Indices as linear combinations of the values that they are computed from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects.arith import AddiOp, MuliOp, SubiOp
from xdsl.ir import SSAValue

from xegpu.dialects.xegpu.ops import constant_index

_MOST_TERMS = 64
"""The maximum number of operations that are followed."""


@dataclass(frozen=True)
class Linear:
    """A constant plus a sum of values with integer coefficients."""

    constant: int = 0
    terms: Mapping[SSAValue, int] = field(default_factory=dict)

    def plus(self, other: Linear, times: int = 1) -> Linear:
        """Returns the sum with a multiple of another combination."""
        terms = Counter(self.terms)
        for value, n in other.terms.items():
            terms[value] += times * n
        return Linear(self.constant + times * other.constant, {value: n for value, n in terms.items() if n})


def linear(index: SSAValue | int) -> Linear:
    """Returns an index as a linear combination of values."""
    constant, terms = 0, Counter[SSAValue]()
    pending, steps = [(index, 1)], 0
    while pending:
        entry, times = pending.pop()
        known, steps = constant_index(entry), steps + 1
        if known is not None:
            constant += times * known
        elif isinstance(entry, SSAValue):
            operation = entry.owner
            if isinstance(operation, AddiOp | SubiOp) and steps < _MOST_TERMS:
                pending.append((operation.lhs, times))
                pending.append((operation.rhs, times if isinstance(operation, AddiOp) else -times))
            elif isinstance(operation, MuliOp) and steps < _MOST_TERMS and (scaled := _scaled(operation)) is not None:
                pending.append((scaled[0], times * scaled[1]))
            else:
                terms[entry] += times
    return Linear(constant, {value: times for value, times in terms.items() if times})


def _scaled(product: MuliOp) -> tuple[SSAValue, int] | None:
    """Returns the variable factor and the constant one; None if both are variable."""
    for value, factor in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
        if (known := constant_index(factor)) is not None:
            return value, known
    return None
