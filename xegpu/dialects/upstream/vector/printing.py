"""Printing at run time.

xDSL's op has neither custom assembly nor punctuation.

https://mlir.llvm.org/docs/Dialects/Vector/
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.upstream.enums import InAngleBrackets


class Punctuation(StrEnum):
    """The text that `vector.print` writes after the value."""

    NO_PUNCTUATION = "no_punctuation"
    NEWLINE = "newline"
    COMMA = "comma"
    OPEN = "open"
    CLOSE = "close"


@irdl_attr_definition
class PunctuationAttr(InAngleBrackets[Punctuation], EnumAttribute[Punctuation]):
    """`#vector.punctuation<comma>`: the punctuation that `vector.print` writes without a value."""

    name = "vector.punctuation"


NEWLINE = PunctuationAttr(Punctuation.NEWLINE)


@irdl_op_definition
class PrintOp(IRDLOperation):
    """Writes a value, a text or punctuation to the standard output, for debugging.

    `vector.print %v : vector<16xf32>`

    `vector.print str "text"`

    `vector.print punctuation <comma>`
    """

    name = "vector.print"
    source = opt_operand_def()
    punctuation = prop_def(PunctuationAttr, default_value=NEWLINE)
    string_literal = opt_prop_def(StringAttr, prop_name="stringLiteral")

    traits = traits_def(MemoryWriteEffect())

    def __init__(
        self,
        source: SSAValue | Operation | None = None,
        punctuation: Punctuation = Punctuation.NEWLINE,
        text: str | None = None,
    ):
        super().__init__(
            operands=[source],
            properties={
                "punctuation": PunctuationAttr(punctuation),
                "stringLiteral": None if text is None else StringAttr(text),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> PrintOp:
        source: SSAValue | None = None
        text: str | None = None
        if (unresolved := parser.parse_optional_unresolved_operand()) is not None:
            parser.parse_punctuation(":")
            source = parser.resolve_operand(unresolved, parser.parse_type())
        elif parser.parse_optional_keyword("str") is not None:
            text = parser.parse_str_literal()
        punctuation = Punctuation.NEWLINE
        if parser.parse_optional_keyword("punctuation") is not None:
            punctuation = PunctuationAttr.parse_parameter(parser)
        op = cls(source, punctuation, text)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        if self.source is not None:
            printer.print_string(" ")
            printer.print_ssa_value(self.source)
            printer.print_string(" : ")
            printer.print_attribute(self.source.type)
        if self.string_literal is not None:
            printer.print_string(" str ")
            printer.print_string_literal(self.string_literal.data)
        if self.punctuation != NEWLINE:
            printer.print_string(" punctuation ")
            self.punctuation.print_parameter(printer)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        if self.source is not None and self.string_literal is not None:
            raise VerifyException("expected a value or a string to print, got both")
