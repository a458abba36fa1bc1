"""The language server: answers an editor's questions about its open texts."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import BinaryIO, TextIO, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from tools.lsp.catalogue import Catalogue
from tools.lsp.command import LspOptions
from tools.lsp.completion import proposals
from tools.lsp.navigation import Name, NameIndex
from tools.lsp.places import Places
from tools.lsp.process import MAX_TEXT, CheckingProcess
from xegpu import __version__
from xegpu.diagnostics import Diagnostic, Severity, SourceBuffer, SourceLocation

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.REMARK: types.DiagnosticSeverity.Information,
    Severity.NOTE: types.DiagnosticSeverity.Hint,
}

_WORD = re.compile(r"[%@^#!]?[\w$.:]+", re.ASCII)
"""The characters that a diagnostic underlines."""

_DOCUMENTED = re.compile(r"(?P<mark>[#!]?)(?P<name>[A-Za-z_][\w.]*)", re.ASCII)


def serve(options: LspOptions) -> None:
    """Serves the client on the standard streams until it ends."""
    checker = CheckingProcess(options.timeout, allow_unregistered=options.allow_unregistered_dialect)
    server = LanguageServer("xegpu-lsp", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    features = _Features(server, checker)
    # pygls marks what it registers, which partial objects permit and methods do not.
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(partial(features.opened))
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(partial(features.changed))
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(partial(features.closed))
    server.feature(types.TEXT_DOCUMENT_HOVER)(partial(features.hover))
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(partial(features.definition))
    server.feature(types.TEXT_DOCUMENT_REFERENCES)(partial(features.references))
    trigger = types.CompletionOptions(trigger_characters=[".", "#", "!", "<"])
    server.feature(types.TEXT_DOCUMENT_COMPLETION, trigger)(partial(features.completion))
    server.feature(types.SHUTDOWN)(partial(features.shut_down))
    # pygls closes its streams at the end; those of the process stay open.
    try:
        server.start_io(_copy(sys.stdin, "rb"), _copy(sys.stdout, "wb"))
    finally:
        checker.close()


def _copy(stream: TextIO, mode: str) -> BinaryIO:
    return cast(BinaryIO, os.fdopen(os.dup(stream.fileno()), mode))


class _Features:
    """The answers to requests and notifications."""

    def __init__(self, server: LanguageServer, checker: CheckingProcess) -> None:
        self._server = server
        self._checker = checker
        self._catalogue = Catalogue()
        self._one_check = asyncio.Lock()
        self._numbers = count()
        self._newest: dict[str, int] = {}
        self._index: tuple[str, NameIndex] | None = None

    async def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Checks a text that has been opened."""
        await self._check(params.text_document.uri)

    async def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Checks a text that has been edited."""
        await self._check(params.text_document.uri)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Takes the diagnostics back."""
        uri = params.text_document.uri
        self._newest.pop(uri, None)
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def shut_down(self, _: None) -> None:
        """Ends the checks that are under way."""
        self._newest.clear()
        self._checker.close()

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Returns the documentation of the operation, type or attribute at the cursor."""
        line, column, places, start = self._line(params.text_document.uri, params.position)
        for match in _DOCUMENTED.finditer(line):
            if match.start() <= column <= match.end() and "." in match["name"]:
                page = (
                    self._catalogue.attribute_page(match["name"], match["mark"])
                    if match["mark"]
                    else self._catalogue.operation_page(match["name"])
                )
                if page is not None:
                    content = types.MarkupContent(types.MarkupKind.Markdown, page)
                    return types.Hover(content, places.range(start + match.start(), start + match.end()))
        return None

    async def definition(self, params: types.DefinitionParams) -> types.Location | None:
        """Returns the definition of the name at the cursor."""
        places, offset, index = await self._names(params.text_document.uri, params.position)
        found = None if index is None else index.definition(offset)
        return None if found is None else _location(params.text_document.uri, places, found)

    async def references(self, params: types.ReferenceParams) -> Sequence[types.Location]:
        """Returns the references to the definition of the name at the cursor."""
        places, offset, index = await self._names(params.text_document.uri, params.position)
        if index is None:
            return []
        definition = index.definition(offset)
        return [
            _location(params.text_document.uri, places, name)
            for name in index.references(offset)
            if params.context.include_declaration or name != definition
        ]

    def completion(self, params: types.CompletionParams) -> Sequence[types.CompletionItem]:
        """Returns the completions at the cursor."""
        line, column, _, _ = self._line(params.text_document.uri, params.position)
        return [types.CompletionItem(text, kind=kind) for text, kind in proposals(line[:column], self._catalogue)]

    async def _check(self, uri: str) -> None:
        """Publishes the diagnostics of a text, unless a later edit comes before them."""
        number = self._newest[uri] = next(self._numbers)
        async with self._one_check:
            if self._newest.get(uri) != number:
                return
            document = self._document(uri)
            text, version, name = document.source, document.version, document.filename or uri
            places = Places(text, document.position_codec)
            found = await asyncio.to_thread(self._checker.check, SourceBuffer(name, text))
            if self._newest.get(uri) != number:
                return
            shown = _Shown(uri, name, text, places)
            diagnostics = [shown.diagnostic(diagnostic) for diagnostic in found]
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def _document(self, uri: str) -> TextDocument:
        """Returns an open text. The server reads no files."""
        found: TextDocument | None = self._server.workspace.text_documents.get(uri)
        if found is None:
            raise JsonRpcInvalidParams(f"{uri} is not open")
        return found

    async def _names(self, uri: str, position: types.Position) -> tuple[Places, int, NameIndex | None]:
        """Returns the places of a text, the character at the cursor, and the names, of texts that are not too long."""
        document = self._document(uri)
        text: str = document.source
        places = Places(text, document.position_codec)
        offset = places.offset(position)
        if len(text) > MAX_TEXT:
            return places, offset, None
        if self._index is None or self._index[0] != text:
            self._index = text, await asyncio.to_thread(NameIndex, text, self._catalogue.defines_symbol)
        return places, offset, self._index[1]

    def _line(self, uri: str, position: types.Position) -> tuple[str, int, Places, int]:
        """Returns the line of the cursor, the column, the places of the text and the place of the line."""
        document = self._document(uri)
        places = Places(document.source, document.position_codec)
        start = places.offset(types.Position(position.line, 0))
        end = places.offset(types.Position(position.line + 1, 0))
        return document.source[start:end].rstrip("\r\n"), places.offset(position) - start, places, start


def _location(uri: str, places: Places, name: Name) -> types.Location:
    return types.Location(uri, places.range(name.start, name.end))


@dataclass(frozen=True)
class _Shown:
    """A text as its diagnostics name it."""

    uri: str
    name: str
    text: str
    places: Places

    def diagnostic(self, diagnostic: Diagnostic) -> types.Diagnostic:
        """Returns a diagnostic as the client shows it, with its notes."""
        related = [
            types.DiagnosticRelatedInformation(types.Location(self.uri, self._range(note.location)), note.message)
            for note in diagnostic.notes
        ]
        return types.Diagnostic(
            self._range(diagnostic.location),
            diagnostic.message,
            severity=_SEVERITIES[diagnostic.severity],
            source="xegpu",
            related_information=related or None,
        )

    def _range(self, location: SourceLocation | None) -> types.Range:
        """Returns the word at a location. What has none in this text is shown at its beginning."""
        is_here = location is not None and location.file == self.name
        start = self.places.offset_of(location) if location is not None and is_here else 0
        word = _WORD.match(self.text, start)
        return self.places.range(start, min(start + 1, len(self.text)) if word is None else word.end())
