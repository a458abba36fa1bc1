"""Enumerations as attributes, in the second of MLIR's two syntaxes for them; xDSL's `EnumAttribute` has the first.

https://mlir.llvm.org/docs/DefiningDialects/AttributesAndTypes/#enum-attributes
"""

from __future__ import annotations

from typing import ClassVar, TypeVar, cast

from xdsl.ir import Data
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from xegpu import suggestion

EnumT = TypeVar("EnumT", bound=StrEnum)


class InAngleBrackets(Data[EnumT]):
    """An enumeration whose value stands in angle brackets: `#gpu.address_space<workgroup>`.

    It comes before `EnumAttribute` among the base classes, which cannot be the base class of a base class.
    """

    enum_type: ClassVar[type[StrEnum]]

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> EnumT:
        with parser.in_angle_brackets():
            position, word = parser.pos, parser.parse_optional_identifier_or_str_literal() or ""
            if word not in [member.value for member in cls.enum_type]:
                *first, last = cls.enum_type
                listed = ", ".join(f"`{member}`" for member in first)
                parser.raise_error(
                    f"Expected {listed}, or `{last}`{suggestion(word, cls.enum_type)}", position, parser.pos
                )
            return cast(EnumT, cls.enum_type(word))
