"""The math dialect, with the classifications and newer functions that xDSL lacks.

xDSL's other ops are used as they are.

https://mlir.llvm.org/docs/Dialects/MathOps/
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects import math as base
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import i1
from xdsl.dialects.math import FloatingPointLikeUnaryMathOperation, floatingPointLike
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, VarConstraint, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.irdl.declarative_assembly_format import TypeDirective, irdl_custom_directive
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.directives import ImpliedType
from xegpu.dialects.upstream.shapes import with_element
from xegpu.dialects.upstream.traits import add_elementwise
from xegpu.mlir import definitions, extend

NO_FASTMATH = FastMathFlagsAttr("none")


@irdl_op_definition
class ErfcOp(FloatingPointLikeUnaryMathOperation):
    """`%r = math.erfc %x : f32`: one minus the error function."""

    name = "math.erfc"
    traits = traits_def(Pure())


@irdl_op_definition
class SincosOp(IRDLOperation):
    """`%sin, %cos = math.sincos %x : vector<16xf32>`: sine and cosine of one argument, in radians."""

    name = "math.sincos"
    T: ClassVar = VarConstraint("T", floatingPointLike)

    operand = operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)
    sin = result_def(T)
    cos = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($sin)"


@irdl_op_definition
class ClampFOp(IRDLOperation):
    """`%r = math.clampf %x to[%min, %max] : f32`: the value between the bounds that is nearest to `%x`."""

    name = "math.clampf"
    T: ClassVar = VarConstraint("T", floatingPointLike)

    value = operand_def(T)
    min = operand_def(T)
    max = operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)
    result = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$value `to` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"


@irdl_custom_directive
class ClassifiedType(ImpliedType):
    """The type of the operand; the result has an i1 for each of its elements."""

    written: TypeDirective
    implied: TypeDirective

    @staticmethod
    def follow(written: Attribute) -> Attribute:
        return with_element(written, i1)


class _ClassificationOp(IRDLOperation, ABC):
    """`math.isnan %x : vector<16xf32>` gives i1 in the operand's shape."""

    operand = operand_def(floatingPointLike)
    fastmath = prop_def(FastMathFlagsAttr, default_value=NO_FASTMATH)
    result = result_def()

    traits = traits_def(Pure())
    custom_directives = (ClassifiedType,)
    assembly_format = (
        "$operand (`fastmath` `` $fastmath^)? attr-dict `:` custom<ClassifiedType>(type($operand), type($result))"
    )

    def verify_(self) -> None:
        if self.result.type != (expected := with_element(self.operand.type, i1)):
            raise VerifyException(f"expected a result of type {expected}, got {self.result.type}")


@irdl_op_definition
class IsFiniteOp(_ClassificationOp):
    """`%r = math.isfinite %x : vector<16xf32>`: whether a number is neither infinite nor NaN."""

    name = "math.isfinite"


@irdl_op_definition
class IsInfOp(_ClassificationOp):
    """`%r = math.isinf %x : vector<16xf32>`: whether a number is infinite."""

    name = "math.isinf"


@irdl_op_definition
class IsNaNOp(_ClassificationOp):
    """`%r = math.isnan %x : vector<16xf32>`: whether a value is no number."""

    name = "math.isnan"


@irdl_op_definition
class IsNormalOp(_ClassificationOp):
    """`%r = math.isnormal %x : vector<16xf32>`: whether a number is finite, not zero and not subnormal."""

    name = "math.isnormal"


Math = extend(base.Math, definitions(vars()))
add_elementwise(Math.operations)
