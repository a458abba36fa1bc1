"""The types that values of MLIR have in registers and in memory."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute

from passes.kernel.memories import memory_of
from xegpu.dialects.image import ImageSamplerType, ImageSurfaceType
from xegpu.isa import ELEMENT_TYPES
from xegpu.isa.model import DataType

BOOLEAN = DataType.W
"""i1 lives as a word per element: 0 or all ones, as `cmp` writes it."""


def element_type(type: Attribute) -> DataType | None:
    """Returns the register type of a scalar MLIR type or of a vector's elements; None when registers do not hold it.

    Integers are stored unsigned, and each operation reads them with its own signedness. Elements of type tf32 are
    f32 values to every instruction but dpas. Pointers are addresses in their memory; generic ones have 64 bits,
    as have images and samplers: the addresses of their states.
    """
    kind = type.__class__  # comparing classes takes a fraction of the time that asking for instances takes
    if kind is VectorType:
        assert isinstance(type, VectorType)
        if type.get_num_scalable_dims() or not type.element_count():
            return None
        type = type.get_element_type()
        kind = type.__class__
    if kind is LLVMPointerType:
        memory = memory_of(type)
        return DataType.UQ if memory is None else memory.address_type
    if kind is ImageSurfaceType or kind is ImageSamplerType:
        return DataType.UQ
    element = ELEMENT_TYPES.get(f"i{type.width.data}" if isinstance(type, IntegerType) else type.name)
    if element is None:
        return None
    return DataType.F if element.data_type is DataType.TF32 else element.data_type


def memory_type(element: Attribute) -> DataType | None:
    """Returns the type of an element of a buffer; None when memory does not hold it.

    An i1 is a byte, 0 or 1, and a pointer a number of 64 bits.
    """
    if isinstance(element, LLVMPointerType):
        return DataType.UQ
    type = element_type(element)
    return DataType.UB if type is BOOLEAN and element == IntegerType(1) else type


def element_count(type: Attribute) -> int:
    """Number of elements of a scalar (1) or of a vector."""
    return type.element_count() if type.__class__ is VectorType and isinstance(type, VectorType) else 1
