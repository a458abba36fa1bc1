"""The events of PyYAML's parser for a text: from libyaml, or for short texts from PyYAML's parser in Python.

With either parser, marks of events count characters instead of bytes (libyaml advances `yaml_mark_t.index` once per
decoded character). They are therefore positions in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol, cast

import yaml

from zebin.errors import ZebinError, excerpt
from zebin.yaml.source import TextReport
from zebin.yaml.syntax_errors import explanation

SCALAR_LIMIT = 8 << 20
"""Characters from one event to the next. This limits scalars, of which libyaml holds several copies."""

PURE_PYTHON_LIMIT = 1 << 20
"""Characters that are read without libyaml. PyYAML's parser in Python takes about two seconds for them."""

SCALAR: type = yaml.ScalarEvent
ALIAS: type = yaml.AliasEvent
MAPPING_START: type = yaml.MappingStartEvent
MAPPING_END: type = yaml.MappingEndEvent
SEQUENCE_START: type = yaml.SequenceStartEvent
SEQUENCE_END: type = yaml.SequenceEndEvent
DOCUMENT_START: type = yaml.DocumentStartEvent
STREAM_END: type = yaml.StreamEndEvent

_UNREADABLE = re.compile(
    "[^\t\n -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff](?<!\r(?=\n))"
)
"""Characters that no YAML stream may hold (YAML 1.1, section 4.1.1), byte order marks, and what ends a line in YAML 1.1
(section 4.1.4) but not for drivers: a comment would end there for one of the two."""


class Mark(Protocol):
    """A position in the text; lines and columns count from 0."""

    index: int
    line: int
    column: int


class ParserEvent(Protocol):
    """An event of PyYAML. Only events of some classes have the attributes below `end_mark`."""

    start_mark: Mark
    end_mark: Mark
    anchor: str | None
    tag: str | None
    value: str
    style: str | None
    flow_style: bool


class EventStream:
    """Pulls events from the parser and turns its errors into findings."""

    def __init__(self, report: TextReport):
        self._report, self._text = report, report.source.text
        self._position, self._is_cut = 0, False
        self._last: ParserEvent | None = None
        unreadable = _UNREADABLE.search(self._text)
        if unreadable is not None:
            found = excerpt(unreadable[0])
            raise report.fatal("yaml.syntax", "control character or line break", unreadable.start(), found=found)
        directive = 0 if self._text.startswith("%") else self._text.find("\n%") + 1
        if self._text.startswith("%", directive):  # libyaml compares each directive with all before it
            raise report.fatal("yaml.syntax", "directive", directive)
        if yaml.__with_libyaml__:
            parser: Callable[[], object] = yaml.CSafeLoader(self).get_event
        elif len(self._text) <= PURE_PYTHON_LIMIT:
            parser = yaml.SafeLoader(_with_equal_markers(self._text)).get_event
        else:
            found, expected = f"{len(self._text)} characters", f"at most {PURE_PYTHON_LIMIT} without libyaml"
            message = "text is too long for PyYAML without libyaml"
            raise report.fatal("yaml.limit", message, 0, found=found, expected=expected)
        self._parse = cast("Callable[[], ParserEvent]", parser)

    @property
    def at(self) -> int:
        """The position behind the last event."""
        return self._last.end_mark.index if self._last is not None else 0

    def next(self) -> ParserEvent:
        """Returns the next event; raises `ZebinError` where the text is not YAML."""
        try:
            event = self._parse()
        except yaml.MarkedYAMLError as error:
            raise self._too_long() if self._is_cut else explanation(self._report, error) from None
        except (ValueError, OverflowError):  # PyYAML's parser in Python passes any number to `chr`
            raise self._report.fatal("yaml.syntax", "unknown escape", self.at) from None
        if self._is_cut:
            raise self._too_long()
        self._last = event
        return event

    def read(self, size: int = 0, /) -> str:
        """Returns the next piece of the text to libyaml, so that no encoded copy of the whole exists.

        The text ends early where the parser has gone far beyond its last event.
        """
        start = self._position
        self._is_cut = start - self.at > SCALAR_LIMIT
        if self._is_cut:
            return ""
        end = self._text.rfind("\n", start, start + size)
        self._position = end if end > start else start + size
        return _with_equal_markers(self._text[start : self._position])

    def _too_long(self) -> ZebinError:
        expected = f"at most {SCALAR_LIMIT} characters"
        return self._report.fatal("yaml.limit", "long scalar, comment or empty space", self.at, expected=expected)


def _with_equal_markers(text: str) -> str:
    """Returns the text with `---` for `...`. Drivers treat them alike, whereas YAML allows no content after the latter.

    Only lines that start with dots change; if the dots are no marker, the line is refused with dashes as well.
    """
    return text.replace("\n...", "\n---")
