"""Ops that move vectors between memory and registers, whole, masked, gathered or compressed.

xDSL lacks gathers, scatters and compressed accesses; its loads and stores have neither alignment nor effects.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerType, MemRefType, TensorType, VectorType, i1
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.alignment import Alignment, verify_alignment
from xegpu.dialects.upstream.vector.types import shaped_type, vector_type, with_element

_MASK = VectorType.constr(i1)
_MEMORY = base(MemRefType) | base(TensorType)
_FALSE = BoolAttr.from_bool(False)


def _verify_access(memory: SSAValue, indices: Sequence[SSAValue], vector: VectorType, name: str = "base") -> None:
    """One index for each dimension, and elements of one type."""
    shaped = shaped_type(memory)
    if shaped.element_type != vector.element_type:
        raise VerifyException(f"{name} and vector element types should match, got {shaped} and {vector}")
    if len(indices) != shaped.get_num_dims():
        raise VerifyException(f"requires {shaped.get_num_dims()} indices for {shaped}, got {len(indices)}")


def _verify_mask(mask: SSAValue, vector: VectorType) -> None:
    expected = with_element(vector, i1)
    if mask.type != expected:
        raise VerifyException(f"expected a mask of type {expected} for {vector}, got {mask.type}")


def _verify_row(memory: SSAValue, indices: Sequence[SSAValue], vector: VectorType) -> None:
    """An access to consecutive elements, whose memref may hold vectors instead."""
    memref = shaped_type(memory)
    if memref.element_type != vector:
        _verify_access(memory, indices, vector)
    elif len(indices) != memref.get_num_dims():
        raise VerifyException(f"requires {memref.get_num_dims()} indices for {memref}, got {len(indices)}")
    strides = memref.get_strides() if isinstance(memref, MemRefType) else None
    if strides and vector.element_count() > 1 and strides[-1] not in (None, 1):
        raise VerifyException(f"most minor memref dim must have unit stride, got {memref}")


@irdl_op_definition
class LoadOp(IRDLOperation):
    """A slice of a buffer, contiguous along the innermost dimension.

    `%r = vector.load %m[%i, %j] {alignment = 16 : i64} : memref<8x16xf32>, vector<16xf32>`
    """

    name = "vector.load"
    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=_FALSE)
    alignment = opt_prop_def(Alignment)
    result = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"

    def verify_(self) -> None:
        _verify_row(self.base, self.indices, self.result.type)
        verify_alignment(self.alignment)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes a slice of a buffer, contiguous along the innermost dimension.

    `vector.store %v, %m[%i, %j] {nontemporal = true} : memref<8x16xf32>, vector<16xf32>`
    """

    name = "vector.store"
    vector = operand_def(VectorType)
    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=_FALSE)
    alignment = opt_prop_def(Alignment)

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$vector `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($vector)"

    def verify_(self) -> None:
        _verify_row(self.base, self.indices, vector_type(self.vector))
        verify_alignment(self.alignment)


class _MaskedRead(IRDLOperation):
    """Reads where the mask is true; elsewhere the result is `pass_thru`."""

    T: ClassVar = VarConstraint("T", base(VectorType))

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(_MASK)
    pass_thru = operand_def(T)
    alignment = opt_prop_def(Alignment)
    result = result_def(T)

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format: ClassVar[str] = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict"
        " `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        _verify_access(self.base, self.indices, vector_type(self.result))
        _verify_mask(self.mask, vector_type(self.result))
        verify_alignment(self.alignment)


@irdl_op_definition
class MaskedLoadOp(_MaskedRead):
    """A slice of a buffer where the mask is true, and elements of `%v` elsewhere.

    `%r = vector.maskedload %m[%i], %k, %v : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>`
    """

    name = "vector.maskedload"


@irdl_op_definition
class ExpandLoadOp(_MaskedRead):
    """Puts consecutive elements of memory where the mask is true, and elements of `%v` elsewhere.

    `%r = vector.expandload %m[%i], %k, %v : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>`
    """

    name = "vector.expandload"


