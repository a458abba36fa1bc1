"""How an atomic operation combines the old value with the new one."""

from __future__ import annotations

from enum import IntEnum

from xdsl.dialects.builtin import I64, IntegerAttr, i64
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


class AtomicKind(IntEnum):
    """The kinds of `arith`, which generic form writes as 64-bit integers."""

    ADDF = 0
    ADDI = 1
    ASSIGN = 2
    MAXIMUMF = 3
    MAXS = 4
    MAXU = 5
    MINIMUMF = 6
    MINS = 7
    MINU = 8
    MULF = 9
    MULI = 10
    ORI = 11
    ANDI = 12
    MAXNUMF = 13
    MINNUMF = 14

    @property
    def keyword(self) -> str:
        return self.name.lower()

    @property
    def attribute(self) -> IntegerAttr[I64]:
        return IntegerAttr(self.value, i64)

    @property
    def is_float(self) -> bool:
        """Whether values have to be floating-point numbers."""
        return self.name.endswith("F")

    @property
    def is_integer(self) -> bool:
        """Whether values have to be integers."""
        return not self.is_float and self is not AtomicKind.ASSIGN


BY_KEYWORD = {kind.keyword: kind for kind in AtomicKind}


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
