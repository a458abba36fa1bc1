"""Formulas of metrics: text with the names of counters and constants, evaluated for many reports at once."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_OPERATIONS: Mapping[type[ast.operator], Callable[[Values, Values], Values]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: np.divide(a, b, out=np.zeros(np.broadcast_shapes(a.shape, b.shape)), where=b != 0),
}


@cache
def _parsed(formula: str) -> ast.expr:
    return ast.parse(formula, mode="eval").body


@cache
def names_in(formula: str) -> frozenset[str]:
    """Returns the names that a formula uses."""
    return frozenset(node.id for node in ast.walk(_parsed(formula)) if isinstance(node, ast.Name))


def evaluate(formula: str, values: Mapping[str, Values]) -> Values:
    """Returns the value of a formula for each report; a quotient by zero is zero.

    Args:
        formula: Sums, differences, products and quotients of names and numbers.
        values: The value of each name, in each report.
    """
    return _evaluate(_parsed(formula), values)


def _evaluate(node: ast.expr, values: Mapping[str, Values]) -> Values:
    match node:
        case ast.Name(id=name):
            return values[name]
        case ast.Constant(value=int() | float() as number):
            return np.asarray(float(number))
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATIONS[type(op)](_evaluate(left, values), _evaluate(right, values))
        case _:
            raise ValueError(f"{ast.unparse(node)} is not part of a formula")
