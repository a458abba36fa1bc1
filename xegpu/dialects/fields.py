"""Attributes written as fields: `<key = value, ...>`, in any order on input, in declared order on output."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import I32, BoolAttr, DenseArrayBase, NoneAttr, i32
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

MIN_I32, MAX_I32 = -(1 << 31), (1 << 31) - 1


class FieldSyntax(NamedTuple):
    """The syntax of a field, and the value of an absent one; a field without a default is required."""

    parse: Callable[[AttrParser], Attribute]
    print: Callable[[Printer, Attribute], None]
    default: Attribute | None = None


class FieldsAttr(ParametrizedAttribute):
    """One parameter for each of `FIELDS`, in that order. Fields that have their default are not printed."""

    FIELDS: ClassVar[Mapping[str, FieldSyntax]]
    OBSOLETE: ClassVar[Mapping[str, str]] = {}
    """Fields of older versions, and their replacements."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        start = parser.pos
        found: dict[str, Attribute] = {}

        def field() -> None:
            position = parser.pos
            key = parser.parse_identifier()
            if key in cls.OBSOLETE:
                parser.raise_error(f"field '{key}' is obsolete: {cls.OBSOLETE[key]}", position, parser.pos)
            if key not in cls.FIELDS:
                known = ", ".join(f"'{name}'" for name in cls.FIELDS)
                parser.raise_error(f"unknown field '{key}', expected one of {known}", position, parser.pos)
            if key in found:
                parser.raise_error(f"field '{key}' is given twice", position, parser.pos)
            parser.parse_punctuation("=")
            found[key] = cls.FIELDS[key].parse(parser)

        parser.parse_comma_separated_list(parser.Delimiter.ANGLE, field)
        parameters = []
        for key, (_, _, default) in cls.FIELDS.items():
            value = found.get(key, default)
            if value is None:
                parser.raise_error(f"field '{key}' is missing", start, parser.pos)
            parameters.append(value)
        return parameters

    def print_parameters(self, printer: Printer) -> None:
        given = [
            (key, field, value)
            for (key, field), value in zip(self.FIELDS.items(), self.parameters, strict=True)
            if value != field.default
        ]

        def print_field(entry: tuple[str, FieldSyntax, Attribute]) -> None:
            key, field, value = entry
            printer.print_string(f"{key} = ")
            field.print(printer, value)

        with printer.in_angle_brackets():
            printer.print_list(given, print_field)


def _parse_integers(parser: AttrParser) -> Attribute:
    def number() -> int:
        position = parser.pos
        value = parser.parse_integer(allow_boolean=False)
        if not MIN_I32 <= value <= MAX_I32:
            parser.raise_error(f"expected a 32-bit integer, got {value}", position, parser.pos)
        return value

    return DenseArrayBase.from_list(i32, parser.parse_comma_separated_list(parser.Delimiter.SQUARE, number))


def _print_integers(printer: Printer, value: Attribute) -> None:
    assert isa(value, DenseArrayBase[I32])
    printer.print_string(str(list(value.get_values())))


def integers_field(default: Attribute | None = None) -> FieldSyntax:
    """`[1, 16]`."""
    return FieldSyntax(_parse_integers, _print_integers, default)


def _parse_any(parser: AttrParser) -> Attribute:
    return parser.parse_attribute()


def _parse_bool(parser: AttrParser) -> Attribute:
    return BoolAttr.from_bool(parser.parse_boolean())


def print_any(printer: Printer, value: Attribute) -> None:
    """The value as an attribute of its own."""
    printer.print_attribute(value)


ANY_FIELD = FieldSyntax(_parse_any, print_any, NoneAttr())
BOOL_FIELD = FieldSyntax(_parse_bool, print_any, NoneAttr())
