"""Expressions on the command line, in Python's notation: of the parameters of a kernel, or of arrays.

Only what the tables below have is evaluated, so that a mistake becomes a message, and no name means more than it says.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tools.cli import UsageError

Operand = int | float | str | NDArray[np.generic]

_BINARY: Mapping[type[ast.operator], Callable[[Operand, Operand], Operand]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}
_UNARY: Mapping[type[ast.unaryop], Callable[..., Operand]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Operand, Operand], Operand]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

Functions = Mapping[str, Callable[..., Operand]]

NUMBER_FUNCTIONS: Functions = MappingProxyType({"min": min, "max": max, "abs": abs})
"""The functions of parameters."""

_NUMPY = (
    "abs arange broadcast_to clip concatenate cos cumsum einsum erf exp exp2 expand_dims eye floor log log2 matmul max "
    "maximum mean min minimum ones outer power prod repeat reshape round sign sin sqrt square stack sum tanh tile "
    "trace transpose tril triu var where zeros"
)
ARRAY_FUNCTIONS: Functions = MappingProxyType({name: getattr(np, name) for name in _NUMPY.split() if hasattr(np, name)})
"""The functions of arrays, which are numpy's."""

_LARGEST_POWER = 1024
_MOST_TEXT = 4096


class NoValueError(UsageError):
    """An expression that is right, but has no value for some values of its names: a division by zero."""


def evaluate(text: str, names: Mapping[str, Operand], functions: Functions = NUMBER_FUNCTIONS) -> Operand:
    """Returns the value of an expression.

    Raises:
        NoValueError: If it has no value for these names.
        UsageError: If it is wrong, or has a name, function or operation that there is not.
    """
    try:
        if len(text) > _MOST_TEXT:
            raise ValueError(f"more than {_MOST_TEXT} characters")
        return _ExpressionEvaluator(names, functions).value(ast.parse(text.strip(), mode="eval").body)
    except SyntaxError as error:
        raise UsageError(f"'{text[:80]}' is not an expression: {error.msg}") from None
    except ArithmeticError as error:
        raise NoValueError(f"'{text[:80]}': {error}") from None
    except (IndexError, MemoryError, RecursionError, TypeError, ValueError) as error:
        raise UsageError(f"'{text[:80]}': {error}") from None


def names_in(text: str) -> list[str]:
    """Returns the names whose values an expression takes; none if it is no expression."""
    try:
        found = ast.walk(ast.parse(text.strip(), mode="eval")) if len(text) <= _MOST_TEXT else ()
        nodes = list(found)
    except (MemoryError, RecursionError, SyntaxError, ValueError):
        return []
    functions = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return [node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in functions]


class _ExpressionEvaluator:
    def __init__(self, names: Mapping[str, Operand], functions: Functions) -> None:
        self._names = names
        self._functions = functions

    def value(self, node: ast.expr) -> Operand:
        """Returns the value of a part of an expression. Raises `ValueError` for a part that is not allowed."""
        match node:
            case ast.Constant(value=bool() | int() | float() | str() as constant):
                return constant
            case ast.Name(id=name) if name in self._names:
                return self._names[name]
            case ast.Name(id=name):
                raise ValueError(f"there is no '{name}', but {', '.join(self._names) or 'no names'}")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                a, b = self.value(left), self.value(right)
                if isinstance(op, ast.Pow | ast.LShift) and isinstance(b, int) and b > _LARGEST_POWER:
                    raise ValueError(f"{b} is a larger exponent than {_LARGEST_POWER}")
                return _BINARY[type(op)](a, b)
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
                return _UNARY[type(op)](self.value(operand))
            case ast.BoolOp(op=ast.And(), values=values):
                return all(self.value(part) for part in values)
            case ast.BoolOp(values=values):
                return any(self.value(part) for part in values)
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compare(left, ops, others)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                return self.value(body if self.value(test) else otherwise)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords) if name in self._functions:
                named = {word.arg: self._argument(word.value) for word in keywords if word.arg is not None}
                return self._functions[name](*map(self._argument, arguments), **named)
            case ast.Call(func=ast.Name(id=name)):
                raise ValueError(f"there is no function '{name}', but {', '.join(self._functions)}")
            case ast.Attribute(value=of, attr="T"):
                return np.transpose(np.asarray(self.value(of)))
            case ast.Subscript(value=of, slice=index):
                array = np.asarray(self.value(of))
                taken: NDArray[np.generic] = np.asarray(array[self._index(index)])
                return taken
            case _:
                raise ValueError(f"'{ast.unparse(node)[:40]}' is not allowed here")

    def _compare(self, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]) -> Operand:
        found, first = True, self.value(left)
        for op, other in zip(ops, others, strict=True):
            if type(op) not in _COMPARISONS:
                raise ValueError("'is' and 'in' are not allowed here")
            second = self.value(other)
            holds = _COMPARISONS[type(op)](first, second)
            if len(ops) == 1:
                return holds
            found, first = found and bool(holds), second
        return found

    def _argument(self, node: ast.expr) -> Operand | tuple[object, ...] | None:
        """Returns an argument of a function, which may be a tuple: a shape or several axes."""
        if isinstance(node, ast.Tuple | ast.List):
            return tuple(self._argument(part) for part in node.elts)
        return None if isinstance(node, ast.Constant) and node.value is None else self.value(node)

    def _index(self, node: ast.expr) -> tuple[int | slice | NDArray[np.generic] | None, ...]:
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        return tuple(self._place(part) for part in parts)

    def _place(self, node: ast.expr) -> int | slice | NDArray[np.generic] | None:
        if isinstance(node, ast.Slice):
            return slice(*(None if part is None else self._whole(part) for part in (node.lower, node.upper, node.step)))
        if isinstance(node, ast.Constant) and node.value is None:
            return None
        value = self.value(node)
        return value if isinstance(value, np.ndarray) else self._whole(node)

    def _whole(self, node: ast.expr) -> int:
        value = self.value(node)
        if not isinstance(value, int):
            raise TypeError(f"'{ast.unparse(node)[:40]}' is no whole number")
        return value
