"""Types and attributes: MLIR's literals, within limits, and each spelling read once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    RankedStructure,
    f64,
    i64,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.parser import ParserState
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xegpu.diagnostics import SourceBuffer
from xegpu.mlir.affine import SemiAffineParser
from xegpu.mlir.literals import MAX_DIGITS, DenseElement, Lexer, float_value
from xegpu.mlir.locations import LocationParser
from xegpu.mlir.wording import reworded

T = TypeVar("T")

MAX_INTEGER_BITS = (1 << 24) - 1
"""Width of an integer type, as in MLIR."""

MAX_LITERAL = 1 << 24
"""Elements of a constant; xDSL writes out even one that repeats a single value."""

MAX_RANK = 1024
"""Dimensions of a shape; xDSL takes time that grows with the square of their number."""

# A name and its parameters in angle brackets, up to three deep. Arrows and strings end the match.
_BRACKETED = re.compile(r'[!#]?[A-Za-z_][\w.$]*+<[^<>"]*+(?:<[^<>"]*+(?:<[^<>"]*+>[^<>"]*+)*+>[^<>"]*+)*+>')
_TOO_MANY_DIMENSIONS = re.compile(rf"(?:\[?(?:\d++|\?)\]?x){{{MAX_RANK}}}\[?[\d?]")
_ALIASES = (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT)
_BRACKET = re.compile(r"[^\s<]+\s*<")


class AttributeParser(LocationParser):
    """Reads types and attributes, whose own rules are checked when they are made."""

    def __init__(self, context: Context, source: SourceBuffer):
        super().__init__(context, "", source.name)
        self._parser_state = ParserState(Lexer(Input(source.text, source.name)))
        self._source = source
        self._known_types: dict[str, TypeAttribute] = {}
        self._known_attributes: dict[str, Attribute] = {}

    @override
    def parse_affine_map(self) -> AffineMap:
        return SemiAffineParser(self._parser_state).parse_affine_map()

    @override
    def parse_affine_set(self) -> AffineSet:
        return SemiAffineParser(self._parser_state).parse_affine_set()

    @override
    def parse_optional_type(self) -> TypeAttribute | None:
        return self._remembered(self._known_types, super().parse_optional_type)

    @override
    def parse_optional_attribute(self) -> Attribute | None:
        return self._remembered(self._known_attributes, super().parse_optional_attribute)

    def _remembered(self, known: dict[str, T], parse: Callable[[], T | None]) -> T | None:
        """Returns the result of `parse`, or that of the same text before: programs repeat few types many times."""
        text, start = self._source.text, self.pos
        spelling = _BRACKETED.match(text, start)
        if spelling is None:
            return self._checked(parse)
        if (found := known.get(spelling[0])) is not None:
            self._resume_from(spelling.end())
            return found
        parsed = self._checked(parse)
        is_all_of_it = self.pos >= spelling.end() and not text[spelling.end() : self.pos].strip()
        if parsed is not None and is_all_of_it:
            known[spelling[0]] = parsed
        return parsed

    @override
    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        start = self.pos
        if len(self._current_token.span) > MAX_DIGITS:
            return None
        parsed = super()._parse_optional_integer_or_float_type()
        if isinstance(parsed, IntegerType) and parsed.bitwidth > MAX_INTEGER_BITS:
            self.raise_error(f"integer bitwidth is limited to {MAX_INTEGER_BITS} bits", start, self.pos)
        return parsed

    @override
    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        if _TOO_MANY_DIMENSIONS.match(self._source.text, self.pos):
            self.raise_error(f"a shape has at most {MAX_RANK} dimensions")
        return super().parse_shape_dimension(allow_dynamic)

    @override
    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        if (boolean := self.try_parse_builtin_boolean_attr()) is not None:
            return boolean
        start = self.pos
        if (value := self.parse_optional_number()) is None:
            return None
        literal = Span(start, self.pos, self.lexer.input)
        if self._current_token.kind is not MLIRTokenKind.COLON:
            return FloatAttr(value, f64) if isinstance(value, float) else IntegerAttr(value, i64)
        type = self._parse_attribute_type()
        if isinstance(type, AnyFloat):
            return FloatAttr(float_value(self, value, literal, type), type)
        if not isinstance(type, IntegerType | IndexType):
            self.raise_error(f"a number has an integer, index or float type, got {type}", literal)
        if isinstance(value, float):
            self.raise_error(f"floating point value not valid for type {type}", literal)
        return IntegerAttr(value, type)

    @override
    def _parse_tensor_literal_element(self) -> DenseElement:
        element = super()._parse_tensor_literal_element()
        return DenseElement(element.is_negative, element.value, element.span)

    @override
    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr:
        if type is not None:
            self._check_size(type)
        return super().parse_dense_int_or_fp_elements_attr(type)

    @override
    def _parse_dense_literal_type(self) -> RankedStructure[AnyDenseElement]:
        literal_type = super()._parse_dense_literal_type()
        self._check_size(literal_type)
        return literal_type

    def _check_size(self, literal_type: RankedStructure[AnyDenseElement]) -> None:
        if literal_type.element_count() > MAX_LITERAL:
            self.raise_error(f"a constant of {literal_type} has more than {MAX_LITERAL} elements")

    def _checked(self, parse: Callable[[], T]) -> T:
        self._refuse_undefined_alias()
        start = self.pos
        try:
            return parse()
        except VerifyException as error:
            self.raise_error(reworded(error), start)

    def _refuse_undefined_alias(self) -> None:
        """Refuses an alias without a definition at its name; xDSL points behind it."""
        token = self._current_token
        is_alias = token.kind in _ALIASES and "." not in token.text
        if is_alias and token.text not in self.attribute_aliases and not _BRACKET.match(self._source.text, self.pos):
            self.raise_error(f"undefined symbol alias '{token.text}'", token.span)
