"""`xegpu-lsp` over its standard streams, asked by pygls' client."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable, Coroutine
from functools import partial

import pytest

from tests.paths import ROOT
from tests.unit.tools.cli.commands import command_line
from tools import xegpu_lsp

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

URI = "file:///kernel.mlir"

TEXT = """\
#map = affine_map<(d0) -> (d0)>
!tile = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels {
  gpu.func @copy(%source: memref<8x16xf32>, %target: memref<8x16xf32>) kernel {
    %tile = xegpu.create_nd_tdesc %source[0, 0] : memref<8x16xf32> -> !tile
    %value = xegpu.load_nd %tile : !tile -> vector<8x16xf32>
    %out = xegpu.create_nd_tdesc %target[0, 0] : memref<8x16xf32> -> !tile
    xegpu.store_nd %value, %out : vector<8x16xf32>, !tile
    gpu.return
  }
}
"""
"""A kernel that is right."""


class Editor:
    """An editor with one text."""

    def __init__(self) -> None:
        self.client = LanguageClient("test", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.version = 0
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self.published.put_nowait))

    async def start(self, *arguments: str) -> None:
        command, *words = command_line("xegpu-lsp", *arguments)
        await self.client.start_io(command, *words, cwd=ROOT)
        await self.client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
        self.client.initialized(types.InitializedParams())

    async def open(self, text: str) -> list[types.Diagnostic]:
        document = types.TextDocumentItem(URI, "mlir", self.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return await self.diagnostics()

    async def edit(self, text: str) -> list[types.Diagnostic]:
        self.version += 1
        identifier = types.VersionedTextDocumentIdentifier(self.version, URI)
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))
        return await self.diagnostics()

    async def diagnostics(self) -> list[types.Diagnostic]:
        found = await asyncio.wait_for(self.published.get(), 60)
        assert found.uri == URI
        return list(found.diagnostics)

    async def stop(self) -> int:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        process = self.client._server
        assert process is not None
        status = await asyncio.wait_for(process.wait(), 60)
        await self.client.stop()
        return status


def position(text: str, words: str, inside: str = "") -> types.Position:
    """Returns the position of `inside` in the first occurrence of `words`, or of its beginning."""
    offset = text.index(words) + words.index(inside)
    line = text.count("\n", 0, offset)
    return types.Position(line, offset - (text.rfind("\n", 0, offset) + 1))


def covered(text: str, range_: types.Range) -> str:
    assert range_.start.line == range_.end.line
    return text.split("\n")[range_.start.line][range_.start.character : range_.end.character]


Session = Callable[[Editor], Coroutine[None, None, None]]


def in_editor(session: Session, *arguments: str) -> None:
    """Runs a session of an editor with a server that has to end well."""

    async def whole() -> None:
        editor = Editor()
        await editor.start(*arguments)
        await session(editor)
        assert await editor.stop() == 0

    asyncio.run(whole())


@pytest.mark.sampled(every=3)
def test_errors_come_and_go_with_edits() -> None:
    async def session(editor: Editor) -> None:
        assert await editor.open(TEXT) == []
        wrong = TEXT.replace("vector<8x16xf32>", "vector<8x8xf32>")
        error, _ = await editor.edit(wrong)
        assert error.severity is types.DiagnosticSeverity.Error
        assert "'xegpu.load_nd' op" in error.message
        assert error.range.start.line == 5
        assert error.related_information
        assert error.related_information[0].location.range.start.line == 4

        unknown = TEXT.replace("%value, %out", "%missing, %out")
        (error,) = await editor.edit(unknown)
        assert covered(unknown, error.range) == "%missing"

        emoji = 'module attributes {a = "\U0001f600"} { %x = }'
        (error,) = await editor.edit(emoji)
        assert error.range.start == types.Position(0, len(emoji) - 1 + 1)  # UTF-16: two units for the emoji
        assert await editor.edit(TEXT) == []

        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(URI)))
        assert await editor.diagnostics() == []

    in_editor(session)


@pytest.mark.sampled(every=3)
def test_questions() -> None:
    async def session(editor: Editor) -> None:
        await editor.open(TEXT)
        document = types.TextDocumentIdentifier(URI)
        client = editor.client

        async def definition(words: str, inside: str) -> types.Range:
            params = types.DefinitionParams(document, position(TEXT, words, inside))
            found = await client.text_document_definition_async(params)
            assert isinstance(found, types.Location)
            return found.range

        assert (await definition("xegpu.load_nd %tile", "%tile")).start == position(TEXT, "%tile = ")
        assert (await definition("%target[0", "%target")).start == position(TEXT, "%target:")
        assert (await definition("%tile : !tile", "!tile")).start == position(TEXT, "!tile = ")

        params = types.ReferenceParams(
            types.ReferenceContext(False), document, position(TEXT, "%value, %out", "%value")
        )
        found = await client.text_document_references_async(params)
        assert found is not None
        assert [covered(TEXT, place.range) for place in found] == ["%value"]

        hover = await client.text_document_hover_async(types.HoverParams(document, position(TEXT, "load_nd")))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        page = (ROOT / "docs/dialects/xegpu.md").read_text()
        assert hover.contents.value.startswith("### `xegpu.load_nd`")
        assert hover.contents.value in page
        hover = await client.text_document_hover_async(types.HoverParams(document, position(TEXT, "tensor_desc")))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value in page

        async def completions(line: str) -> set[str]:
            await editor.edit(line)
            params = types.CompletionParams(document, types.Position(0, len(line)))
            found = await client.text_document_completion_async(params)
            assert isinstance(found, list)
            return {item.label for item in found}

        assert {"load_nd", "store_nd", "dpas"} <= await completions("%a = xegpu.")
        assert {"tensor_desc"} <= await completions("%a = xegpu.load_nd %t : !xegpu.")
        assert {"xegpu", "xetile", "xe", "arith"} <= await completions("  x")
        assert {"cached", "uncached", "streaming"} <= await completions(
            "xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<"
        )
        assert await completions("%a = nothing.") == set()

    in_editor(session)


@pytest.mark.exhaustive
def test_survives_hostile_texts() -> None:
    async def session(editor: Editor) -> None:
        assert await editor.open("") == []
        for text in [
            "{" * 100_000,
            "%" * 10_000,
            '"' + "\\" * 99_999,
            "\x00\ud7ff\u2028\x0c module",
            "module {" * 20_000,
        ]:
            found = await editor.edit(text)
            assert 0 < len(found) <= 20
            place = types.Position(0, min(len(text), 5000))
            params = types.DefinitionParams(types.TextDocumentIdentifier(URI), place)
            await editor.client.text_document_definition_async(params)
        (late,) = await editor.edit("func.func private @f()\n" * 30_000)
        assert "not checked" in late.message
        (late,) = await editor.edit(" " * (5 << 20))
        assert late.message == "not checked: longer than 4 Mi characters"

    in_editor(session, "--timeout=0.5")


def message(**content: object) -> bytes:
    text = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(text), text)


@pytest.mark.sampled(every=3)
def test_broken_messages_are_survived() -> None:
    place = {"textDocument": {"uri": "file:///etc/passwd"}, "position": {"line": 0, "character": 0}}
    stream = [
        message(id=1, method="initialize", params={"capabilities": {}}),
        b"Content-Length: 7\r\n\r\n{broken",
        message(id=2, method="textDocument/hover", params=place),
        message(id=3, method="textDocument/hover", params={"position": -1}),
        message(id=4, method="shutdown"),
        message(method="exit"),
    ]
    done = subprocess.run(command_line("xegpu-lsp"), input=b"".join(stream), capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"root:" not in done.stdout
    assert b'"id": 4, "jsonrpc": "2.0", "result": null' in done.stdout


def test_without_pygls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("xegpu.on_demand.libraries.find_spec", lambda _: None)
    assert xegpu_lsp.main([]) == 1
    assert capsys.readouterr().err == "xegpu-lsp: error: needs pygls: pip install 'xegpu-toolkit[lsp]'\n"


@pytest.mark.parametrize("words", [["--timeout=0"], ["--timeout=soon"], ["kernel.mlir"]])
def test_wrong_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        xegpu_lsp.main(words)
    assert ended.value.code == 2
