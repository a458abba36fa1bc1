"""Ops that read, write and move elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I32, BoolAttr, IndexType, IntegerAttr, MemRefType, UnrankedMemRefType, i32
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
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.alignment import Alignment, alignment_attr, verify_alignment
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


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Brings an element, and what lies around it, to the caches: for reading or writing, with a locality from 0 to 3.

    `memref.prefetch %m[%i, %j], read, locality<3>, data : memref<4x8xf32>`
    """

    name = "memref.prefetch"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr[I32], prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        *,
        is_write: bool,
        locality_hint: int,
        is_data_cache: bool,
    ):
        super().__init__(
            operands=[memref, indices],
            properties={
                "isWrite": BoolAttr.from_bool(is_write),
                "localityHint": IntegerAttr(locality_hint, i32),
                "isDataCache": BoolAttr.from_bool(is_data_cache),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        memref = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType()))
        parser.parse_punctuation(",")
        is_write = parser.parse_keyword_in(("read", "write")) == "write"
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            locality_hint = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation(",")
        is_data_cache = parser.parse_keyword_in(("data", "instr")) == "data"
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(
            parser.resolve_operand(memref, parser.parse_type()),
            indices,
            is_write=is_write,
            locality_hint=locality_hint,
            is_data_cache=is_data_cache,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        access = "write" if self.is_write.value.data else "read"
        cache = "data" if self.is_data_cache.value.data else "instr"
        printer.print_string(f", {access}, locality<{self.locality_hint.value.data}>, {cache}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)

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
