"""Conversion of operands to the type of the result's elements, and `#linalg.type_fn`, which says how."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IntegerType, MemRefType, TensorType
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.upstream.arith import (
    ExtFOp,
    ExtSIOp,
    ExtUIOp,
    FPToSIOp,
    FPToUIOp,
    SIToFPOp,
    TruncFOp,
    TruncIOp,
    UIToFPOp,
)
from xegpu.dialects.upstream.enums import InAngleBrackets

Number = AnyFloat | IntegerType


def converted(value: SSAValue, type: Number, *, unsigned: bool = False) -> SSAValue:
    """A number in another type; integers have signs unless they are `unsigned`."""
    source = value.type
    if source == type:
        return value
    if isinstance(source, IntegerType):
        if not isinstance(type, IntegerType):
            return (UIToFPOp(value, type) if unsigned else SIToFPOp(value, type)).result
        if type.width.data < source.width.data:
            return TruncIOp(value, type).result
        return (ExtUIOp(value, type) if unsigned else ExtSIOp(value, type)).result
    assert isinstance(source, AnyFloat)
    if isinstance(type, IntegerType):
        return (FPToUIOp(value, type) if unsigned else FPToSIOp(value, type)).result
    if type.bitwidth > source.bitwidth:
        return ExtFOp(value, type).result
    if type.bitwidth < source.bitwidth:
        return TruncFOp(value, type).result
    raise VerifyException(f"cannot convert {source} to {type}, which has as many bits")


def number_type(operand: SSAValue) -> Number:
    """The type of an operand's elements, which has to be one of numbers."""
    type = operand.type.get_element_type() if isinstance(operand.type, MemRefType | TensorType) else operand.type
    if not isinstance(type, AnyFloat | IntegerType):
        raise VerifyException(f"takes elements of integer or floating-point type, not {type}")
    return type


class TypeFunction(StrEnum):
    """The conversion of integers to the type of the result."""

    CAST_SIGNED = "cast_signed"
    CAST_UNSIGNED = "cast_unsigned"


@irdl_attr_definition
class TypeFunctionAttr(InAngleBrackets[TypeFunction], EnumAttribute[TypeFunction]):
    """`#linalg.type_fn<cast_unsigned>`: integers are extended with zeros, not with their sign."""

    name = "linalg.type_fn"


def is_unsigned(cast: TypeFunctionAttr | None) -> bool:
    """Returns whether integers have no sign; without an attribute they have one."""
    return cast is not None and cast.data is TypeFunction.CAST_UNSIGNED
