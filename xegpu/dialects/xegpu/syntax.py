"""Pieces of custom assembly that several ops share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Self, TypeVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, DenseArrayBase, IndexType, IntegerType, i64
from xdsl.dialects.utils import get_dynamic_index_list, parse_dynamic_index_list_without_types, print_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xegpu.translation import TranslatedOp

OpT = TypeVar("OpT", bound=Operation)


class IndexList(NamedTuple):
    """`[%i, 8]`: static entries, `DYNAMIC_INDEX` where a value of `dynamic` stands."""

    static: DenseArrayBase[I64]
    dynamic: list[SSAValue]


def parse_index_list(parser: Parser) -> IndexList:
    return _parse_entries(parser, parser.Delimiter.SQUARE, parser.pos)


def _parse_entries(parser: Parser, delimiter: Parser.Delimiter, position: int) -> IndexList:
    dynamic, static = parse_dynamic_index_list_without_types(parser, DYNAMIC_INDEX, delimiter=delimiter)
    if static.count(DYNAMIC_INDEX) != len(dynamic) or not all(-(1 << 63) <= value < 1 << 63 for value in static):
        parser.raise_error("index is out of the range of 64-bit integers", position, parser.pos)
    return IndexList(
        DenseArrayBase.from_list(i64, static), [parser.resolve_operand(value, IndexType()) for value in dynamic]
    )


def parse_optional_index_list(parser: Parser) -> IndexList | None:
    """Parses an index list if the text goes on with a bracket."""
    position = parser.pos
    if parser.parse_optional_punctuation("[") is None:
        return None
    if parser.parse_optional_punctuation("]") is not None:
        return IndexList(DenseArrayBase.from_list(i64, []), [])
    entries = _parse_entries(parser, parser.Delimiter.NONE, position)
    parser.parse_punctuation("]")
    return entries


class Offsets(NamedTuple):
    """The offsets of an access, as operands and properties; without a list in the text there are neither."""

    dynamic: list[SSAValue]
    properties: dict[str, Attribute]


def parse_optional_offsets(parser: Parser) -> Offsets:
    """Parses the offsets that may follow the operand that they belong to."""
    entries = parse_optional_index_list(parser)
    return Offsets([], {}) if entries is None else Offsets(entries.dynamic, {"const_offsets": entries.static})


def print_optional_offsets(printer: Printer, static: DenseArrayBase[I64] | None, dynamic: Sequence[SSAValue]) -> None:
    if static is not None:
        print_index_list(printer, static, dynamic)


def without_offsets(properties: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """Returns the properties that are printed in the dictionary: the offsets follow their operand."""
    return {name: value for name, value in properties.items() if name != "const_offsets"}


def mixed(static: DenseArrayBase[I64], dynamic: Sequence[SSAValue]) -> list[SSAValue | int]:
    """Returns the entries of a list, values where they are dynamic."""
    return get_dynamic_index_list(integers(static), dynamic, DYNAMIC_INDEX)


def check_mixed(what: str, static: DenseArrayBase[I64], dynamic: Sequence[SSAValue]) -> None:
    """Raises `VerifyException` unless there is a value for each dynamic entry of a list."""
    expected = integers(static).count(DYNAMIC_INDEX)
    if expected != len(dynamic):
        raise VerifyException(f"expected {expected} {what} values, got {len(dynamic)}")


def print_index_list(printer: Printer, static: DenseArrayBase[I64], dynamic: Sequence[SSAValue]) -> None:
    print_dynamic_index_list(printer, DYNAMIC_INDEX, dynamic, integers(static))


def integers(array: DenseArrayBase[IntegerType]) -> tuple[int, ...]:
    """The values of an integer array."""
    return tuple(int(value) for value in array.get_values())


class Dictionaries(NamedTuple):
    """The contents of `<{...}> {...}` after the operands of an op."""

    properties: dict[str, Attribute]
    attributes: dict[str, Attribute]


_WITHOUT_EFFECT = frozenset({"contiguity", "offset_align_byte"})
"""Keys that upstream's tools read where they mean nothing, and drop."""


