"""Pieces of custom assembly that several ops share."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, DenseArrayBase, i64
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from xegpu.dialects.xegpu.attributes import MAX_I64

KINDS = {kind.value: kind for kind in CombiningKindFlag}


@irdl_custom_directive
class Dimensions(CustomDirective):
    """`[1, 0]`."""

    dims: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        def number() -> int:
            position = parser.pos
            value = parser.parse_integer(allow_boolean=False)
            if not -MAX_I64 - 1 <= value <= MAX_I64:
                parser.raise_error(f"expected a 64-bit integer, got {value}", position, parser.pos)
            return value

        numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, number)
        self.dims.set(state, DenseArrayBase.from_list(i64, numbers))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        dims = self.dims.get(op)
        assert isa(dims, DenseArrayBase[I64])
        state.print_whitespace(printer)
        with printer.in_square_brackets():
            printer.print_list(dims.get_values(), printer.print_int)


@irdl_custom_directive
class CombiningKind(CustomDirective):
    """`<add>`."""

    kind: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        with parser.in_angle_brackets():
            position = parser.pos
            keyword = parser.parse_identifier()
            if keyword not in KINDS:
                parser.raise_error(
                    f"unknown reduction kind '{keyword}', expected one of {', '.join(KINDS)}", position, parser.pos
                )
        self.kind.set(state, CombiningKindAttr(KINDS[keyword]))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        kind = self.kind.get(op)
        assert isinstance(kind, CombiningKindAttr)
        state.print_whitespace(printer)
        kind.print_parameter(printer)
