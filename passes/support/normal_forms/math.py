"""`math` operations that are exact compositions of others.

None of them adds a rounding that the operation itself would not have, except where its rule says so.
"""

from __future__ import annotations

import math as numbers
from collections.abc import Callable, Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatTF32Type,
    IntegerType,
    VectorType,
    f32,
    f64,
)
from xdsl.dialects.math import AbsFOp, CopySignOp, CosOp, FPowIOp, PowFOp, RoundOp, RsqrtOp, SinOp, SqrtOp, TruncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from passes.support.normal_forms.rewriting import Add, constant, expands
from xegpu.dialects.upstream.arith import CmpfOp, ExtFOp, SelectOp, SIToFPOp, TruncFOp
from xegpu.dialects.upstream.math import ClampFOp, IsFiniteOp, IsInfOp, IsNaNOp, IsNormalOp, SincosOp

_SMALLEST_NORMAL: Mapping[type[Attribute], float] = {
    Float16Type: 2.0**-14,
    BFloat16Type: 2.0**-126,
    Float32Type: 2.0**-126,
    FloatTF32Type: 2.0**-126,
    Float64Type: 2.0**-1022,
}
"""2 to the smallest exponent of a normal number (IEEE 754-2019, table 3.5: emin)."""
_BITS: Mapping[type[Attribute], int] = {Float16Type: 16, BFloat16Type: 16, Float32Type: 32, Float64Type: 64}


def _element(value: SSAValue) -> Attribute:
    return get_element_type_or_self(value.type)


def _with_element(type: Attribute, element: Attribute) -> Attribute:
    """The same shape with elements of another type."""
    return VectorType(element, type.get_shape()) if isa(type, VectorType) else element


def _through_f32(add: Add, op: Operation, compose: Callable[..., SSAValue], narrow: type[Attribute]) -> list[SSAValue]:
    """Composes operations on a narrow type in f32, and truncates the result to that type."""
    if not isinstance(_element(op.operands[0]), narrow):
        return [compose(add, *op.operands)]
    wide = [add(ExtFOp(operand, _with_element(operand.type, f32))) for operand in op.operands]
    return [add(TruncFOp(compose(add, *wide), op.results[0].type))]


@expands(IsNaNOp)
def _is_nan(add: Add, op: Operation) -> list[SSAValue]:
    """A NaN is the only number that differs from itself."""
    (x,) = op.operands
    return [add(CmpfOp(x, x, "une"))]


@expands(IsFiniteOp, IsInfOp)
def _compared_with_infinity(add: Add, op: IsFiniteOp | IsInfOp) -> list[SSAValue]:
    (x,), predicate = op.operands, "olt" if isinstance(op, IsFiniteOp) else "oeq"
    return [add(CmpfOp(add(AbsFOp(x)), add(constant(x.type, numbers.inf)), predicate))]


@expands(IsNormalOp)
def _is_normal(add: Add, op: IsNormalOp) -> list[SSAValue]:
    (x,) = op.operands
    magnitude = add(AbsFOp(x))
    smallest = add(constant(x.type, _SMALLEST_NORMAL[type(_element(x))]))
    above = add(CmpfOp(magnitude, smallest, "oge"))
    below = add(CmpfOp(magnitude, add(constant(x.type, numbers.inf)), "olt"))
    return [add(arith.AndIOp(above, below))]


@expands(CopySignOp)
def _copy_sign(add: Add, op: CopySignOp) -> list[SSAValue]:
    return _through_f32(add, op, _with_sign, FloatTF32Type)


def _with_sign(add: Add, x: SSAValue, sign: SSAValue) -> SSAValue:
    """All bits of the first operand but the sign bit, which is that of the second one."""
    bits = _BITS[type(_element(x))]
    integers = _with_element(x.type, IntegerType(bits))
    magnitude, other = (add(arith.BitcastOp(value, integers)) for value in (x, sign))
    kept = add(arith.AndIOp(magnitude, add(constant(integers, (1 << bits - 1) - 1))))
    copied = add(arith.AndIOp(other, add(constant(integers, -1 << bits - 1))))
    return add(arith.BitcastOp(add(arith.OrIOp(kept, copied)), x.type))


@expands(RoundOp)
def _round(add: Add, op: RoundOp) -> list[SSAValue]:
    return _through_f32(add, op, _rounded, BFloat16Type)


def _rounded(add: Add, x: SSAValue) -> SSAValue:
    """To the nearest integral value, ties away from zero.

    What truncation leaves is exact, and so is one more than the magnitude where at least a half is left: such a number
    is less than 2 to the bits of a significand.
    """
    whole = add(TruncOp(x))
    rest = add(AbsFOp(add(arith.SubfOp(x, whole))))
    magnitude = add(AbsFOp(whole))
    away = add(arith.AddfOp(magnitude, add(constant(x.type, 1))))
    is_far = add(CmpfOp(rest, add(constant(x.type, 0.5)), "oge"))
    return add(CopySignOp(add(SelectOp(is_far, away, magnitude)), x))


@expands(RsqrtOp)
def _reciprocal_root(add: Add, op: RsqrtOp) -> list[SSAValue]:
    """Rounds twice: the root, and its reciprocal."""
    (x,) = op.operands
    return [add(arith.DivfOp(add(constant(x.type, 1)), add(SqrtOp(x)), op.fastmath))]


@expands(ClampFOp)
def _clamp(add: Add, op: ClampFOp) -> list[SSAValue]:
    return [add(arith.MinimumfOp(add(arith.MaximumfOp(op.value, op.min)), op.max))]


@expands(SincosOp)
def _sine_and_cosine(add: Add, op: Operation) -> list[SSAValue]:
    (x,) = op.operands
    return [add(SinOp(x)), add(CosOp(x))]


@expands(FPowIOp)
def _integer_power(add: Add, op: Operation) -> list[SSAValue]:
    """A power in f64, which holds integers up to 2^53 exactly; larger exponents give 0, 1 or infinity anyway."""
    (base, exponent), wide = op.operands, _with_element(op.operands[0].type, f64)
    number = add(SIToFPOp(exponent, wide))
    if isinstance(_element(base), Float64Type):
        return [add(PowFOp(base, number))]
    return [add(TruncFOp(add(PowFOp(add(ExtFOp(base, wide)), number)), base.type))]
