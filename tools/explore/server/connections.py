"""Connections that end when their client does not send or take anything for a while."""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 5.0
"""The seconds after which a client that does nothing is given up, at the latest after as many again."""


class ImpatientConnection(H11Protocol):
    """A connection that nobody can keep from others by waiting.

    The server has a limited number of connections; uvicorn itself waits for requests, and for those who do not read
    what they have asked for, without an end.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast("asyncio.Transport", transport))
        self._seen: tuple[object, int] | None = None
        self._timer = self.loop.call_later(PATIENCE, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Ends the connection if it waits for its client, as it did when this was last called."""
        is_idle = self.cycle is None or self.cycle.response_complete
        unsent = self.transport.get_write_buffer_size()
        seen = (self.cycle, unsent) if is_idle or unsent else None
        if seen is not None and seen == self._seen:
            self.transport.abort()
            return
        self._seen = seen
        self._timer = self.loop.call_later(PATIENCE, self._look)
