"""Ops that make and move descriptors of one address a lane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, MemRefType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.printer import Printer
from xdsl.traits import HasCanonicalizationPatternsTrait, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.diagnostics import about
from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.folding import is_only_user, is_zero, replace, vector_sum
from xegpu.dialects.xegpu.generations.lane_lists import VECTOR_INSTEAD, parse_lane_list
from xegpu.dialects.xegpu.memory import memory_space_number
from xegpu.dialects.xegpu.ops.descriptor_ops import ADDRESS_TYPES
from xegpu.dialects.xegpu.syntax import parse_dictionaries, print_assembly, print_dictionaries
from xegpu.dialects.xegpu.translation import TranslatedOp, Translation, refuse
from xegpu.dialects.xegpu.types import TensorDescType, descriptor_type, is_scalar

_NO_LISTS: Mapping[str, Translation] = {"const_offsets": refuse(VECTOR_INSTEAD)}


class UpdateOffsetPatterns(HasCanonicalizationPatternsTrait):
    """The canonicalization patterns of `update_offset`."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (ScatteredZeroUpdate(), ScatteredUpdateOfUpdate(), ScatteredUpdateOfCreate())


@irdl_op_definition
class CreateDescOp(TranslatedOp):
    """Describes one address in `source` for each lane: `chunk_size` elements from the lane's offset on.

    `%td = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<16xf32,
    #xegpu.scatter_tdesc_attr<>>`

    Offsets count elements; they may repeat and overlap. Where the descriptor has an sg_map, a lane may give its own
    offset alone. The list of offsets of older texts, `%p[0, 8, %x]`, is read as the vector of its entries.
    """

    name = "xegpu.create_tdesc"
    source = operand_def()
    offsets = operand_def()
    tensor_desc = result_def(TensorDescType)

    TRANSLATIONS: ClassVar = _NO_LISTS

    traits = traits_def(Pure())

    def __init__(self, source: SSAValue | Operation, offsets: SSAValue | Operation, result_type: TensorDescType):
        super().__init__(operands=[source, offsets], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> CreateDescOp:
        source = parser.parse_unresolved_operand()
        is_vector = parser.parse_optional_punctuation(",") is not None
        offsets = parser.parse_unresolved_operand() if is_vector else parse_lane_list(parser)
        attributes = parse_dictionaries(parser, cls).attributes
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(source, parser.parse_type()), _resolve_offsets(parser, offsets)]
        parser.parse_punctuation("->")
        desc = parser.parse_type()
        if not is_vector:
            _drop_chunk_size(attributes, desc)
        return cls.create(operands=operands, result_types=[desc], attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_assembly(printer, self, self.properties)

    def verify_(self) -> None:
        with about(source=self.source, offsets=self.offsets):
            desc = self.tensor_desc.type
            offsets = rules.index_vector("operand #1", self.offsets.type)
            source = self.source.type if isa(self.source.type, MemRefType) else None
            if not (is_scalar(source.element_type) if source else self.source.type in ADDRESS_TYPES):
                raise VerifyException(
                    f"operand #0 must be a memref of scalars or one of ui64, ui32, i64, i32, but got {self.source.type}"
                )
            if source and source.get_num_dims() > 1:
                raise VerifyException(f"Expecting the source is a 1D memref or pointer (uint64_t). Got {source}")
            rules.scattered_descriptor(desc)
            source_space = memory_space_number(source.memory_space) if source else 0
            if source_space != desc.memory_space.number:
                raise VerifyException(
                    f"Memory space mismatch. Source: {source_space}, TensorDesc: {desc.memory_space.number}"
                )
            if source and source.element_type != desc.element_type:
                raise VerifyException(
                    "TensorDesc should have the same element type with the source if it is a memref. Source has "
                    f"{source.element_type}, TensorDesc has {desc.element_type}"
                )
            (lanes,) = offsets.get_shape()
            if not rules.is_for_each_lane((lanes,), desc):
                expected = [lanes] if desc.chunk_size == 1 else [lanes, desc.chunk_size]
                raise VerifyException(
                    f"Incorrect TensorDesc shape. Expected is {expected}, got {list(desc.get_shape())}"
                )


@irdl_op_definition
class UpdateOffsetOp(TranslatedOp):
    """Moves the address of each lane by its entry of `offsets`, in elements.

    `%next = xegpu.update_offset %td, %off : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xindex>`
    """

    name = "xegpu.update_offset"
    tensor_desc = operand_def(TensorDescType)
    offsets = operand_def()
    result = result_def(TensorDescType)

    TRANSLATIONS: ClassVar = _NO_LISTS

    traits = traits_def(Pure(), UpdateOffsetPatterns())

    def __init__(self, tensor_desc: SSAValue | Operation, offsets: SSAValue | Operation):
        super().__init__(operands=[tensor_desc, offsets], result_types=[SSAValue.get(tensor_desc).type])

    @classmethod
    def parse(cls, parser: Parser) -> UpdateOffsetOp:
        tensor_desc = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        offsets = parser.parse_optional_unresolved_operand() or parse_lane_list(parser)
        attributes = parse_dictionaries(parser, cls).attributes
        parser.parse_punctuation(":")
        desc_type = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(tensor_desc, desc_type), _resolve_offsets(parser, offsets)],
            result_types=[desc_type],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_dictionaries(printer, {}, self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)

    def verify_(self) -> None:
        with about(tensor_desc=self.tensor_desc, offsets=self.offsets):
            desc = descriptor_type(self.tensor_desc)
            offsets = rules.index_vector("operand #1", self.offsets.type)
            rules.scattered_descriptor(desc)
            if desc != self.result.type:  # text has room for one type
                raise VerifyException(f"expected a result of the operand's type {desc}, got {self.result.type}")
            if not rules.is_for_each_lane(offsets.get_shape(), desc):
                raise VerifyException(f"expected {desc.get_shape()[0]} offsets, one for each lane, got {offsets}")


