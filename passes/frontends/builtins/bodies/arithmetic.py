"""Arithmetic on floats of one type in bodies, and blocks."""

from __future__ import annotations

from passes.frontends.builtins.bodies.body import Body, number
from passes.frontends.builtins.mangling import Scalar

_FRACTIONS = {"Dh": 10, "f": 23, "d": 52}


class Arithmetic:
    """Appends operations on scalars of a float type to a body; numbers of Python become constants."""

    def __init__(self, body: Body, scalar: Scalar) -> None:
        self.body, self.scalar, self.type = body, scalar, scalar.llvm
        self.fraction = _FRACTIONS[scalar.code]
        """The bits of a number behind the first one."""

    def text(self, value: str | float) -> str:
        """Returns a value or constant."""
        return value if isinstance(value, str) else number(self.scalar, float(value))

    def _binary(self, operation: str, a: str | float, b: str | float) -> str:
        return self.body.op(f"{operation} {self.type} {self.text(a)}, {self.text(b)}")

    def add(self, a: str | float, b: str | float) -> str:
        """Returns a + b."""
        return self._binary("fadd", a, b)

    def subtract(self, a: str | float, b: str | float) -> str:
        """Returns a - b."""
        return self._binary("fsub", a, b)

    def multiply(self, a: str | float, b: str | float) -> str:
        """Returns a * b."""
        return self._binary("fmul", a, b)

    def divide(self, a: str | float, b: str | float) -> str:
        """Returns a / b."""
        return self._binary("fdiv", a, b)

    def remainder(self, a: str | float, b: str | float) -> str:
        """Returns a - b * (a / b rounded to zero), which is exact."""
        return self._binary("frem", a, b)

    def negate(self, a: str) -> str:
        """Returns -a."""
        return self.body.op(f"fneg {self.type} {a}")

    def fused(self, a: str | float, b: str | float, c: str | float) -> str:
        """Returns a * b + c, rounded once."""
        return self.intrinsic("fma", a, b, c)

    def intrinsic(self, name: str, *arguments: str | float) -> str:
        """Returns the result of an intrinsic of LLVM."""
        return self.body.intrinsic(name, self.type, *map(self.text, arguments))

    def call(self, name: str, *arguments: str) -> str:
        """Returns the result of a builtin of the same type."""
        return self.body.call(name, self.type, (self.scalar,) * len(arguments), *arguments)

    def compare(self, relation: str, a: str | float, b: str | float) -> str:
        """Returns whether a relation holds."""
        return self.body.op(f"fcmp {relation} {self.type} {self.text(a)}, {self.text(b)}")

    def choose(self, condition: str, a: str | float, b: str | float) -> str:
        """Returns a where the condition holds, else b."""
        return self.body.op(f"select i1 {condition}, {self.type} {self.text(a)}, {self.type} {self.text(b)}")

    def polynomial(self, x: str, coefficients: tuple[float, ...]) -> str:
        """Returns a sum of powers; the coefficients begin with that of the lowest one."""
        result: str | float = coefficients[-1]
        for coefficient in reversed(coefficients[:-1]):
            result = self.fused(result, x, coefficient)
        return self.text(result)

    def converted(self, value: str, other: Scalar) -> str:
        """Returns a value in another float type."""
        wider = _FRACTIONS[other.code] > self.fraction
        return self.body.op(f"{'fpext' if wider else 'fptrunc'} {self.type} {value} to {other.llvm}")

    def label(self, name: str) -> None:
        """Starts a block."""
        self.body.lines.append(f"{name}:")
