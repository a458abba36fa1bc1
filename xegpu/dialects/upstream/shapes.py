"""Scalars, and vectors and tensors of them.

xDSL has constraints on such types, but no functions that map them to others.

https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
    UnrankedTensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

ElementTest = Callable[[Attribute], bool]


def is_signless_integer(element: Attribute) -> bool:
    return isinstance(element, IntegerType) and element.signedness.data is Signedness.SIGNLESS


def is_float(element: Attribute) -> bool:
    return isa(element, AnyFloat)


def is_index(element: Attribute) -> bool:
    return isinstance(element, IndexType)


def is_integer_or_index(element: Attribute) -> bool:
    return is_signless_integer(element) or is_index(element)


def is_like(value: Attribute, test: ElementTest) -> bool:
    """Returns whether `value` is an element that passes `test`, or a vector or tensor of such elements."""
    if isa(value, VectorType) or isa(value, TensorType) or isa(value, UnrankedTensorType):
        return test(value.element_type)
    return test(value)


def with_element(value: Attribute, element: Attribute) -> Attribute:
    """The type of `value`'s shape with other elements."""
    if isa(value, VectorType):
        return VectorType(element, value.shape, value.scalable_dims)
    if isa(value, TensorType):
        return TensorType(element, value.shape, value.encoding)
    if isa(value, UnrankedTensorType):
        return UnrankedTensorType(element)
    return element


def same_shape(a: Attribute, b: Attribute) -> bool:
    """Returns whether both are scalars, or vectors or tensors of one shape."""
    return with_element(a, i1) == with_element(b, i1)
