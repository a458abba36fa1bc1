"""The math functions in compiled code: one function of the module for each, and for each number of lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from runtime.llvm import IRFunction, Value, count_of, element_of, float_splat, lanes, literals, mangled, splat, zero
from runtime.simulator.machine.elementary import FUNCTIONS, Lanes

_FLOAT_OPERATIONS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_RELATIONS = {"eq": ("fcmp oeq", "icmp eq"), "ne": ("fcmp une", "icmp ne"), "lt": ("fcmp olt", "icmp slt")}
_RELATIONS["gt"] = ("fcmp ogt", "icmp sgt")


@dataclass(frozen=True)
class CodeLanes(Lanes):
    """A value of double, i64 or i1 lanes in a function under construction."""

    code: IRFunction
    value: Value

    @property
    def _is_float(self) -> bool:
        return element_of(self.value.type) == "double"

    @property
    def _count(self) -> int:
        return count_of(self.value.type)

    def constant(self, value: float) -> Self:
        if self._is_float:
            return self._of(float_splat(self._count, "double", value))
        return self._of(splat(self._count, "i64", int(value)))

    def binary(self, operation: str, other: Self) -> Self:
        name = _FLOAT_OPERATIONS[operation] if self._is_float else operation
        return self._of(self.code.binary(name, self.value, other.value))

    def compare(self, relation: str, other: Self) -> Self:
        floats, integers = _RELATIONS[relation]
        return self._of(self.code.compare(floats if self._is_float else integers, self.value, other.value))

    def choose(self, yes: Self, no: Self) -> Self:
        return self._of(self.code.select(self.value, yes.value, no.value))

    def sqrt(self) -> Self:
        return self._call("sqrt")

    def integral(self, name: str) -> Self:
        return self._call("roundeven" if name == "rint" else name)

    def bits(self) -> Self:
        return self._cast("bitcast", "i64")

    def double(self) -> Self:
        return self._cast("bitcast", "double")

    def to_integer(self) -> Self:
        return self._cast("fptosi", "i64")

    def to_double(self) -> Self:
        return self._cast("sitofp", "double")

    def lookup(self, table: Sequence[int]) -> Self:
        code, count = self.code, self._count
        words = [word for entry in table for word in (entry & 0xFFFFFFFF, entry >> 32)]
        base = code.module.constant_data(f"table.{hash(tuple(table)) & 0xFFFFFFFF:x}", words)
        pointers = code.value(lanes(count, "ptr"), f"getelementptr i64, {base}, {self.value}")
        if count == 1:
            return self._of(code.load("i64", pointers, 8))
        type = self.value.type
        aligned = Value(pointers.type, f"align 8 {pointers.name}")
        every = literals("i1", ["true"] * count)
        return self._of(code.call(mangled("masked.gather", type, pointers.type), type, aligned, every, zero(type)))

    def _call(self, intrinsic: str) -> Self:
        return self._of(self.code.call(mangled(intrinsic, self.value.type), self.value.type, self.value))

    def _cast(self, op: str, element: str) -> Self:
        return self._of(self.code.cast(op, self.value, lanes(self._count, element)))

    def _of(self, value: Value) -> Self:
        return type(self)(self.code, value)


def elementary(code: IRFunction, name: str, arguments: Sequence[Value]) -> Value:
    """Calls a math function on doubles that f32 can represent; the result is not rounded to its type yet."""
    type = arguments[0].type
    parameters = [Value(type, f"%x{index}") for index in range(len(arguments))]

    def build(inner: IRFunction) -> None:
        result = FUNCTIONS[name](*(CodeLanes(inner, parameter) for parameter in parameters))
        assert isinstance(result, CodeLanes)
        inner.give(result.value)

    declared = ", ".join(map(str, parameters))
    symbol = code.module.function(f"{name}.{count_of(type)}", type, declared, build, inline=False)
    return code.call(symbol, type, *arguments)