def _resolve_offsets(parser: Parser, offsets: UnresolvedOperand | SSAValue) -> SSAValue:
    """The offsets as a value; the type of those that the text names follows."""
    if isinstance(offsets, SSAValue):
        return offsets
    parser.parse_punctuation(",")
    return parser.resolve_operand(offsets, parser.parse_type())


def _drop_chunk_size(attributes: dict[str, Attribute], desc: Attribute) -> None:
    """Texts with lists of offsets say the size of chunks on the op too."""
    chunk_size = attributes.pop("chunk_size", None)
    if chunk_size is None or not isinstance(desc, TensorDescType):
        return
    if chunk_size != (expected := IntegerAttr(desc.chunk_size, i64)):
        raise VerifyException(f"expected chunk_size = {expected}, as the type {desc} says, got {chunk_size}")


# Canonicalization


class ScatteredZeroUpdate(RewritePattern):
    """Addresses that do not move stay the same addresses."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateOffsetOp, rewriter: PatternRewriter) -> None:
        if is_zero(op.offsets):
            rewriter.replace(op, [], [op.tensor_desc])


class ScatteredUpdateOfUpdate(RewritePattern):
    """Two moves are one by the sum, where that costs no more."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateOffsetOp, rewriter: PatternRewriter) -> None:
        first = op.tensor_desc.owner
        if not isinstance(first, UpdateOffsetOp):
            return
        total = vector_sum(first.offsets, op.offsets, computed=is_only_user(op, first))
        if total is not None:
            rewriter.insert(total)
            replace(op, UpdateOffsetOp(first.tensor_desc, total), rewriter)


class ScatteredUpdateOfCreate(RewritePattern):
    """Addresses that are moved at once, and needed nowhere else, are created where they move to."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: UpdateOffsetOp, rewriter: PatternRewriter) -> None:
        create = op.tensor_desc.owner
        if not isinstance(create, CreateDescOp) or not is_only_user(op, create):
            return
        if (total := vector_sum(create.offsets, op.offsets)) is None:
            return
        rewriter.insert(total)
        moved = CreateDescOp(create.source, total, create.tensor_desc.type)
        moved.attributes.update(create.attributes)
        replace(op, moved, rewriter)
