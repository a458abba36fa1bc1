"""Messages of the Debug Adapter Protocol on a pair of streams."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Mapping
from typing import BinaryIO

Json = Mapping[str, object]

_MOST_BYTES = 16 << 20
_MOST_HEADERS = 16
_HEADER_BYTES = 1024


class BadMessage(Exception):
    """Bytes that are no message; the text says why."""


class MessageChannel:
    """Reads requests, and writes responses and events, whole and in order, from any thread."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._reader = reader
        self._writer = writer
        self._numbers = itertools.count(1)
        self._writing = threading.Lock()

    def read(self) -> Json | None:
        """Returns the next message, None at the end. Raises `BadMessage`."""
        length = None
        for _ in range(_MOST_HEADERS):
            line = self._reader.readline(_HEADER_BYTES)
            if not line:
                return None
            name, _, value = line.decode("latin-1").partition(":")
            if not line.strip():
                break
            if name.strip().lower() == "content-length":
                text = value.strip()
                length = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
        if length is None or length > _MOST_BYTES:
            raise BadMessage("a header without a valid Content-Length")
        body = self._reader.read(length)
        if len(body) < length:
            return None
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            raise BadMessage("a body that is no JSON") from None
        if not isinstance(found, dict):
            raise BadMessage("a body that is no object")
        return found

    def respond(self, request: Json, body: Json | None = None, error: str | None = None) -> None:
        """Writes the response to a request."""
        answer = {"type": "response", "request_seq": request.get("seq"), "command": request.get("command")}
        outcome = {"success": error is None} | ({} if body is None else {"body": body})
        self._write({**answer, **outcome, **({} if error is None else {"message": error})})

    def event(self, name: str, body: Json | None = None) -> None:
        """Writes an event."""
        self._write({"type": "event", "event": name, "body": body or {}})

    def _write(self, message: Json) -> None:
        with self._writing:
            data = json.dumps({"seq": next(self._numbers), **message}).encode()
            try:
                self._writer.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
                self._writer.flush()
            except (OSError, ValueError):  # the editor has gone, which the reader finds, too
                return
