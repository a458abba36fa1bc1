"""What the operations of `arith` do, on arrays of numbers of a few bits, independent of the compiler."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Truths = NDArray[np.bool_]
Outcome = tuple[Numbers, Truths | bool]
"""Results, and where they are defined."""


def signed(numbers: Numbers, bits: int) -> Numbers:
    return ((numbers + (1 << bits >> 1)) & (1 << bits) - 1) - (1 << bits >> 1)


def _truncated(a: Numbers, b: Numbers) -> Numbers:
    return np.sign(a) * np.sign(b) * (np.abs(a) // np.maximum(np.abs(b), 1))


def _fits(numbers: Numbers, bits: int) -> Truths:
    return (numbers >= -(1 << bits >> 1)) & (numbers < 1 << bits >> 1)


def _unsigned_quotient(a: Numbers, b: Numbers, n: int) -> Outcome:
    return a // np.maximum(b, 1), b > 0


def _signed_quotient(a: Numbers, b: Numbers, n: int) -> Outcome:
    x, y = signed(a, n), signed(b, n)
    quotient = _truncated(x, y)
    return quotient, (y != 0) & _fits(quotient, n)


def _floor(a: Numbers, b: Numbers, n: int) -> Outcome:
    x, y = signed(a, n), signed(b, n)
    quotient = np.floor_divide(x, np.where(y == 0, 1, y))
    return quotient, (y != 0) & _fits(quotient, n)


def _ceiling(a: Numbers, b: Numbers, n: int) -> Outcome:
    x, y = signed(a, n), signed(b, n)
    quotient = -np.floor_divide(-x, np.where(y == 0, 1, y))
    return quotient, (y != 0) & _fits(quotient, n)


def _signed_remainder(a: Numbers, b: Numbers, n: int) -> Outcome:
    x, y = signed(a, n), signed(b, n)
    return x - y * _truncated(x, y), y != 0


BINARY: dict[str, Callable[[Numbers, Numbers, int], Outcome]] = {
    "addi": lambda a, b, n: (a + b, True),
    "addi nsw": lambda a, b, n: (a + b, _fits(signed(a, n) + signed(b, n), n)),
    "addi nuw": lambda a, b, n: (a + b, a + b < 1 << n),
    "subi": lambda a, b, n: (a - b, True),
    "subi nsw": lambda a, b, n: (a - b, _fits(signed(a, n) - signed(b, n), n)),
    "subi nuw": lambda a, b, n: (a - b, a >= b),
    "muli": lambda a, b, n: (a * b, True),
    "muli nsw": lambda a, b, n: (a * b, _fits(signed(a, n) * signed(b, n), n)),
    "muli nuw": lambda a, b, n: (a * b, a * b < 1 << n),
    "shli": lambda a, b, n: (a << np.minimum(b, n), b < n),
    "shli nsw": lambda a, b, n: (a << np.minimum(b, n), (b < n) & _fits(signed(a, n) << np.minimum(b, n), n)),
    "shli nuw": lambda a, b, n: (a << np.minimum(b, n), (b < n) & (a << np.minimum(b, n) < 1 << n)),
    "shrui": lambda a, b, n: (a >> np.minimum(b, n), b < n),
    "shrsi": lambda a, b, n: (signed(a, n) >> np.minimum(b, n), b < n),
    "divui": _unsigned_quotient,
    "divsi": _signed_quotient,
    "floordivsi": _floor,
    "ceildivsi": _ceiling,
    "ceildivui": lambda a, b, n: (-(-a // np.maximum(b, 1)), b > 0),
    "remui": lambda a, b, n: (a % np.maximum(b, 1), b > 0),
    "remsi": _signed_remainder,
    "andi": lambda a, b, n: (a & b, True),
    "ori": lambda a, b, n: (a | b, True),
    "xori": lambda a, b, n: (a ^ b, True),
    "minui": lambda a, b, n: (np.minimum(a, b), True),
    "maxui": lambda a, b, n: (np.maximum(a, b), True),
    "minsi": lambda a, b, n: (np.minimum(signed(a, n), signed(b, n)), True),
    "maxsi": lambda a, b, n: (np.maximum(signed(a, n), signed(b, n)), True),
}
"""Operations whose results have the type of their operands, some with flags: a, b and the bits to the outcome."""

COMPARISONS: dict[str, Callable[[Numbers, Numbers, int], Truths]] = {
    "eq": lambda a, b, n: a == b,
    "ne": lambda a, b, n: a != b,
    "slt": lambda a, b, n: signed(a, n) < signed(b, n),
    "sle": lambda a, b, n: signed(a, n) <= signed(b, n),
    "sgt": lambda a, b, n: signed(a, n) > signed(b, n),
    "sge": lambda a, b, n: signed(a, n) >= signed(b, n),
    "ult": lambda a, b, n: a < b,
    "ule": lambda a, b, n: a <= b,
    "ugt": lambda a, b, n: a > b,
    "uge": lambda a, b, n: a >= b,
}

EXTENDED: dict[str, Callable[[Numbers, Numbers, int], tuple[Numbers, Numbers]]] = {
    "addui_extended": lambda a, b, n: (a + b, (a + b) >> n),
    "mului_extended": lambda a, b, n: (a * b, (a * b) >> n),
    "mulsi_extended": lambda a, b, n: (a * b, (signed(a, n) * signed(b, n)) >> n),
}
"""Operations with a second result: the carry, or the high half."""

CASTS: dict[str, Callable[[Numbers, int], Numbers]] = {
    "extui": lambda a, n: a,
    "extsi": signed,
    "trunci": lambda a, n: a,
    "bitcast": lambda a, n: a,
    "index_cast": signed,
    "index_castui": lambda a, n: a,
}
"""Operations on one operand, whose result has the bits of its type."""
