"""Conversions of scaled floating-point numbers, as microscaling formats have them.

xDSL has none of them.

https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import I32, FixedBitwidthType, IntegerAttr
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.type import get_element_type_or_self

from xegpu.dialects.upstream.arith.casts import RoundingMode, verify_rounding_mode
from xegpu.dialects.upstream.shapes import is_float, is_like, same_shape


class _ScalingOp(IRDLOperation, ABC):
    """Input, scale and result are floating-point, in one shape."""

    WIDENS: ClassVar[bool]

    input = operand_def()
    scale = operand_def()
    fastmath = opt_prop_def(FastMathFlagsAttr)
    out = result_def()

    traits = traits_def(Pure())

    def verify_(self) -> None:
        types = (self.input.type, self.scale.type, self.out.type)
        if not all(is_like(each, is_float) and same_shape(each, types[0]) for each in types):
            raise VerifyException(
                f"expected floating-point input, scale and result of one shape, got {', '.join(map(str, types))}"
            )
        source, target = get_element_type_or_self(types[0]), get_element_type_or_self(types[2])
        assert isinstance(source, FixedBitwidthType)
        assert isinstance(target, FixedBitwidthType)
        narrow, wide = (source, target) if self.WIDENS else (target, source)
        if narrow.bitwidth >= wide.bitwidth:
            raise VerifyException(f"operand type '{types[0]}' and result type '{types[2]}' are cast incompatible")


@irdl_op_definition
class ScalingExtFOp(_ScalingOp):
    """Floats to wider ones, multiplied by a scale.

    `%r = arith.scaling_extf %x, %scale : f8E4M3FN, f8E8M0FNU to f32`
    """

    name = "arith.scaling_extf"
    WIDENS: ClassVar = True
    assembly_format = (
        "$input `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `,` type($scale) `to` type($out)"
    )


@irdl_op_definition
class ScalingTruncFOp(_ScalingOp):
    """Floats to narrower ones, divided by a scale, rounded to nearest even or as the op says.

    `%r = arith.scaling_truncf %x, %scale to_nearest_even : f32, f8E8M0FNU to f8E4M3FN`
    """

    name = "arith.scaling_truncf"
    WIDENS: ClassVar = False
    roundingmode = opt_prop_def(IntegerAttr[I32])
    custom_directives = (RoundingMode,)
    assembly_format = (
        "$input `,` $scale custom<RoundingMode>($roundingmode) (`fastmath` `` $fastmath^)? attr-dict"
        " `:` type($input) `,` type($scale) `to` type($out)"
    )

    def verify_(self) -> None:
        super().verify_()
        verify_rounding_mode(self.roundingmode)