def parse_dictionaries(parser: Parser, op: type[IRDLOperation]) -> Dictionaries:
    """Parses `<{...}> {...}` of `op`.

    Inherent attributes may stand in either. Other keys are discardable attributes in the second, errors in the first.
    """
    canonical = op.get_irdl_definition().properties.keys()
    inherent = canonical | op.TRANSLATIONS.keys() if issubclass(op, TranslatedOp) else canonical
    position = parser.pos
    properties = parser.parse_optional_properties_dict()
    for key in properties.keys() - inherent:
        if key in _WITHOUT_EFFECT:
            del properties[key]
            continue
        known = ", ".join(f"'{name}'" for name in sorted(canonical - {"const_offsets"})) or "nothing"
        parser.raise_error(f"unknown inherent attribute '{key}', expected {known}", position, parser.pos)
    position = parser.pos
    attributes = parser.parse_optional_attr_dict()
    for key in sorted(inherent & attributes.keys()):
        if key in properties:
            parser.raise_error(f"inherent attribute '{key}' is given twice", position, parser.pos)
        properties[key] = attributes.pop(key)
    return Dictionaries(properties, attributes)


def print_dictionaries(
    printer: Printer, properties: Mapping[str, Attribute], attributes: Mapping[str, Attribute]
) -> None:
    """Prints `properties` in `<{...}>`, by name, and `attributes` in `{...}`; an empty one not at all."""
    if properties:
        printer.print_string(" ")
        with printer.in_angle_brackets():
            printer.print_attr_dict(dict(sorted(properties.items())))
    printer.print_op_attributes(attributes)


class TdescOpAssembly(NamedTuple):
    """An op of the common form `%a, %b <{...}> {...} : type, type -> type`."""

    operands: Sequence[SSAValue]
    result_types: Sequence[Attribute]
    properties: dict[str, Attribute]
    attributes: dict[str, Attribute]

    def make(self, op: type[OpT]) -> OpT:
        return op.create(
            operands=self.operands,
            result_types=self.result_types,
            properties=self.properties,
            attributes=self.attributes,
        )


def parse_assembly(
    parser: Parser, op: type[IRDLOperation], parse_type: Callable[[], Attribute] | None = None
) -> TdescOpAssembly:
    """Parses the common form after the name of `op`; the text has a result type if `op` has a result.

    `parse_type` reads the type of an operand, where that may be written otherwise than types are.
    """
    position = parser.pos
    definition = op.get_irdl_definition()

    operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    if len(operands) != len(definition.operands):
        parser.raise_error(f"expected {len(definition.operands)} operands, got {len(operands)}", position, parser.pos)
    properties, attributes = parse_dictionaries(parser, op)
    parser.parse_punctuation(":")
    position = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parse_type or parser.parse_type)
    result_types = []
    if definition.results:
        parser.parse_punctuation("->")
        result_types.append(parser.parse_type())
    return TdescOpAssembly(parser.resolve_operands(operands, types, position), result_types, properties, attributes)


def print_assembly(
    printer: Printer,
    op: IRDLOperation,
    properties: Mapping[str, Attribute],
    attributes: Mapping[str, Attribute] | None = None,
) -> None:
    """Prints the common form with `properties` in `<{...}>`, and the attributes of `op` or those given in `{...}`."""
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    print_dictionaries(printer, properties, op.attributes if attributes is None else attributes)
    printer.print_string(" : ")
    printer.print_list(op.operand_types, printer.print_attribute)
    if op.results:
        printer.print_string(" -> ")
        printer.print_list(op.result_types, printer.print_attribute)


class CommonFormOp(IRDLOperation):
    """An op in the common form, with all its inherent attributes in `<{...}>`.

    xDSL's declarative formats have no directive for that dictionary (MLIR's `prop-dict`).
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return parse_assembly(parser, cls).make(cls)

    def print(self, printer: Printer) -> None:
        print_assembly(printer, self, self.properties)
