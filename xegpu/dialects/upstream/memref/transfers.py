"""Transfers by a DMA engine between memory spaces.

xDSL's ops of these names have no custom assembly, and keep segment sizes that mlir-opt does not know.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, traits_def, var_operand_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

_INDEX = IndexType()
Element = tuple[SSAValue, Sequence[SSAValue]]
"""A memref and the indices of an element in it."""


def _parse_element(parser: Parser) -> tuple[UnresolvedOperand, list[SSAValue]]:
    memref = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_operand(_INDEX))
    return memref, list(indices)


def _print_element(printer: Printer, element: Element) -> None:
    printer.print_ssa_value(element[0])
    with printer.in_square_brackets():
        printer.print_list(element[1], printer.print_ssa_value)


def _take_element(operands: Iterator[SSAValue], what: str) -> Element:
    """The next operand, and as many indices as it has dimensions."""
    memref = next(operands, None)
    if memref is None or not isa(memref.type, MemRefType):
        raise VerifyException(f"expected {what} to be of memref type, got {memref.type if memref else 'nothing'}")
    rank = memref.type.get_num_dims()
    indices = list(islice(operands, rank))
    if len(indices) != rank or any(index.type != _INDEX for index in indices):
        raise VerifyException(f"expected {rank} indices of type index for {what} {memref.type}")
    return memref, indices


def _parse_trailing(parser: Parser, count: int) -> tuple[dict[str, Attribute], Sequence[Attribute]]:
    """The attributes and `: type, type, ...`."""
    attributes = parser.parse_optional_attr_dict()
    position = parser.pos
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    if len(types) != count:
        parser.raise_error(f"expected {count} memref types, got {len(types)}", position, parser.pos)
    return attributes, types


class _DmaOp(IRDLOperation):
    """The ranks of the memrefs determine the roles of the operands; the ops have no segment sizes."""

    operands_ = var_operand_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class DmaStartOp(_DmaOp):
    """Starts a transfer, which a wait for its tag ends; stride and elements per stride are optional.

    `memref.dma_start %from[%i], %to[%j], %count, %tag[%k], %stride, %per_stride
    : memref<64xf32>, memref<64xf32, #gpu.address_space<workgroup>>, memref<1xi32>`
    """

    name = "memref.dma_start"

    def _parts(self) -> tuple[Element, Element, SSAValue | None, Element, list[SSAValue]]:
        """Source, target, number of elements, tag, strides."""
        rest = iter(self.operands)
        source, target = _take_element(rest, "source"), _take_element(rest, "destination")
        count = next(rest, None)
        return source, target, count, _take_element(rest, "tag"), list(rest)

    @classmethod
    def parse(cls, parser: Parser) -> DmaStartOp:
        source = _parse_element(parser)
        parser.parse_punctuation(",")
        target = _parse_element(parser)
        parser.parse_punctuation(",")
        operands = [parser.parse_operand(_INDEX)]
        parser.parse_punctuation(",")
        tag = _parse_element(parser)
        strides: list[SSAValue] = []
        while parser.parse_optional_punctuation(",") is not None:
            strides.append(parser.parse_operand(_INDEX))
        attributes, types = _parse_trailing(parser, 3)
        memrefs = [
            [parser.resolve_operand(memref, memref_type), *indices]
            for (memref, indices), memref_type in zip((source, target, tag), types, strict=True)
        ]
        return cls.create(
            operands=[*memrefs[0], *memrefs[1], *operands, *memrefs[2], *strides],
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        source, target, count, tag, strides = self._parts()
        assert count is not None
        printer.print_string(" ")
        _print_element(printer, source)
        printer.print_string(", ")
        _print_element(printer, target)
        printer.print_string(", ")
        printer.print_ssa_value(count)
        printer.print_string(", ")
        _print_element(printer, tag)
        for stride in strides:
            printer.print_string(", ")
            printer.print_ssa_value(stride)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list([source[0].type, target[0].type, tag[0].type], printer.print_attribute)

    def verify_(self) -> None:
        _, _, count, _, strides = self._parts()
        if count is None or count.type != _INDEX:
            raise VerifyException("expected num elements to be of index type")
        if len(strides) not in (0, 2) or any(stride.type != _INDEX for stride in strides):
            raise VerifyException(
                f"expected a stride and a number of elements per stride of type index, or neither, got {len(strides)}"
            )


@irdl_op_definition
class DmaWaitOp(_DmaOp):
    """`memref.dma_wait %tag[%k], %count : memref<1xi32>` ends when the transfer with that tag has."""

    name = "memref.dma_wait"

    def _parts(self) -> tuple[Element, list[SSAValue]]:
        rest = iter(self.operands)
        return _take_element(rest, "tag"), list(rest)

    @classmethod
    def parse(cls, parser: Parser) -> DmaWaitOp:
        tag, indices = _parse_element(parser)
        parser.parse_punctuation(",")
        count = parser.parse_operand(_INDEX)
        attributes, (tag_type,) = _parse_trailing(parser, 1)
        return cls.create(operands=[parser.resolve_operand(tag, tag_type), *indices, count], attributes=attributes)

    def print(self, printer: Printer) -> None:
        tag, (count,) = self._parts()
        printer.print_string(" ")
        _print_element(printer, tag)
        printer.print_string(", ")
        printer.print_ssa_value(count)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(tag[0].type)

    def verify_(self) -> None:
        _, counts = self._parts()
        if [count.type for count in counts] != [_INDEX]:
            raise VerifyException(f"expected one number of elements of type index, got {len(counts)} operands")
