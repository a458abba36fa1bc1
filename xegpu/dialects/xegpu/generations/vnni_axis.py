"""`vnni_axis` of LLVM 19 and IMEX: the axis of a block along which a load puts 32 bits' worth of elements together.

Along axis 0 these are the `packed` blocks of today, [rows / v, columns, v]. Along axis 1 the elements stay in place and
only the shape says that they are together, [rows, columns / v, v]. Texts with axis 1 also occur for packed blocks: the
shape of the result decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import I64, IntegerAttr, UnitAttr, VectorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.xegpu.types import TensorDescType, packing_factor

NAME = "vnni_axis"


def unchanged(axis: Attribute) -> Mapping[str, Attribute]:
    """Returns the attribute alone: what it means depends on the types of the load."""
    return {NAME: axis}


def canonical_properties(
    properties: Mapping[str, Attribute], descriptor: Attribute, result: Attribute
) -> Mapping[str, Attribute]:
    """Returns the properties of a load with `packed` in place of `vnni_axis`.

    Raises `VerifyException` for another axis, or a result of another shape.
    """
    if NAME not in properties:
        return properties
    axis = properties[NAME]
    others = {name: value for name, value in properties.items() if name != NAME}
    if isa(axis, IntegerAttr[I64]) and axis.value.data == 0:
        return {**others, "packed": UnitAttr()}
    if not isa(axis, IntegerAttr[I64]) or axis.value.data != 1:
        raise VerifyException(f"expected vnni_axis to be 0 : i64 or 1 : i64, got {axis}")
    shapes = _shapes(descriptor)
    if shapes is None or not isinstance(result, VectorType) or result.get_shape() != shapes[0]:
        raise VerifyException(
            "expected, for vnni_axis = 1, a result of the packed block, or in custom form of the block with the "
            f"elements of a row in groups of 32 bits, got {result} for {descriptor}"
        )
    return {**others, "packed": UnitAttr()}


def plain_type(
    properties: Mapping[str, Attribute], descriptor: Attribute, result: Attribute
) -> VectorType[Attribute] | None:
    """Returns the type of the block for a load along axis 1 whose result groups the elements of rows; else None."""
    axis, shapes = properties.get(NAME), _shapes(descriptor)
    if not isa(axis, IntegerAttr[I64]) or axis.value.data != 1 or shapes is None:
        return None
    if not isa(result, VectorType[Attribute]) or result.get_shape() != shapes[1]:
        return None
    assert isinstance(descriptor, TensorDescType)
    return VectorType(result.get_element_type(), descriptor.get_shape())


def _shapes(descriptor: Attribute) -> tuple[Sequence[int], Sequence[int]] | None:
    """Returns the shapes of a block that is packed, and that has groups in its rows; None for other descriptors."""
    if not isinstance(descriptor, TensorDescType) or descriptor.get_num_dims() != 2 or descriptor.array_length > 1:
        return None
    rows, columns = descriptor.get_shape()
    factor = packing_factor(descriptor.element_type)
    if factor == 1 or (rows % factor and columns % factor):
        return None
    return (rows // factor, columns, factor), (rows, columns // factor, factor)
