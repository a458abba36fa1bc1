"""Ops that read, write and move elements.

xDSL's `load` and `store` have no alignment, its `copy` no custom assembly; `prefetch` is missing.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, MemRefType, UnrankedMemRefType, i1, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl.declarative_assembly_format import AttributeVariable, irdl_custom_directive
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.alignment import Alignment, alignment_attr, verify_alignment
from xegpu.dialects.upstream.directives import NumberedWord, numbered
from xegpu.dialects.upstream.memref.types import AnyMemRef, agree, any_memref, ranked_memref, verify_subscripts

_FALSE = BoolAttr.from_bool(False)


@irdl_op_definition
class LoadOp(IRDLOperation):
    """An element of a buffer.

    `%r = memref.load %m[%i, %j] {alignment = 16 : i64, nontemporal = true} : memref<4x8xf32>`
    """

    name = "memref.load"
    T: ClassVar = VarConstraint("T", AnyAttr())

    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=_FALSE)
    alignment = opt_prop_def(Alignment)
    res = result_def(T)

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"

    def __init__(
        self,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        *,
        nontemporal: bool = False,
        alignment: int | None = None,
    ):
        super().__init__(
            operands=[memref, indices],
            result_types=[ranked_memref(SSAValue.get(memref)).element_type],
            properties={
                "nontemporal": BoolAttr.from_bool(True) if nontemporal else None,
                "alignment": alignment_attr(alignment),
            },
        )

    def verify_(self) -> None:
        verify_subscripts(ranked_memref(self.memref), self.indices)
        verify_alignment(self.alignment)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes an element of a buffer.

    `memref.store %x, %m[%i, %j] {alignment = 16 : i64, nontemporal = true} : memref<4x8xf32>`
    """

    name = "memref.store"
    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=_FALSE)
    alignment = opt_prop_def(Alignment)

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"

    def __init__(
        self,
        value: SSAValue | Operation,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        *,
        nontemporal: bool = False,
        alignment: int | None = None,
    ):
        super().__init__(
            operands=[value, memref, indices],
            properties={
                "nontemporal": BoolAttr.from_bool(True) if nontemporal else None,
                "alignment": alignment_attr(alignment),
            },
        )

    def verify_(self) -> None:
        verify_subscripts(ranked_memref(self.memref), self.indices)
        verify_alignment(self.alignment)


@irdl_custom_directive
class ReadOrWrite(NumberedWord):
    """`read` or `write`."""

    WORDS: ClassVar = numbered("read", "write")
    TYPE: ClassVar = i1
    number: AttributeVariable


@irdl_custom_directive
class DataOrInstruction(NumberedWord):
    """`instr` or `data`."""

    WORDS: ClassVar = numbered("instr", "data")
    TYPE: ClassVar = i1
    number: AttributeVariable


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Brings an element, and those around it, into the caches: for reading or writing, with a locality from 0 to 3.

    `memref.prefetch %m[%i, %j], read, locality<3>, data : memref<4x8xf32>`
    """

    name = "memref.prefetch"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr.constr(i32), prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    custom_directives = (ReadOrWrite, DataOrInstruction)
    assembly_format = (
        "$memref `[` $indices `]` `,` custom<ReadOrWrite>($isWrite)"
        " `,` `locality` `<` $localityHint `>` `,` custom<DataOrInstruction>($isDataCache)"
        " attr-dict `:` type($memref)"
    )

    def verify_(self) -> None:
        verify_subscripts(ranked_memref(self.memref), self.indices)
        if not 0 <= self.locality_hint.value.data <= 3:
            raise VerifyException(f"expects a locality from 0 to 3, got {self.locality_hint.value.data}")


@irdl_op_definition
class CopyOp(IRDLOperation):
    """`memref.copy %source, %target : memref<4x8xf32> to memref<4x8xf32>` copies all elements, whatever the layouts."""

    name = "memref.copy"
    source = operand_def(AnyMemRef)
    target = operand_def(AnyMemRef)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$source `,` $target attr-dict `:` type($source) `to` type($target)"

    def verify_(self) -> None:
        source, target = any_memref(self.source), any_memref(self.target)
        if source.element_type != target.element_type:
            raise VerifyException(f"requires the same element type for all operands, got {source} and {target}")
        if isinstance(source, UnrankedMemRefType) or isinstance(target, UnrankedMemRefType):
            return
        same_rank = source.get_num_dims() == target.get_num_dims()
        if not same_rank or not all(map(agree, source.get_shape(), target.get_shape())):
            raise VerifyException(f"requires the same shape for all operands, got {source} and {target}")
