"""Rules about the vector types of operands and results.

xDSL has no such helpers.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, MemRefType, TensorType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa


def vector_type(value: SSAValue) -> VectorType:
    """The type of a value that is known to be a vector."""
    assert isa(value.type, VectorType)
    return value.type


def shaped_type(value: SSAValue) -> MemRefType | TensorType:
    """The type of a value that is known to be a memref or tensor with a rank."""
    assert isa(value.type, MemRefType) or isa(value.type, TensorType)
    return value.type


def with_element(vector: VectorType, element: Attribute) -> VectorType:
    """The type of `vector`'s shape with other elements."""
    return VectorType(element, vector.shape, vector.scalable_dims)


def with_leading(vector: VectorType, sizes: Sequence[int]) -> VectorType:
    """The type of `vector` with other sizes of its outermost dimensions."""
    return VectorType(vector.element_type, [*sizes, *vector.get_shape()[len(sizes) :]], vector.scalable_dims)


def with_dims(vector: VectorType, dims: Sequence[int]) -> VectorType:
    """The vector of dimensions `dims` of `vector`, in that order."""
    shape, scalable = vector.shape.data, vector.scalable_dims.data
    return VectorType(vector.element_type, [shape[dim] for dim in dims], ArrayAttr(scalable[dim] for dim in dims))
