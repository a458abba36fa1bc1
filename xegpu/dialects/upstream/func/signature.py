"""Arguments and results of functions, in MLIR's assembly.

xDSL's own helpers read less of it.

https://mlir.llvm.org/docs/Dialects/Func/
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import TypeVar

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
from xdsl.ir import Attribute, BlockArgument
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.builtin import verify_dialect_names

T = TypeVar("T")

Argument = tuple[Parser.Argument, dict[str, Attribute]]
"""An argument of a function, and its attributes."""

Typed = tuple[Attribute, dict[str, Attribute]]
"""The type of an argument or result without a name, and its attributes."""


MOST_ARGUMENTS = 1 << 13
"""The most arguments of a function: more than anybody writes, and few enough for others to be refused at once."""


def _limited(parser: Parser, parse: Callable[[], T]) -> Callable[[], T]:
    """Returns what parses one argument after the other, with an error for more than a function may have."""
    numbers = count(1)

    def limited() -> T:
        if next(numbers) > MOST_ARGUMENTS:
            parser.raise_error(f"a function has at most {MOST_ARGUMENTS} arguments")
        return parse()

    return limited


def parse_arguments(parser: Parser) -> list[Argument]:
    """`(%a: f32 {attributes} loc(...), ...)`."""

    def argument() -> Argument:
        parsed = parser.parse_argument()
        attributes = parser.parse_optional_attr_dict()
        parsed.location = parser.parse_optional_location()
        return parsed, attributes

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, _limited(parser, argument))


def parse_parameters(parser: Parser) -> tuple[list[Typed], list[Parser.Argument]]:
    """`(%a: f32 {attributes}, ...)`, or `(f32 {attributes}, ...)` as in declarations: types, and names if there are."""
    types, names, _ = _parameters(parser)
    return types, names


def parse_variadic_parameters(parser: Parser) -> tuple[list[Typed], list[Parser.Argument], bool]:
    """`(f32 {attributes}, ...)`, where the dots are written: types, names if there are, and whether more may follow."""
    return _parameters(parser, dots=True)


def _parameters(parser: Parser, *, dots: bool = False) -> tuple[list[Typed], list[Parser.Argument], bool]:
    types: list[Typed] = []
    names: list[Parser.Argument] = []
    variadic = False

    def parameter() -> None:
        nonlocal variadic
        position = parser.pos
        if variadic:
            parser.raise_error("expected no argument behind '...'", position)
        if dots and parser.parse_optional_characters("...") is not None:
            variadic = True
            return
        argument = parser.parse_optional_argument()
        if types and (argument is not None) != bool(names):
            parser.raise_error("expected all arguments to be named, or none", position, parser.pos)
        type_ = parser.parse_type() if argument is None else argument.type
        types.append((type_, parser.parse_optional_attr_dict()))
        location = parser.parse_optional_location()
        if argument is not None:
            argument.location = location
            names.append(argument)

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, _limited(parser, parameter))
    return types, names, variadic


def parse_results(parser: Parser) -> list[Typed]:
    """`-> f32`, `-> (f32 {attributes}, f32)`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []

    def result() -> Typed:
        return parser.parse_type(), parser.parse_optional_attr_dict()

    results = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, result)
    return [(parser.parse_type(), {})] if results is None else results


def attribute_lists(lists: Iterable[Mapping[str, Attribute]]) -> ArrayAttr[DictionaryAttr] | None:
    """Returns the attributes of all arguments or results, sorted by name as MLIR keeps them, or None without any."""
    entries = [dict(sorted(entry.items())) for entry in lists]
    return ArrayAttr(DictionaryAttr(entry) for entry in entries) if any(entries) else None


def dictionaries(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[Mapping[str, Attribute]]:
    return [{}] * count if attributes is None else [entry.data for entry in attributes]


def print_arguments(
    printer: Printer,
    arguments: Sequence[BlockArgument],
    attributes: ArrayAttr[DictionaryAttr] | None,
    separator: str,
) -> None:
    lists = dictionaries(attributes, len(arguments))

    def print_argument(number: int) -> None:
        argument = arguments[number]
        printer.print_ssa_value(argument)
        printer.print_string(separator)
        printer.print_attribute(argument.type)
        printer.print_op_attributes(lists[number])
        if printer.print_debuginfo:
            printer.print_string(" ")
            printer.print_attribute(argument.location)

    with printer.in_parens():
        printer.print_list(range(len(arguments)), print_argument)


def print_types(printer: Printer, types: Sequence[Attribute], attributes: ArrayAttr[DictionaryAttr] | None) -> None:
    """`(f32 {attributes}, f32)`."""
    lists = dictionaries(attributes, len(types))

    def print_type(number: int) -> None:
        printer.print_attribute(types[number])
        printer.print_op_attributes(lists[number])

    with printer.in_parens():
        printer.print_list(range(len(types)), print_type)


def print_results(printer: Printer, results: Sequence[Attribute], attributes: ArrayAttr[DictionaryAttr] | None) -> None:
    """` -> f32`, ` -> (f32 {attributes}, f32)`, or nothing where there are none."""
    if not results:
        return
    printer.print_string(" -> ")
    if len(results) == 1 and attributes is None and not isinstance(results[0], FunctionType):
        printer.print_attribute(results[0])
    else:
        print_types(printer, results, attributes)


def verify_attribute_lists(lists: ArrayAttr[DictionaryAttr] | None, count: int, what: str) -> None:
    """There is a list for each argument or result, of attributes that name their dialect."""
    if lists is None:
        return
    if len(lists) != count:
        raise VerifyException(
            f"expects {what} attribute array to have the same number of elements as the number of function {what}s, "
            f"got {len(lists)}, but expected {count}"
        )
    for entry in lists:
        verify_dialect_names(entry.data, lambda name: f"{what}s may only have dialect attributes, found: '{name}'")
