"""Fields of tile attributes: pairs of integers, and attributes in attributes."""

from __future__ import annotations

from xdsl.dialects.builtin import I32, DenseArrayBase, NoneAttr, i32
from xdsl.ir import Attribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.fields import FieldsAttr, FieldSyntax


def pair(first: int, second: int) -> DenseArrayBase[I32]:
    """The value of a field of two integers."""
    return DenseArrayBase.from_list(i32, [first, second])


def verify_pair(name: str, value: DenseArrayBase[I32], smallest: int) -> None:
    """`value` has two entries, none below `smallest`."""
    entries = list(value.get_values())
    if len(entries) != 2:
        raise VerifyException(f"expect integer array of size 2 for {name}, got {entries}")
    if min(entries) < smallest:
        raise VerifyException(f"expected {name} entries of at least {smallest}, got {entries}")


def nested_field(attribute: type[FieldsAttr]) -> FieldSyntax:
    """An attribute of its own, with or without its name: `<...>` or `#xetile.sg_map<...>`."""

    def parse(parser: AttrParser) -> Attribute:
        position = parser.pos
        value = parser.parse_optional_attribute()
        if value is None:
            return attribute.new(attribute.parse_parameters(parser))
        if not isinstance(value, attribute):
            parser.raise_error(f"expected #{attribute.name}<...>, got {value}", position, parser.pos)
        return value

    def print_(printer: Printer, value: Attribute) -> None:
        assert isinstance(value, attribute)
        value.print_parameters(printer)

    return FieldSyntax(parse, print_, NoneAttr())
