"""The assembly of an atomic operation's kind."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
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

from xegpu.dialects.xegpu.atomic_kind import BY_KEYWORD, AtomicKind


@irdl_custom_directive
class AtomicKindName(CustomDirective):
    """The keyword of a kind, which may be quoted on input."""

    kind: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        keyword = parser.parse_identifier_or_str_literal()
        if keyword not in BY_KEYWORD:
            parser.raise_error(
                f"unknown atomic kind '{keyword}', expected one of {', '.join(BY_KEYWORD)}", position, parser.pos
            )
        self.kind.set(state, BY_KEYWORD[keyword].attribute)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        kind = self.kind.get(op)
        assert isa(kind, IntegerAttr)
        state.print_whitespace(printer)
        printer.print_string(AtomicKind(kind.value.data).keyword)
