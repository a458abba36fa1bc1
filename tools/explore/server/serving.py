"""Serves the page and answers its requests."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from tools.bounded import BoundedProcess, ProcessEnded, ProcessLimits, TookTooLong
from tools.explore import protocol
from tools.explore.protocol import AnswerKind, Json, PageAnswer, PageRequestKind, refused
from tools.explore.server.connections import ImpatientConnection
from tools.explore.server.files import PageFile, page_files
from tools.explore.server.guard import MAX_BODY, Guard
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # only the process that answers needs the compiler
    import tools.explore.service as service

_MEMORY = 4 << 30
_WRITTEN = 64 << 20
_MOST_WAITING = 16
"""The requests that may wait for one process."""
_BODY_SECONDS = 10.0
"""The time that the body of a request may take to arrive."""
_MOST_CONNECTIONS = 64

_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_STATUSES: Mapping[AnswerKind, int] = {AnswerKind.ANSWERED: 200, AnswerKind.MALFORMED: 400, AnswerKind.GIVEN_UP: 503}


def _prepared(includes: bool) -> Callable[[protocol.PageRequest], PageAnswer]:
    return service.serving(includes=includes)


@dataclass
class RequestWorker:
    """A process that answers, and the queue before it."""

    timeout: float
    includes: bool = True
    waiting: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    process: BoundedProcess[protocol.PageRequest, PageAnswer] = field(init=False)

    def __post_init__(self) -> None:
        self.process = BoundedProcess(partial(_prepared, self.includes), ProcessLimits(_MEMORY, _WRITTEN))

    async def start(self) -> None:
        """Starts the process, so that its first request need not wait."""
        async with self.turn:
            await run_in_threadpool(self._start)

    async def ask(self, request: protocol.PageRequest, is_wanted: Callable[[], Awaitable[bool]]) -> PageAnswer:
        """Returns the answer to a request, or the reason why there is none."""
        if self.waiting >= _MOST_WAITING:
            return refused(AnswerKind.GIVEN_UP, "too many requests at a time")
        self.waiting += 1
        try:
            async with self.turn:
                if not await is_wanted():
                    return refused(AnswerKind.GIVEN_UP, "nobody waits for it")
                return await run_in_threadpool(self._ask, request)
        finally:
            self.waiting -= 1

    def _start(self) -> None:
        with suppress(ProcessEnded):
            self.process.start()

    def _ask(self, request: protocol.PageRequest) -> PageAnswer:
        try:
            return self.process.ask(request, self.timeout)
        except TookTooLong:
            return refused(AnswerKind.GIVEN_UP, f"it takes longer than {self.timeout:g} seconds (--timeout)")
        except ProcessEnded:
            return refused(
                AnswerKind.GIVEN_UP, "the process that compiles and runs has ended, it may need too much memory"
            )


class Explorer:
    """Answers what the page asks for.

    Args:
        guard: Who may ask.
        start: What the page shows first.
        timeout: The seconds that a compilation or a run may take.
        includes: Whether kernels may include and embed files of this machine.
    """

    def __init__(self, guard: Guard, start: Mapping[str, Json], timeout: float, *, includes: bool = True) -> None:
        self._guard = guard
        self._timeout = timeout
        self._files = {**page_files(), "start.json": PageFile("application/json", json.dumps(start).encode())}
        self.compiler, self.other = RequestWorker(timeout, includes), RequestWorker(timeout, includes)
        self._workers = {
            kind: self.compiler if kind is PageRequestKind.COMPILE else self.other for kind in PageRequestKind
        }

    async def warm_up(self) -> None:
        """Starts the processes, so that the first requests need not wait for them."""
        await self.compiler.start()
        await self.other.start()

    def close(self) -> None:
        """Ends the processes."""
        for worker in (self.compiler, self.other):
            worker.process.close()

    async def handle(self, request: Request) -> Response:
        """Returns the response to a request."""
        response = await self._response(request)
        response.headers.update(_HEADERS)
        return response

    async def _response(self, request: Request) -> Response:
        if self._guard.is_foreign(request.headers):
            return _error(403, "requests of other origins are not answered")
        path = self._guard.path(request.url.path)
        if path is None:
            return _error(404, "the address has another token: use that which xegpu-explore prints")
        if request.method == "POST":
            return await self._post(request, path)
        file = self._files.get(path)
        return _error(404, "there is no such file") if file is None else Response(file.data, media_type=file.type)

    async def _post(self, request: Request, path: str) -> Response:
        kind = next((kind for kind in PageRequestKind if path == kind), None)
        if kind is None:
            return _error(404, "there is no such request")
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _error(415, "the request is not JSON")
        try:
            body = await asyncio.wait_for(_body(request), _BODY_SECONDS)
        except (TimeoutError, ClientDisconnect):
            return _error(408, "the request has not arrived")
        if body is None:
            return _error(413, f"the request is larger than {MAX_BODY >> 20} MiB")

        async def is_wanted() -> bool:
            return not await request.is_disconnected()

        answer = await self._workers[kind].ask(protocol.PageRequest(kind, body, self._timeout), is_wanted)
        return Response(answer.body, _STATUSES[answer.outcome], media_type="application/json")


async def _body(request: Request) -> bytes | None:
    """Returns the body of a request; None if it is too large, the rest of which is not read."""
    found = bytearray()
    async for piece in request.stream():
        found += piece
        if len(found) > MAX_BODY:
            return None
    return bytes(found)


def _error(status: int, reason: str) -> Response:
    return Response(json.dumps({"refused": reason}), status, media_type="application/json")


def application(explorer: Explorer) -> Starlette:
    """Returns the application that answers every request by the explorer."""
    return Starlette(routes=[Route("/{path:path}", explorer.handle, methods=["GET", "POST"])])


class _PromptServer(uvicorn.Server):
    """A server that an interrupt ends although requests are under way, whose processes end first."""

    def __init__(self, config: uvicorn.Config, explorer: Explorer) -> None:
        super().__init__(config)
        self._explorer = explorer

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._explorer.close()
        super().handle_exit(sig, frame)


def serve(
    listener: socket.socket, token: str, start: Mapping[str, Json], timeout: float, *, includes: bool = True
) -> None:
    """Serves those who connect to a socket, until the process is interrupted; the arguments are `Explorer`'s."""
    port: int = listener.getsockname()[1]
    explorer = Explorer(Guard(port, token), start, timeout, includes=includes)
    config = uvicorn.Config(
        application(explorer),
        log_level="critical",
        lifespan="off",
        ws="none",
        http=ImpatientConnection,
        server_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
    )
    server = _PromptServer(config, explorer)

    async def main() -> None:
        warm_up = asyncio.create_task(explorer.warm_up())
        await server.serve([listener])
        warm_up.cancel()

    try:
        asyncio.run(main())
    finally:
        explorer.close()
