"""Pieces of custom assembly that several gpu ops share.

xDSL's gpu ops have no custom assembly.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer


def parse_dependencies(parser: Parser) -> list[UnresolvedOperand]:
    return parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand) or []


def print_async(printer: Printer, is_async: bool, dependencies: Sequence[SSAValue]) -> None:
    """Prints ` async [%a, %b]`, or the part of it that exists."""
    if is_async:
        printer.print_string(" async")
    if dependencies:
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(dependencies, printer.print_ssa_value)
