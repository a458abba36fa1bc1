"""The memref dialect, with MLIR's custom assembly for the ops that xDSL knows in generic form only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import memref as base
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.irdl import base as base_constraint
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.extension import extend

ATOMIC_KINDS = (
    "addf",
    "addi",
    "assign",
    "maximumf",
    "maxs",
    "maxu",
    "minimumf",
    "mins",
    "minu",
    "mulf",
    "muli",
    "ori",
    "andi",
    "maxnumf",
    "minnumf",
)
"""Kinds of read-modify-write in the order of their numbers."""

AnyMemRef = base_constraint(MemRefType) | base_constraint(UnrankedMemRefType)


def _any_memref(value: SSAValue) -> MemRefType | UnrankedMemRefType:
    return cast(MemRefType | UnrankedMemRefType, value.type)


def _agree(a: int | None, b: int | None) -> bool:
    """Whether two extents can be the same; None and `DYNAMIC_INDEX` are not known."""
    return a == b or a in (None, DYNAMIC_INDEX) or b in (None, DYNAMIC_INDEX)


def are_cast_compatible(source: MemRefType | UnrankedMemRefType, result: MemRefType | UnrankedMemRefType) -> bool:
    """Whether some memref at run time can have both types."""
    if source.element_type != result.element_type or source.memory_space != result.memory_space:
        return False
    if isinstance(source, UnrankedMemRefType) or isinstance(result, UnrankedMemRefType):
        return not (isinstance(source, UnrankedMemRefType) and isinstance(result, UnrankedMemRefType))
    if source.get_num_dims() != result.get_num_dims() or not all(map(_agree, source.get_shape(), result.get_shape())):
        return False
    ours, theirs = source.get_strides(), result.get_strides()
    if ours is None or theirs is None:
        return source.layout == result.layout
    return _agree(source.get_offset(), result.get_offset()) and all(map(_agree, ours, theirs))


@irdl_op_definition
class CastOp(IRDLOperation):
    """`memref.cast %m : memref<4x8xf32> to memref<?x?xf32>`."""

    name = "memref.cast"
    source = operand_def(AnyMemRef)
    dest = result_def(AnyMemRef)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def __init__(self, source: SSAValue | Operation, result_type: MemRefType | UnrankedMemRefType):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        if not are_cast_compatible(_any_memref(self.source), _any_memref(self.dest)):
            raise VerifyException(
                f"operand type '{self.source.type}' and result type '{self.dest.type}' are cast incompatible"
            )


@irdl_op_definition
class MemorySpaceCastOp(IRDLOperation):
    """`memref.memory_space_cast %m : memref<64xf32, 3> to memref<64xf32>`."""

    name = "memref.memory_space_cast"
    source = operand_def(AnyMemRef)
    dest = result_def(AnyMemRef)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($dest)"

    def __init__(self, source: SSAValue | Operation, result_type: MemRefType | UnrankedMemRefType):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        source, dest = _any_memref(self.source), _any_memref(self.dest)
        if _without_space(source) != _without_space(dest):
            raise VerifyException(f"operand type '{source}' and result type '{dest}' differ in more than memory space")


def _without_space(memref: MemRefType | UnrankedMemRefType) -> Attribute:
    if isinstance(memref, UnrankedMemRefType):
        return UnrankedMemRefType.from_type(memref.element_type)
    return MemRefType(memref.element_type, memref.get_shape(), memref.layout)


@irdl_op_definition
class ExtractAlignedPointerAsIndexOp(IRDLOperation):
    """`memref.extract_aligned_pointer_as_index %m : memref<4x8xf32> -> index`."""

    name = "memref.extract_aligned_pointer_as_index"
    source = operand_def(AnyMemRef)
    aligned_pointer = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "$source `:` type($source) `->` type(results) attr-dict"

    def __init__(self, source: SSAValue | Operation):
        super().__init__(operands=[source], result_types=[IndexType()])


@irdl_op_definition
class CopyOp(IRDLOperation):
    """`memref.copy %source, %target : memref<4x8xf32> to memref<4x8xf32>`."""

    name = "memref.copy"
    source = operand_def(AnyMemRef)
    target = operand_def(AnyMemRef)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$source `,` $target attr-dict `:` type($source) `to` type($target)"

    def __init__(self, source: SSAValue | Operation, target: SSAValue | Operation):
        super().__init__(operands=[source, target])

    def verify_(self) -> None:
        source, target = _any_memref(self.source), _any_memref(self.target)
        if source.element_type != target.element_type:
            raise VerifyException(f"requires the same element type for all operands, got {source} and {target}")
        if isinstance(source, UnrankedMemRefType) or isinstance(target, UnrankedMemRefType):
            return
        if source.get_num_dims() != target.get_num_dims() or not all(
            map(_agree, source.get_shape(), target.get_shape())
        ):
            raise VerifyException(f"requires the same shape for all operands, got {source} and {target}")


@irdl_op_definition
class RankOp(IRDLOperation):
    """`memref.rank %m : memref<*xf32>`."""

    name = "memref.rank"
    source = operand_def(AnyMemRef)
    rank = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source)"

    def __init__(self, source: SSAValue | Operation):
        super().__init__(operands=[source], result_types=[IndexType()])


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """`memref.atomic_rmw addf %x, %m[%i] : (f32, memref<8xf32>) -> f32` gives the old value."""

    name = "memref.atomic_rmw"
    value = operand_def()
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    kind = prop_def(IntegerAttr[I64])
    result = result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(
        self,
        kind: str,
        value: SSAValue | Operation,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
    ):
        super().__init__(
            operands=[value, memref, indices],
            result_types=[SSAValue.get(value).type],
            properties={"kind": IntegerAttr(ATOMIC_KINDS.index(kind), i64)},
        )

    @property
    def kind_name(self) -> str:
        """The kind as text writes it."""
        return ATOMIC_KINDS[self.kind.value.data]

    @classmethod
    def parse(cls, parser: Parser) -> AtomicRMWOp:
        kind = parser.parse_keyword_in(ATOMIC_KINDS)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        memref = parser.parse_unresolved_operand()
        indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType()))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        with parser.in_parens():
            value_type = parser.parse_type()
            parser.parse_punctuation(",")
            memref_type = parser.parse_type()
        parser.parse_punctuation("->")
        return cls.create(
            operands=[
                parser.resolve_operand(value, value_type),
                parser.resolve_operand(memref, memref_type),
                *indices,
            ],
            result_types=[parser.parse_type()],
            properties={"kind": IntegerAttr(ATOMIC_KINDS.index(kind), i64)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind_name} ")
        printer.print_ssa_value(self.value)
        printer.print_string(", ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_function_type((self.value.type, self.memref.type), (self.result.type,))

    def verify_(self) -> None:
        memref = _any_memref(self.memref)
        assert isinstance(memref, MemRefType)
        if not 0 <= self.kind.value.data < len(ATOMIC_KINDS):
            raise VerifyException(f"expected a kind from 0 to {len(ATOMIC_KINDS) - 1}, got {self.kind.value.data}")
        if len(self.indices) != memref.get_num_dims():
            raise VerifyException(f"expects {memref.get_num_dims()} subscripts for {memref}, got {len(self.indices)}")
        if not self.value.type == self.result.type == memref.element_type:
            raise VerifyException(
                f"expects value and result of type {memref.element_type}, got {self.value.type} and {self.result.type}"
            )
        is_float = isa(memref.element_type, AnyFloat)
        if self.kind_name != "assign" and is_float != self.kind_name.endswith("f"):
            wanted = "an integer" if is_float else "a floating-point type"
            raise VerifyException(f"with kind '{self.kind_name}' expects {wanted}, got {memref.element_type}")


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """`memref.global "private" constant @g : memref<4xf32> = dense<1.0>`, `= uninitialized`, or declared only."""

    name = "memref.global"
    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(MemRefType)
    sym_visibility = opt_prop_def(StringAttr)
    initial_value = opt_prop_def(base_constraint(UnitAttr) | base_constraint(DenseIntOrFPElementsAttr))
    constant = opt_prop_def(UnitAttr)
    alignment = opt_prop_def(IntegerAttr[I64])

    traits = traits_def(SymbolOpInterface())

    def __init__(
        self,
        name: str,
        type: MemRefType,
        initial_value: UnitAttr | DenseIntOrFPElementsAttr | None = None,
        *,
        visibility: str | None = None,
        constant: bool = False,
        alignment: IntegerAttr[I64] | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "type": type,
                "initial_value": initial_value,
                "sym_visibility": None if visibility is None else StringAttr(visibility),
                "constant": UnitAttr() if constant else None,
                "alignment": alignment,
            }
        )

    @classmethod
    def parse(cls, parser: Parser) -> GlobalOp:
        properties: dict[str, Attribute] = {}
        if (visibility := parser.parse_optional_str_literal()) is not None:
            properties["sym_visibility"] = StringAttr(visibility)
        if parser.parse_optional_keyword("constant") is not None:
            properties["constant"] = UnitAttr()
        properties["sym_name"] = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        position = parser.pos
        memref = parser.parse_type()
        if not isa(memref, MemRefType):
            parser.raise_error(f"expected a memref type, got {memref}", position, parser.pos)
        properties["type"] = memref
        if parser.parse_optional_punctuation("=") is not None:
            if parser.parse_optional_keyword("uninitialized") is not None:
                properties["initial_value"] = UnitAttr()
            else:
                parser.parse_keyword("dense")
                tensor = TensorType(cast(IntegerType, memref.element_type), memref.get_shape())
                properties["initial_value"] = parser.parse_dense_int_or_fp_elements_attr(tensor)
        attributes = parser.parse_optional_attr_dict()
        if "alignment" in attributes:
            properties["alignment"] = attributes.pop("alignment")
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        if self.sym_visibility is not None:
            printer.print_string(" ")
            printer.print_string_literal(self.sym_visibility.data)
        if self.constant is not None:
            printer.print_string(" constant")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        if isinstance(self.initial_value, UnitAttr):
            printer.print_string(" = uninitialized")
        elif self.initial_value is not None:
            printer.print_string(" = ")
            self.initial_value.print_without_type(printer)
        alignment = {} if self.alignment is None else {"alignment": self.alignment}
        printer.print_op_attributes({**alignment, **self.attributes})

    def verify_(self) -> None:
        if not self.type.has_static_shape():
            raise VerifyException(f"type should be static shaped memref, but got {self.type}")
        if isa(self.initial_value, DenseIntOrFPElementsAttr):
            value = self.initial_value
            if (value.get_shape(), value.get_element_type()) != (self.type.get_shape(), self.type.element_type):
                raise VerifyException(f"initial value of type {value.get_type()} does not fit {self.type}")
        if self.alignment is not None:
            alignment = self.alignment.value.data
            if alignment < 1 or alignment & (alignment - 1):
                raise VerifyException(f"alignment attribute value {alignment} is not a power of 2")


MemRef = extend(
    base.MemRef,
    [AtomicRMWOp, CastOp, CopyOp, ExtractAlignedPointerAsIndexOp, GlobalOp, MemorySpaceCastOp, RankOp],
)

__all__ = [
    "ATOMIC_KINDS",
    "AtomicRMWOp",
    "CastOp",
    "CopyOp",
    "ExtractAlignedPointerAsIndexOp",
    "GlobalOp",
    "MemRef",
    "MemorySpaceCastOp",
    "RankOp",
    "are_cast_compatible",
]
