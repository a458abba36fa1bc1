"""Literals that xDSL reads differently from MLIR."""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat, ComplexType, IndexType, IntegerType, i64
from xdsl.parser import AttrParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Position
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind

MAX_DIGITS = 4300
"""Digits of a decimal integer: Python reads no longer ones, as it would take long."""


class Lexer(MLIRLexer):
    """A lexer that takes linear time for strings that do not end, and that refuses integers that nobody can read."""

    # Possessive, as what a string holds never begins with what ends it: xDSL's pattern tries every division of it.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_number(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_number(start_pos)
        if token.kind is MLIRTokenKind.INTEGER_LIT and len(token.span) > MAX_DIGITS:
            raise ParseError(token.span, f"an integer has at most {MAX_DIGITS} digits, got {len(token.span)}")
        return token


@dataclass
class DenseElement(AttrParser._TensorLiteralElement):
    """An element of a dense constant: hexadecimal digits are the bits of a float, and integers have their range."""

    def to_type(
        self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType
    ) -> int | float | tuple[int, int] | tuple[float, float]:
        if isinstance(type, AnyFloat) and self.span.text.lower().startswith("0x"):
            return self._float_of_bits(parser, type)
        value: int | float | tuple[int, int] | tuple[float, float] = super().to_type(parser, type)
        if isinstance(type, IntegerType | IndexType) and isinstance(value, int):
            low, end = (type if isinstance(type, IntegerType) else i64).value_range()
            if not low <= value < end:
                parser.raise_error(f"{value} is out of range for {type}, expected {low} to {end - 1}", self.span)
        return value

    def _float_of_bits(self, parser: AttrParser, type: AnyFloat) -> float:
        bits = int(self.span.text, 16)
        if bits >> type.bitwidth:
            parser.raise_error(f"{self.span.text} has more than the {type.bitwidth} bits of {type}", self.span)
        values: tuple[float, ...] = type.unpack(bits.to_bytes(type.compile_time_size, "little"), 1)
        return values[0]
