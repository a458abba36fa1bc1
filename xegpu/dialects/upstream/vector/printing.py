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
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
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


@irdl_custom_directive
class Text(CustomDirective):
    """`str "text"`, or nothing."""

    text: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("str") is not None:
            self.text.set(state, StringAttr(parser.parse_str_literal()))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        if (text := self.text.get(op)) is not None:
            state.print_whitespace(printer)
            printer.print_string("str ")
            printer.print_attribute(text)


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
    custom_directives = (Text,)
    assembly_format = (
        "($source^ `:` type($source))? custom<Text>($stringLiteral) (`punctuation` $punctuation^)? attr-dict"
    )

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

    def verify_(self) -> None:
        if self.source is not None and self.string_literal is not None:
            raise VerifyException("expected a value or a string to print, got both")
