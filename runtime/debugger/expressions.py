"""Expressions over the state of a thread: for conditions, for printing, and for addresses.

Their syntax is what Python and C have in common: numbers, `+ - * / % & | ^ ~ << >>`, comparisons, `&&` and `||` (or
`and`, `or`, `not`), parentheses, `[index]`, and the functions `any`, `all`, `abs`, `min`, `max`, `sum`. Registers are
written as in assembly (`runtime.debugger.registers`), and there are names for the rest of the thread (`VARIABLES`).
Values are numbers, or one number per element; an operation with a single number applies it to every element.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from runtime.debugger import registers
from runtime.debugger.errors import DebugError
from runtime.debugger.spaces import DebugMemory, ProcessMemory
from runtime.debugger.values import Values
from runtime.simulator.interpreter import Execution, Thread

Number = int | float
Vector = tuple[Number, ...]

_MOST_TEXT = 1000
_MOST_SHIFT = 64
_NAME = re.compile(rf"{registers.PATTERN.pattern}|\b[A-Za-z_][\w$]*")
_C_OPERATORS = ((re.compile(r"&&"), " and "), (re.compile(r"\|\|"), " or "), (re.compile(r"!(?!=)"), " not "))


@dataclass(frozen=True)
class ExpressionScope:
    """The thread of a launch in which expressions are evaluated."""

    execution: Execution
    thread: Thread
    memory: DebugMemory

    @staticmethod
    def of(execution: Execution, thread: Thread) -> ExpressionScope:
        """Returns the scope of a thread that runs in this process."""
        return ExpressionScope(execution, thread, ProcessMemory(execution.memory, thread))


VARIABLES: Mapping[str, tuple[str, Callable[[ExpressionScope], Vector]]] = {
    "group_x": ("id of the work-group", lambda scope: (scope.execution.group[0],)),
    "group_y": ("id of the work-group", lambda scope: (scope.execution.group[1],)),
    "group_z": ("id of the work-group", lambda scope: (scope.execution.group[2],)),
    "subgroup": ("number of the thread in its work-group", lambda scope: (scope.thread.number,)),
    "index": ("number of the next instruction", lambda scope: (scope.thread.index,)),
    "lane": ("0, 1, 2, ... for the lanes", lambda scope: tuple(range(registers.channels(scope.thread)))),
}
"""Names beside registers, their meanings and values. Labels of allocations are names for their addresses."""


@dataclass(frozen=True)
class Expression:
    """A parsed expression; `str()` is its text."""

    text: str
    tree: ast.expr
    names: Mapping[str, str]
    """The values of the names in `tree`, as a function of the scope."""

    @staticmethod
    def parse(text: str) -> Expression:
        """Parses an expression; raises `DebugError`."""
        text = text.strip()
        if not text or len(text) > _MOST_TEXT:
            raise DebugError("an expression is missing" if not text else "the expression is too long")
        names: dict[str, str] = {}

        def replace(match: re.Match[str]) -> str:
            if match[0] in _WORDS:
                return match[0]
            name = f"name{len(names)}"  # valid names in Python, unlike the names of many arguments
            names[name] = match[0]
            return name

        python = _NAME.sub(replace, text)
        for pattern, word in _C_OPERATORS:
            python = pattern.sub(word, python)
        try:
            tree = ast.parse(python.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise DebugError(f"'{text}' is no expression") from None
        return Expression(text, tree, names)

    def __str__(self) -> str:
        return self.text

    def operand(self, scope: ExpressionScope) -> Values | None:
        """Returns the register that the expression names, with its type; None if it is anything else."""
        if isinstance(self.tree, ast.Name) and registers.PATTERN.fullmatch(self.names[self.tree.id]):
            return registers.read(self.names[self.tree.id], scope.thread)
        return None

    def value(self, scope: ExpressionScope) -> Vector:
        """Returns the current value; raises `DebugError`."""
        try:
            return self._evaluate(self.tree, scope)
        except (ZeroDivisionError, OverflowError, TypeError, RecursionError) as error:
            raise DebugError(f"'{self.text}': {str(error) or type(error).__name__}") from None

    def number(self, scope: ExpressionScope) -> int:
        """Returns the value, which must be a single integer; raises `DebugError`."""
        value = self.value(scope)
        if len(value) != 1 or not isinstance(value[0], int):
            raise DebugError(f"'{self.text}' is not a single whole number")
        return value[0]

    def holds(self, scope: ExpressionScope) -> bool:
        """Returns whether the value is true for any element."""
        return any(self.value(scope))

    def _evaluate(self, node: ast.expr, scope: ExpressionScope) -> Vector:
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return (number,)
            case ast.Name(id=name):
                return _named(self.names[name], scope)
            case ast.UnaryOp(op=op, operand=operand):
                return tuple(_UNARY[type(op)](element) for element in self._evaluate(operand, scope))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return _each(_BINARY[type(op)], self._evaluate(left, scope), self._evaluate(right, scope))
            case ast.BoolOp(op=op, values=[first, *others]):
                combine = _both if isinstance(op, ast.And) else _either
                value = self._evaluate(first, scope)
                for other in others:
                    value = _each(combine, value, self._evaluate(other, scope))
                return value
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
                return _each(_COMPARISONS[type(op)], self._evaluate(left, scope), self._evaluate(right, scope))
            case ast.Subscript(value=value, slice=index):
                return (_element(self._evaluate(value, scope), self._evaluate(index, scope)),)
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
                return _FUNCTIONS[name](self._evaluate(argument, scope))
        raise DebugError(f"'{self.text}' is not understood: {type(node).__name__.lower()}")


def _named(name: str, scope: ExpressionScope) -> Vector:
    if registers.PATTERN.fullmatch(name):
        return tuple(registers.read(name, scope.thread).numbers().tolist())
    if name in VARIABLES:
        return VARIABLES[name][1](scope)
    address = scope.memory.named(name)
    if address is not None:
        return (address,)
    raise DebugError(f"there is no '{name}' here; known are registers, arguments in memory, {', '.join(VARIABLES)}")


def _element(value: Vector, positions: Vector) -> Number:
    (index,) = positions if len(positions) == 1 else (None,)
    if not isinstance(index, int) or not 0 <= index < len(value):
        raise TypeError(f"there is no such element, there are {len(value)}")
    return value[index]


def _each(operation: Callable[[Number, Number], Number], left: Vector, right: Vector) -> Vector:
    """Returns the operation applied to pairs of elements, or to each element and a single number."""
    if len(left) != len(right) and 1 not in (len(left), len(right)):
        raise TypeError(f"{len(left)} elements and {len(right)} elements")
    size = max(len(left), len(right))
    pairs = zip(left * size if len(left) == 1 else left, right * size if len(right) == 1 else right, strict=False)
    return tuple(operation(a, b) for a, b in pairs)


def _shifted(shift: Callable[[int, int], int]) -> Callable[[Number, Number], Number]:
    def checked(value: Number, count: Number) -> Number:
        if not isinstance(value, int) or not isinstance(count, int) or not 0 <= count <= _MOST_SHIFT:
            raise TypeError(f"a shift takes whole numbers, at most {_MOST_SHIFT} bits")
        return shift(value, count)

    return checked


def _whole(operation: Callable[[int, int], int]) -> Callable[[Number, Number], Number]:
    def checked(left: Number, right: Number) -> Number:
        if not isinstance(left, int) or not isinstance(right, int):
            raise TypeError("whole numbers are expected on both sides of & | ^")
        return operation(left, right)

    return checked


def _quotient(left: Number, right: Number) -> Number:
    """Divides as C does: integers give an integer, toward zero."""
    if isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return left / right


def _both(left: Number, right: Number) -> Number:
    return bool(left) and bool(right)


def _either(left: Number, right: Number) -> Number:
    return bool(left) or bool(right)


def _complement(value: Number) -> Number:
    if not isinstance(value, int):
        raise TypeError("~ takes whole numbers")
    return ~value


_UNARY: Mapping[type[ast.unaryop], Callable[[Number], Number]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: _complement,
}
_BINARY: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _quotient,
    ast.Mod: operator.mod,
    ast.BitAnd: _whole(operator.and_),
    ast.BitOr: _whole(operator.or_),
    ast.BitXor: _whole(operator.xor),
    ast.LShift: _shifted(operator.lshift),
    ast.RShift: _shifted(operator.rshift),
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Number, Number], Number]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: Mapping[str, Callable[[Vector], Vector]] = {
    "any": lambda value: (any(value),),
    "all": lambda value: (all(value),),
    "abs": lambda value: tuple(map(abs, value)),
    "min": lambda value: (min(value),),
    "max": lambda value: (max(value),),
    "sum": lambda value: (sum(value),),
}
_WORDS = frozenset({"and", "or", "not", *_FUNCTIONS})
"""Keywords, which are no names."""
