"""Requests to the explorer, answered in this process."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any

from tools.explore.protocol import AnswerKind, PageAnswer, PageRequest, PageRequestKind
from tools.explore.service import serving

ENDLESS = """\
gpu.module @kernels {
  gpu.func @endless(%a: memref<16xf32>) kernel {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    scf.while : () -> () { scf.condition(%true) } do {
      memref.store %one, %a[%c0] : memref<16xf32>
      scf.yield
    }
    gpu.return
  }
}
"""
"""A kernel that never ends."""

COPY = """\
gpu.module @kernels {
  gpu.func @copy(%source: memref<8x16xf32>, %target: memref<8x16xf32>) kernel {
    %tile = xegpu.create_nd_tdesc %source[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %value = xegpu.load_nd %tile : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %out = xegpu.create_nd_tdesc %target[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %value, %out : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
"""
"""A kernel that is right."""

answerer = cache(serving)


def ask(kind: PageRequestKind, **members: object) -> dict[str, Any]:
    """Returns the answer to a request that is none to refuse."""
    answer = answerer()(PageRequest(kind, json.dumps(members).encode()))
    assert answer.outcome is AnswerKind.ANSWERED, answer.body
    return json.loads(answer.body)


def refusal(kind: PageRequestKind, body: bytes) -> tuple[AnswerKind, str]:
    """Returns what is said of a request that is refused."""
    answer = answerer()(PageRequest(kind, body))
    return answer.outcome, json.loads(answer.body)["refused"]


class InThisProcess:
    """Answers as the process with bounds does, without one."""

    def start(self) -> None: ...

    def close(self) -> None: ...

    def ask(self, request: PageRequest, timeout: float) -> PageAnswer:
        return answerer()(request)


def call(
    app: Any, method: str, path: str, headers: dict[str, str], body: bytes = b""
) -> tuple[int, dict[str, str], bytes]:
    """Sends a request to an ASGI application. Returns status, headers and body of the response."""
    sent: list[dict[str, Any]] = []
    pieces = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if pieces:
            return pieces.pop()
        await asyncio.sleep(3600)
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    raw = path.encode("utf-8", "surrogateescape")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": raw,
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 1),
    }
    asyncio.run(app(scope, receive, send))
    start = next(message for message in sent if message["type"] == "http.response.start")
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], found, b"".join(m.get("body", b"") for m in sent if m["type"] == "http.response.body")
