"""Numbers of host programs: the forms that they are computed in, and those that values are held in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute

from runtime.host.data.types import element_type, float_type, lanes_of, scalar
from runtime.llvm import IRFunction, Value, conversions, count_of, lanes, splat, vector
from xegpu.isa import DataType
from xegpu.isa.model import float_bits


def computed(code: IRFunction, value: Value, type: Attribute) -> Value:
    """Returns a held floating-point value as a float or double."""
    kind = float_type(element_type(type))
    return conversions.decode(code, value, kind) if kind in (DataType.HF, DataType.BF) else value


def held(code: IRFunction, value: Value, type: Attribute) -> Value:
    """Returns a float or double as values of `type` are held, rounded to nearest even."""
    kind = float_type(element_type(type))
    assert kind is not None
    is_wide = "double" in value.type
    match kind:
        case DataType.F:
            return code.cast("fptrunc", value, lanes(count_of(value.type), "float")) if is_wide else value
        case DataType.DF:
            return value if is_wide else code.cast("fpext", value, lanes(count_of(value.type), "double"))
    if kind is DataType.TF32:
        bits = conversions.encode(code, value, DataType.DF if is_wide else DataType.F, kind)
        return code.cast("bitcast", bits, lanes(count_of(value.type), "float"))
    raw = conversions.encode(code, value, DataType.DF if is_wide else DataType.F, kind)
    return raw if not value.type.startswith("<1 ") else code.cast("bitcast", raw, "<1 x i16>")


def literal(type: Attribute, number: float) -> str:
    """Returns a scalar as LLVM writes it."""
    kind = float_type(type)
    if kind is None:
        return str(int(number))
    if kind in (DataType.HF, DataType.BF):
        return str(float_bits(number, kind))
    single = number if kind is DataType.DF else float(np.float32(number))
    return f"0x{float_bits(single, DataType.DF):016X}"


def constant_of(type: Attribute, numbers: Sequence[float]) -> Value:
    """Returns a constant; one number stands for all elements of a vector."""
    element = element_type(type)
    kind = scalar(element)
    if type is element:
        return Value(kind, literal(element, numbers[0]))
    count = lanes_of(type)
    texts = [literal(element, number) for number in numbers]
    if len(texts) == 1 and count > 1:
        return splat(count, kind, texts[0])
    return Value(vector(count, kind), "<" + ", ".join(f"{kind} {text}" for text in texts) + ">")


def attribute_numbers(attribute: Attribute) -> Sequence[float] | None:
    """Returns the numbers of a constant's value, one if all are equal; None for other attributes."""
    match attribute:
        case IntegerAttr() | FloatAttr():
            return (attribute.value.data,)
        case DenseIntOrFPElementsAttr():
            values = attribute.get_values()
            return values[:1] if attribute.is_splat() else values
    return None


def width(type: Attribute) -> int:
    """Returns the bits of an integer or index, or of the elements of a vector of them."""
    element = element_type(type)
    if isinstance(element, IndexType):
        return 64
    assert isinstance(element, IntegerType)
    bits: int = element.width.data
    return bits
