"""Lowers `arith.truncf`, to nearest even or in the direction that its rounding mode names.

Floats of one sign are ordered like their bits: the neighbor of a number away from zero has one unit more.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import FloatTF32Type
from xdsl.utils.type import get_element_type_or_self

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.sequences import FloatSequence
from passes.kernel.register_types import BOOLEAN, element_type
from xegpu.dialects.upstream.arith import TruncFOp
from xegpu.isa.model import Condition, DataType, integer

_TF32_UNIT = 1 << 13
"""The last bit of a tf32 number: values of tf32 are held as f32."""


@lowers(TruncFOp)
def truncate_float(lowering: KernelLowering, op: TruncFOp) -> None:
    emit, target = lowering.emit, element_type(op.result.type)
    assert target is not None
    (number,), count = lowering.operands(op, op.operands)
    value = emit.unary("mov", number.type, number, count) if isinstance(number, UniformConstant) else number
    is_tf32 = isinstance(get_element_type_or_self(op.result.type), FloatTF32Type)
    nearest = emit.unary("mov", DataType.TF32 if is_tf32 else target, value, count).as_type(target)
    f = FloatSequence(emit, count, value.type)
    rounded = _Neighbors(f, value, nearest, _TF32_UNIT if is_tf32 else 1).rounded(op.rounding)
    lowering.values[op.result] = Elements(rounded.register, target, count, rounded.offset, value.lanes)


@dataclass(frozen=True)
class _Neighbors:
    """Numbers, rounded to nearest even in a narrower type whose last bit is `unit`, and their neighbors there."""

    f: FloatSequence
    value: Elements
    nearest: Elements
    unit: int

    def rounded(self, mode: str) -> Elements:
        """Returns the numbers rounded as `mode` says; NaN stays NaN, because it compares with nothing."""
        f, nearest = self.f, self._wide(self.nearest)
        match mode:
            case "downward":
                return self._replaced(f.compare(nearest, Condition.GT, self.value), self._moved(self._towards(-1)))
            case "upward":
                return self._replaced(f.compare(nearest, Condition.LT, self.value), self._moved(self._towards(1)))
            case "toward_zero":
                farther = f.compare(f.magnitude(nearest), Condition.GT, f.magnitude(self.value))
                return self._replaced(farther, self._moved(UniformConstant(self._bits, -self.unit)))
            case "to_nearest_away":
                nearer = f.compare(f.magnitude(nearest), Condition.LT, f.magnitude(self.value))
                away = self._moved(UniformConstant(self._bits, self.unit))
                # Both distances are exact, as differences of close numbers are.
                distances = [
                    f("add", self._wide(away), self.value, negate=(False, True)),
                    f("add", self.value, nearest, negate=(False, True)),
                ]
                tie = f.compare(distances[0], Condition.EQ, distances[1])
                return self._replaced(f.emit.alu("and", BOOLEAN, [nearer, tie], f.count), away)
        return self.nearest

    @property
    def _bits(self) -> DataType:
        return integer(self.nearest.type.bits, signed=True)

    def _wide(self, narrow: Elements) -> Elements:
        return self.f("mov", narrow)

    def _towards(self, sign: int) -> Number:
        """Returns the distance in bits to the next number up (1) or down (-1)."""
        emit, count, bits = self.f.emit, self.f.count, self._bits
        shift = UniformConstant(bits, bits.bits - 1)
        signs = emit.alu("asr", bits, [self.nearest.as_type(bits), shift], count)
        ones = emit.alu("or", bits, [signs, UniformConstant(bits, 1)], count)
        return emit.alu("mul", bits, [ones, UniformConstant(bits, sign * self.unit)], count)

    def _moved(self, distance: Number) -> Elements:
        bits = self._bits
        moved = self.f.emit.alu("add", bits, [self.nearest.as_type(bits), distance], self.f.count)
        return moved.as_type(self.nearest.type)

    def _replaced(self, condition: Elements, other: Elements) -> Elements:
        return self.f.emit.alu("sel", other.type, [other, self.nearest], self.f.count, predicate=condition)
