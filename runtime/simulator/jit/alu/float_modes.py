"""Float arithmetic under the control register: rounding in any direction, flushing of subnormal numbers.

f32 and smaller types are computed in f64, rounded to odd, as in the interpreter; f64 by the CPU, in its own rounding
mode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.llvm import IRFunction, Value, constant, conversions, count_of, float_splat, lanes, mangled, splat
from runtime.simulator.jit.alu.elementary import CodeLanes
from runtime.simulator.machine.elementary import FUNCTIONS, Lanes
from runtime.simulator.machine.rounding import FloatControl, quotient_to_odd, root_to_odd, rounded, sum_to_odd
from xegpu.isa import DataType

_ODD: dict[str, Callable[..., Lanes]] = {
    "add": lambda mode, a, b: sum_to_odd(a, b, mode),
    "sub": lambda mode, a, b: sum_to_odd(a, b * -1.0, mode),
    "mul": lambda mode, a, b: a * b,
    "mad": lambda mode, a, b, c: sum_to_odd(a * b, c, mode),
    "div": lambda mode, a, b: quotient_to_odd(a, b),
    "sqrt": lambda mode, a: root_to_odd(a),
}
_DOUBLE = {"add": "fadd", "sub": "fsub", "mul": "fmul", "mad": "fma", "div": "fdiv", "sqrt": "sqrt"}
"""LLVM's names of the primitives that round."""

_NEAREST = 1
"""LLVM's number of rounding to nearest (`llvm.set.rounding`). Upward, downward and toward zero follow, modulo 4."""


