"""Directives of the declarative assembly format that several dialects use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i64
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


class ImpliedType(CustomDirective, ABC):
    """The type of one value, from which that of another follows; that it does is checked by the verifier.

    MLIR's formats infer such types by traits, which xDSL's do not know:
    https://mlir.llvm.org/docs/DefiningDialects/Operations/#type-inference
    """

    written: TypeDirective
    implied: TypeDirective

    @staticmethod
    @abstractmethod
    def follow(written: Attribute) -> Attribute:
        """Returns the type that follows; raises `VerifyException` for a type that is none of the written value."""

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        written = parser.parse_type()
        try:
            implied = self.follow(written)
        except VerifyException as error:
            parser.raise_error(str(error), position, parser.pos)
        self.written.set(state, (written,))
        self.implied.set(state, (implied,))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.written.print(printer, state, op)


@irdl_custom_directive
class SameType(ImpliedType):
    """One type, which two values have."""

    written: TypeDirective
    implied: TypeDirective

    @staticmethod
    def follow(written: Attribute) -> Attribute:
        return written


class NumberedWord(CustomDirective, ABC):
    """A word for a number."""

    WORDS: ClassVar[Mapping[str, int]]
    TYPE: ClassVar[IntegerType] = i64

    number: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.number.set(state, IntegerAttr(self.WORDS[parser.parse_keyword_in(tuple(self.WORDS))], self.TYPE))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        given = self.number.get(op)
        for word, number in self.WORDS.items():
            if given == IntegerAttr(number, self.TYPE):
                state.print_whitespace(printer)
                printer.print_string(word)


def numbered(*words: str) -> Mapping[str, int]:
    """Returns the numbers of words that are counted from zero."""
    return {word: number for number, word in enumerate(words)}