class _MaskedWrite(IRDLOperation):
    """Writes the elements that the mask selects."""

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(_MASK)
    value_to_store = operand_def(VectorType)
    alignment = opt_prop_def(Alignment)

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format: ClassVar[str] = (
        "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict"
        " `:` type($base) `,` type($mask) `,` type($value_to_store)"
    )

    def verify_(self) -> None:
        vector = vector_type(self.value_to_store)
        _verify_access(self.base, self.indices, vector)
        _verify_mask(self.mask, vector)
        verify_alignment(self.alignment)


@irdl_op_definition
class MaskedStoreOp(_MaskedWrite):
    """Writes a slice of a buffer where the mask is true.

    `vector.maskedstore %m[%i], %k, %v : memref<?xf32>, vector<16xi1>, vector<16xf32>`
    """

    name = "vector.maskedstore"


@irdl_op_definition
class CompressStoreOp(_MaskedWrite):
    """Writes the elements where the mask is true to consecutive addresses.

    `vector.compressstore %m[%i], %k, %v : memref<?xf32>, vector<16xi1>, vector<16xf32>`
    """

    name = "vector.compressstore"


def _verify_scattered(
    memory: SSAValue, offsets: Sequence[SSAValue], indices: SSAValue, mask: SSAValue, vector: VectorType
) -> None:
    """Each element of `vector` has its own index and mask bit."""
    _verify_access(memory, offsets, vector)
    _verify_mask(mask, vector)
    element = vector_type(indices).element_type
    if not isinstance(element, IndexType | IntegerType) or indices.type != with_element(vector, element):
        raise VerifyException(f"expected indices of integers or index in the shape of {vector}, got {indices.type}")


@irdl_op_definition
class GatherOp(IRDLOperation):
    """Reads an element at each index from `%base[%offsets]` on, in elements of the innermost dimension.

    `%r = vector.gather %base[%i, %j] [%indices], %mask, %pass_thru
    : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>`
    """

    name = "vector.gather"
    T: ClassVar = VarConstraint("T", base(VectorType))

    base = operand_def(_MEMORY)
    offsets = var_operand_def(IndexType)
    indices = operand_def(VectorType)
    mask = operand_def(_MASK)
    pass_thru = operand_def(T)
    alignment = opt_prop_def(Alignment)
    result = result_def(T)

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict"
        " `:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )

    def verify_(self) -> None:
        _verify_scattered(self.base, self.offsets, self.indices, self.mask, vector_type(self.result))
        verify_alignment(self.alignment)


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """Writes an element at each index from `%base[%offsets]` on, in elements of the innermost dimension.

    `vector.scatter %base[%i, %j] [%indices], %mask, %v
    : memref<8x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32>`
    """

    name = "vector.scatter"
    base = operand_def(MemRefType)
    offsets = var_operand_def(IndexType)
    indices = operand_def(VectorType)
    mask = operand_def(_MASK)
    value_to_store = operand_def(VectorType)
    alignment = opt_prop_def(Alignment)

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict"
        " `:` type($base) `,` type($indices) `,` type($mask) `,` type($value_to_store)"
    )

    def verify_(self) -> None:
        _verify_scattered(self.base, self.offsets, self.indices, self.mask, vector_type(self.value_to_store))
        verify_alignment(self.alignment)


@irdl_op_definition
class TypeCastOp(IRDLOperation):
    """`%r = vector.type_cast %m : memref<8x16xf32> to memref<vector<8x16xf32>>`: the buffer as one vector."""

    name = "vector.type_cast"
    memref = operand_def(MemRefType)
    result = result_def(MemRefType)

    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"

    @staticmethod
    def _result_type(source: MemRefType) -> MemRefType:
        return MemRefType(VectorType(source.element_type, source.get_shape()), [], memory_space=source.memory_space)

    def verify_(self) -> None:
        source = shaped_type(self.memref)
        assert isinstance(source, MemRefType)
        plain = MemRefType(source.element_type, source.get_shape())
        if not source.has_static_shape() or source.get_strides() != plain.get_strides():
            raise VerifyException(f"expects operand to be a memref with static shape and identity layout, got {source}")
        if self.result.type != (expected := self._result_type(source)):
            raise VerifyException(f"expects a result of type {expected}, got {self.result.type}")
