"""A directive of the declarative assembly format that several dialects use.

MLIR's formats infer such types by the trait `AllTypesMatch`, which xDSL's do not know:
https://mlir.llvm.org/docs/DefiningDialects/Operations/#type-inference
"""

from __future__ import annotations

from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer


@irdl_custom_directive
class SameType(CustomDirective):
    """One type, which two values have; that they do is checked by the verifier, in words of the op."""

    first: TypeDirective
    second: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        types = (parser.parse_type(),)
        self.first.set(state, types)
        self.second.set(state, types)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.first.print(printer, state, op)
