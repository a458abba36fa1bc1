"""Attributes whose text is read, kept and printed, but not interpreted.

xDSL keeps the text of attributes of unregistered dialects only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@dataclass(frozen=True, init=False)  # or attributes of one class would all be equal
class OpaqueTextAttr(ParametrizedAttribute):
    """`#dialect.name<anything with balanced brackets>`, or no more than `#dialect.name`.

    `body` is the text with its angle brackets.
    """

    body: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        if parser.lexer.input.at(parser.pos) != "<":
            return [StringAttr("")]
        # xDSL's own way to read the attributes of unregistered dialects.
        return [StringAttr(f"<{parser._parse_dialect_symbol_body()}>")]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(self.body.data)
