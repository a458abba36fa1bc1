"""Pieces of custom assembly that several gpu ops share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

Argument = tuple[Parser.Argument, dict[str, Attribute]]
"""An argument of a function, and its attributes."""


def parse_arguments(parser: Parser) -> list[Argument]:
    """`(%a: f32 {attributes}, ...)`."""

    def argument() -> Argument:
        parsed = parser.parse_argument()
        attributes = parser.parse_optional_attr_dict()
        parsed.location = parser.parse_optional_location()
        return parsed, attributes

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)


def dictionaries(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[Mapping[str, Attribute]]:
    return [{}] * count if attributes is None else [entry.data for entry in attributes]


def print_arguments(
    printer: Printer,
    arguments: Sequence[BlockArgument],
    attributes: ArrayAttr[DictionaryAttr] | None,
    separator: str,
) -> None:
    attribute_lists = dictionaries(attributes, len(arguments))

    def print_argument(number: int) -> None:
        argument = arguments[number]
        printer.print_ssa_value(argument)
        printer.print_string(separator)
        printer.print_attribute(argument.type)
        printer.print_op_attributes(attribute_lists[number])
        if printer.print_debuginfo:
            printer.print_string(" ")
            printer.print_attribute(argument.location)

    with printer.in_parens():
        printer.print_list(range(len(arguments)), print_argument)


def parse_dependencies(parser: Parser) -> list[UnresolvedOperand]:
    return parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand) or []


def print_async(printer: Printer, is_async: bool, dependencies: Sequence[SSAValue]) -> None:
    """Prints ` async [%a, %b]`, or what of it there is."""
    if is_async:
        printer.print_string(" async")
    if dependencies:
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(dependencies, printer.print_ssa_value)
