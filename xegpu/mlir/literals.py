"""Literals that xDSL reads differently from MLIR."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from typing_extensions import override
from xdsl.dialects.builtin import AnyFloat, ComplexType, IndexType, IntegerType, i64
from xdsl.parser import AttrParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind

MAX_DIGITS = 4300
"""Digits of a decimal integer: Python reads no longer ones, as it would take long."""

_FINITE_IN_ALL = 65504
"""A magnitude that every type of IEEE with at least 16 bits can hold."""


class Lexer(MLIRLexer):
    """A lexer that takes linear time for unterminated strings, and that refuses integers too long to be parsed."""

    # Possessive, as no part of a string begins with its terminator: xDSL's pattern tries every division of it.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    @override
    def _lex_bare_identifier(self, start_pos: Position) -> MLIRToken:
        self._refuse_other_alphabets(start_pos)
        return super()._lex_bare_identifier(start_pos)

    def _refuse_other_alphabets(self, position: Position) -> None:
        """Letters and digits that do not belong to ASCII count for xDSL, not for MLIR."""
        character = self.input.content[position]
        if not character.isascii():
            raise ParseError(Span(position, position + 1, self.input), f"unexpected character '{character}'")

    @override
    def _lex_number(self, start_pos: Position) -> MLIRToken:
        self._refuse_other_alphabets(start_pos)
        token = super()._lex_number(start_pos)
        if token.kind is MLIRTokenKind.INTEGER_LIT and len(token.span) > MAX_DIGITS:
            raise ParseError(token.span, f"an integer has at most {MAX_DIGITS} digits, got {len(token.span)}")
        return token


def float_value(parser: AttrParser, value: int | float, literal: Span, type: AnyFloat) -> float:
    """Returns a number of the text as a `type`: hexadecimal digits are its bits, and too large a number is infinite."""
    if isinstance(value, bool):
        parser.raise_error(f"expected a floating point literal, got {literal.text}", literal)
    if isinstance(value, int):
        return _float_of_bits(parser, value, literal, type)
    if abs(value) <= _FINITE_IN_ALL:
        return value
    try:
        type.pack((value,))
    except OverflowError:
        return math.copysign(math.inf, value)
    return value


def _float_of_bits(parser: AttrParser, bits: int, literal: Span, type: AnyFloat) -> float:
    if "x" not in literal.text.lower():
        parser.raise_error(f"unexpected decimal integer literal for a floating point value, write {bits}.0", literal)
    if bits < 0:
        parser.raise_error("the bits of a floating point value have no sign", literal)
    if bits >> type.bitwidth:
        parser.raise_error(f"{literal.text} has more than the {type.bitwidth} bits of {type}", literal)
    values: tuple[float, ...] = type.unpack(bits.to_bytes(type.compile_time_size, "little"), 1)
    return values[0]


@dataclass
class DenseElement(AttrParser._TensorLiteralElement):
    """An element of a dense constant: hexadecimal digits are the bits of a float, and integers have their range."""

    @override
    def to_type(
        self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType
    ) -> int | float | tuple[int, int] | tuple[float, float]:
        if isinstance(type, AnyFloat) and not isinstance(self.value, tuple):
            return float_value(parser, self.value, self.span, type)
        value: int | float | tuple[int, int] | tuple[float, float] = super().to_type(parser, type)
        if isinstance(type, IntegerType | IndexType) and isinstance(value, int):
            low, end = (type if isinstance(type, IntegerType) else i64).value_range()
            if not low <= value < end:
                parser.raise_error(f"{value} is out of range for {type}, expected {low} to {end - 1}", self.span)
        return value
