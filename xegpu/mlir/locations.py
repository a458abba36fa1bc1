"""Locations in MLIR text: `loc("file":line:column)`, names, call sites, fused ones, and aliases of them."""

from __future__ import annotations

import re
from functools import cached_property

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FusedLoc, LocationAttr, NameLoc, NoneAttr, UnknownLoc
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.lexer import Position
from xdsl.utils.mlir_lexer import MLIRTokenKind

_ALIAS = re.compile(r"^(#[A-Za-z_$.-][\w$.-]*)\s*=\s*loc\b", re.MULTILINE | re.ASCII)


class LocationParser(Parser):
    """Reads the forms that xDSL's parser lacks: metadata of fused locations, and aliases defined after their uses.

    MLIR prints aliases of locations at the end of a module.
    """

    def __init__(self, context: Context, text: str, name: str):
        super().__init__(context, text, name)
        self._ahead: set[str] = set()

    @cached_property
    def _location_aliases(self) -> dict[str, Position]:
        """The positions of the alias definitions in the text."""
        positions: dict[str, Position] = {}
        for match in _ALIAS.finditer(self.lexer.input.content):
            positions.setdefault(match[1], match.start())
        return positions

    @override
    def _parse_alias_def(self) -> None:
        if (name := self._current_token.text) in self._ahead and self.pos == self._location_aliases[name]:
            # Its value is known already.
            del self.attribute_aliases[name]
        self._parse_new_alias()

    def _parse_new_alias(self) -> None:
        # xDSL declares no types for this method.
        super()._parse_alias_def()  # type: ignore[no-untyped-call]

    @override
    def _parse_location(self) -> LocationAttr:
        if self._current_token.kind is MLIRTokenKind.HASH_IDENT:
            self._define_alias(self._current_token.text)
        elif self._current_token.text == "fused":
            return self._parse_fused()
        location = super()._parse_location()
        if self._current_token.text == "to":
            self.raise_error("ranges of places are not supported, expected one line and column")
        if isinstance(location, NameLoc) and isinstance(location.location, UnknownLoc):
            return NameLoc(location.desc, NoneAttr())
        return location

    def _define_alias(self, name: str) -> None:
        """Reads the definition of an alias that stands further down."""
        if name in self.attribute_aliases or name in self._ahead or name not in self._location_aliases:
            return
        self._ahead.add(name)
        here = self.pos
        self._resume_from(self._location_aliases[name])
        self._parse_new_alias()
        self._resume_from(here)

    def _parse_fused(self) -> FusedLoc:
        self.parse_keyword("fused")
        metadata: Attribute = NoneAttr()
        if self.parse_optional_punctuation("<") is not None:
            metadata = self.parse_attribute()
            self.parse_punctuation(">")
        locations = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)
        return FusedLoc(ArrayAttr[Attribute](locations), metadata)