class Controlled:
    """Emits float arithmetic that obeys `control`, the value of `cr0` as an i32."""

    def __init__(self, code: IRFunction, control: Value):
        self._code = code
        self._control = control
        shifted = code.binary("lshr", control, constant("i32", 4))
        self._mode = code.binary("and", shifted, constant("i32", 3))

    def flushed(self, raw: Value, type: DataType) -> Value:
        """Returns the bits of elements, with subnormal numbers flushed to zeros of their sign unless `cr0` preserves
        them.
        """
        if not type.is_float:
            return raw
        code, count, fraction_bits = self._code, count_of(raw.type), _FRACTION_BITS[type]

        def of(number: int) -> Value:
            return splat(count, f"i{type.bits}", number)

        sign = code.binary("and", raw, of(-(1 << type.bits - 1)))
        magnitude = code.binary("and", raw, of((1 << type.bits - 1) - 1))
        tiny = code.compare("icmp ult", magnitude, of(1 << fraction_bits))
        bit = code.binary("and", self._control, constant("i32", FloatControl.keep_bit(type)))
        kept = code.compare("icmp ne", bit, constant("i32", 0))
        return code.select(kept, raw, code.select(tiny, sign, raw))

    def rounds(self, name: str) -> bool:
        """Returns whether a primitive rounds."""
        return name in _ODD or name in FUNCTIONS

    def primitive(self, name: str, type: DataType, arguments: Sequence[Value]) -> Value:
        """Emits a primitive that rounds, on carried values of a float type; the result has the type's precision."""
        code, count = self._code, count_of(arguments[0].type)
        if type is DataType.DF:
            return self._double(name, arguments)
        doubles = [code.cast("fpext", argument, lanes(count, "double")) for argument in arguments]

        def build(mode: Lanes, values: Sequence[Lanes]) -> Lanes:
            exact = _ODD[name](mode, *values) if name in _ODD else FUNCTIONS[name](*values)
            return rounded(exact, type, mode)

        result = self._called(f"rounded.{name}.{type.text}", doubles, build)
        return code.cast("fptrunc", result, lanes(count, "float"))

    def encode(self, values: Value, source: DataType, target: DataType, *, saturate: bool) -> Value:
        """Returns the bits of a float type for carried values of any type."""
        code, count = self._code, count_of(values.type)
        wide = lanes(count, "double")
        exact = DataType.F if source is target is DataType.TF32 and not saturate else target
        if source.is_float:
            doubles = code.cast("fpext", values, wide)
            if saturate:
                doubles = conversions.unit_interval(code, doubles)
        else:
            doubles = self._from_integers(values, source, target, saturate=saturate)
        if exact is DataType.TF32:
            doubles = self._without_subnormals(doubles)
        if exact is not DataType.DF:
            doubles = self._called(f"rounded.{exact.text}", [doubles], lambda mode, x: rounded(x[0], exact, mode))
        return self.flushed(conversions.encode(code, doubles, DataType.DF, exact), target)

    def _from_integers(self, values: Value, source: DataType, target: DataType, *, saturate: bool) -> Value:
        code, count = self._code, count_of(values.type)
        wide, op = lanes(count, "double"), "sitofp" if source.is_signed else "uitofp"
        if saturate:
            values = conversions.clamped(code, values, source, 0, 1)
        if source.bits < 64:
            return code.cast(op, values, wide)
        if target is not DataType.DF:
            return code.cast(op, conversions.sticky(code, values, source), wide)
        shift = splat(count, "i64", 32)
        high = code.binary("ashr" if source.is_signed else "lshr", values, shift)
        high = code.binary("fmul", code.cast(op, high, wide), float_splat(count, "double", 2.0**32))
        low = code.cast("uitofp", code.binary("and", values, splat(count, "i64", 0xFFFFFFFF)), wide)
        return self._double("add", [high, low])

    def _without_subnormals(self, doubles: Value) -> Value:
        """Flushes numbers below the normal numbers of f32 to zeros of their sign."""
        code, count = self._code, count_of(doubles.type)
        magnitude = code.call(mangled("fabs", doubles.type), doubles.type, doubles)
        tiny = code.compare("fcmp olt", magnitude, float_splat(count, "double", 2.0**-126))
        zero = code.call(mangled("copysign", doubles.type), doubles.type, float_splat(count, "double", 0.0), doubles)
        return code.select(tiny, zero, doubles)

    def _called(self, name: str, doubles: Sequence[Value], build: Callable[[Lanes, Sequence[Lanes]], Lanes]) -> Value:
        """Calls a function of doubles and the rounding direction."""
        code, type, count = self._code, doubles[0].type, count_of(doubles[0].type)
        parameters = [Value(type, f"%x{index}") for index in range(len(doubles))]
        mode = Value(lanes(count, "i64"), "%mode")

        def fill(inner: IRFunction) -> None:
            result = build(CodeLanes(inner, mode), [CodeLanes(inner, parameter) for parameter in parameters])
            assert isinstance(result, CodeLanes)
            inner.give(result.value)

        declared = ", ".join(map(str, (*parameters, mode)))
        symbol = code.module.function(f"{name}.{count}", type, declared, fill, inline=False)
        return code.call(symbol, type, *doubles, code.broadcast(code.cast("zext", self._mode, "i64"), count))

    def _double(self, name: str, arguments: Sequence[Value]) -> Value:
        """Emits an operation of the CPU on f64, with its rounding mode switched around it."""
        code, type = self._code, arguments[0].type
        parameters = [Value(type, f"%x{index}") for index in range(len(arguments))]

        def build(inner: IRFunction) -> None:
            direction = inner.binary("add", Value("i32", "%mode"), constant("i32", _NEAREST))
            inner.run("llvm.set.rounding", inner.binary("and", direction, constant("i32", 3)))
            operation = mangled(f"experimental.constrained.{_DOUBLE[name]}", type)
            environment = Value("metadata", '!"round.dynamic"'), Value("metadata", '!"fpexcept.ignore"')
            result = inner.call(operation, type, *parameters, *environment)
            inner.run("llvm.set.rounding", constant("i32", _NEAREST))
            inner.give(result)

        declared = ", ".join(map(str, (*parameters, Value("i32", "%mode"))))
        symbol = code.module.function(
            f"double.{name}.{count_of(type)}", type, declared, build, inline=False, strict=True
        )
        return code.call(symbol, type, *arguments, self._mode)


_FRACTION_BITS = {DataType.HF: 10, DataType.BF: 7, DataType.TF32: 23, DataType.F: 23, DataType.DF: 52}
