"""Ops that make and move descriptors of one address a lane."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.xegpu import rules
from xegpu.dialects.xegpu.descriptor_ops import ADDRESS_TYPES
from xegpu.dialects.xegpu.memory import memory_space_number
from xegpu.dialects.xegpu.syntax import parse_assembly, parse_dictionaries, print_assembly, print_dictionaries
from xegpu.dialects.xegpu.types import TensorDescType, descriptor_type, element_bits, is_scalar

LANE_COUNTS = (1, 2, 4, 8, 16, 32)
MAX_ACCESS_BYTES = 512


@irdl_op_definition
class CreateDescOp(IRDLOperation):
    """Describes one place of `source` for each lane: `chunk_size` elements from the lane's offset on.

    `%td = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<16xf32,
    #xegpu.scatter_tdesc_attr<>>`

    Offsets count elements; they may repeat and overlap. Where the descriptor has an sg_map, a lane may give its own
    offset alone.
    """

    name = "xegpu.create_tdesc"
    source = operand_def()
    offsets = operand_def()
    tensor_desc = result_def(TensorDescType)

    traits = traits_def(Pure())

    def __init__(self, source: SSAValue | Operation, offsets: SSAValue | Operation, result_type: TensorDescType):
        super().__init__(operands=[source, offsets], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> CreateDescOp:
        return parse_assembly(parser, cls).make(cls)

    def print(self, printer: Printer) -> None:
        print_assembly(printer, self, self.properties)

    def verify_(self) -> None:
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
        # That the chunk of a lane fills whole 32-bit words, the type has made sure.
        if (bits := element_bits(desc.element_type) * desc.element_count()) > 8 * MAX_ACCESS_BYTES:
            raise VerifyException(
                f"total access size (simd_lanes * chunk_size * sizeof(elemTy)) is upto {MAX_ACCESS_BYTES} bytes. Got "
                f"{bits // 8}"
            )
        (lanes,) = offsets.get_shape()
        if not rules.is_for_each_lane((lanes,), desc):
            expected = [lanes] if desc.chunk_size == 1 else [lanes, desc.chunk_size]
            raise VerifyException(f"Incorrect TensorDesc shape. Expected is {expected}, got {list(desc.get_shape())}")
        if desc.lane_map is None and lanes not in LANE_COUNTS:
            raise VerifyException(f"expected {', '.join(map(str, LANE_COUNTS))} lanes, got {lanes}")


@irdl_op_definition
class UpdateOffsetOp(IRDLOperation):
    """Moves the place of each lane by its entry of `offsets`, in elements.

    `%next = xegpu.update_offset %td, %off : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xindex>`
    """

    name = "xegpu.update_offset"
    tensor_desc = operand_def(TensorDescType)
    offsets = operand_def()
    result = result_def(TensorDescType)

    traits = traits_def(Pure())

    def __init__(self, tensor_desc: SSAValue | Operation, offsets: SSAValue | Operation):
        super().__init__(operands=[tensor_desc, offsets], result_types=[SSAValue.get(tensor_desc).type])

    @classmethod
    def parse(cls, parser: Parser) -> UpdateOffsetOp:
        tensor_desc = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        offsets = parser.parse_unresolved_operand()
        attributes = parse_dictionaries(parser, frozenset()).attributes
        parser.parse_punctuation(":")
        desc_type = parser.parse_type()
        parser.parse_punctuation(",")
        offsets_type = parser.parse_type()
        return cls.create(
            operands=[parser.resolve_operand(tensor_desc, desc_type), parser.resolve_operand(offsets, offsets_type)],
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
        desc = descriptor_type(self.tensor_desc)
        offsets = rules.index_vector("operand #1", self.offsets.type)
        rules.scattered_descriptor(desc)
        if desc != self.result.type:  # text has room for one type
            raise VerifyException(f"expected a result of the operand's type {desc}, got {self.result.type}")
        if not rules.is_for_each_lane(offsets.get_shape(), desc):
            raise VerifyException(f"expected {desc.get_shape()[0]} offsets, one for each lane, got {offsets}")
