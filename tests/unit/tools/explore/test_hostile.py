"""A thousand requests of those who mean harm, sent to the command by many clients, while someone works with it."""

from __future__ import annotations

import http.client
import json
import random
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.paths import ROOT
from tests.unit.tools.cli.commands import command_line
from tests.unit.tools.explore.requests import COPY, ENDLESS

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

pytestmark = pytest.mark.exhaustive

MEMORY = 6 << 30
"""The bytes that the server and its two processes may have in memory together: each of these is bounded to 4 GiB of
addresses."""
REQUESTS = 1000
SECONDS = 60

ENDLESS_HOST = "func.func @main() {\n  cf.br ^a\n^a:\n  cf.br ^a\n}"


@dataclass(frozen=True)
class Server:
    """A running explorer."""

    process: subprocess.Popen[str]
    port: int
    token: str

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        """Sends a request, with the headers of the page unless others are given, and returns the response."""
        given = {"content-type": "application/json"} | {name.replace("_", "-"): text for name, text in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.putrequest(method, path, skip_host="host" in given, skip_accept_encoding=True)
            for name, text in ({"content-length": str(len(body))} | given).items():
                connection.putheader(name, text.encode("latin-1", "replace"))
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def ask(self, kind: str, **members: object) -> tuple[int, dict[str, object]]:
        status, body = self.send("POST", f"/{self.token}/{kind}", json.dumps(members).encode())
        return status, json.loads(body)

    def resident(self) -> int:
        """Returns the bytes in memory of the server and of all processes that descend from it."""
        parents = {}
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            parents[int(status.parent.name)] = int(fields[1]), int(fields[21])
        found = 0
        for pid, (_, pages) in parents.items():
            ancestor = pid
            while ancestor not in (0, self.process.pid):
                ancestor = parents.get(ancestor, (0, 0))[0]
            found += pages * 4096 if ancestor == self.process.pid else 0
        return found


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    words = command_line("xegpu-explore", "--no-browser", "--timeout", "2")
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[4]
            _, _, place, token, _ = address.split("/")
            yield Server(process, int(place.partition(":")[2]), token)
        finally:
            process.kill()


def hostile(server: Server, seed: int) -> str:
    """Sends one hostile request, and returns its kind; raises `AssertionError` if it is answered wrongly."""
    rng = random.Random(seed)
    kind = rng.choice([*HOSTILE])
    HOSTILE[kind](server, rng)
    return kind


def wrong_tokens(server: Server, rng: random.Random) -> None:
    token = rng.choice(["", "x", server.token[:-1], server.token + "x", server.token.swapcase(), "é" * 9, "." * 24])
    status, body = server.send("GET", f"/{quote(token)}/start.json")
    assert (status, b"kernel" in body) == (404, False)


def other_origins(server: Server, rng: random.Random) -> None:
    origin = rng.choice(["null", "http://evil.example", f"http://127.0.0.1.evil.example:{server.port}", "file://"])
    headers = rng.choice(
        [{"origin": origin}, {"host": "evil.example"}, {"sec_fetch_site": "cross-site"}, {"host": "127.0.0.1:1"}]
    )
    path = f"/{server.token}/{rng.choice(['', 'start.json', 'compile', 'run'])}"
    status, _ = server.send(rng.choice(["GET", "POST"]), path, b'{"source": ""}', **headers)
    assert status == 403


def traversals(server: Server, rng: random.Random) -> None:
    up = rng.choice(["../", "..%2f", "%2e%2e/", "..\\", "....//", "/", "%00"])
    path = f"/{server.token}/{up * rng.randint(1, 8)}{rng.choice(['etc/passwd', 'server/guard.py', 'driver.py'])}"
    status, body = server.send("GET", path)
    assert status in (400, 404)
    assert b"root:" not in body
    assert b"import" not in body


def malformed_bodies(server: Server, rng: random.Random) -> None:
    body = rng.choice([b"", b"{", b"[" * 100_000, rng.randbytes(999), b'{"source": 1}', b'{"source": "", "target": 3}'])
    status, _ = server.send("POST", f"/{server.token}/{rng.choice(['compile', 'run', 'layouts', 'native'])}", body)
    assert status == 400, body


def malformed_lines(server: Server, rng: random.Random) -> None:
    """Sends lines that are no HTTP, which are answered with an error or not at all."""
    with socket.create_connection(("127.0.0.1", server.port), SECONDS) as client:
        lines = [b"\0" * 64, b"GET\r\n\r\n", rng.randbytes(2000) + b"\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"]
        lines += [b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET /" + b"x" * 200_000]
        lines += [b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nzzzz"]
        try:
            client.sendall(rng.choice(lines))
            with suppress(OSError):  # the server may have closed the connection
                client.shutdown(socket.SHUT_WR)
            answer = client.recv(1 << 16)
        except (ConnectionError, BrokenPipeError):
            return
        assert not answer or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 503"))


def huge_requests(server: Server, rng: random.Random) -> None:
    """Three megabytes are refused, if not while they are sent; so are headers that do not end."""
    try:
        if rng.random() < 0.5:
            status, _ = server.send("POST", f"/{server.token}/compile", b" " * (3 << 20))
        else:
            status, _ = server.send("GET", f"/{server.token}/", cookie="x" * 1_000_000)
    except (ConnectionError, http.client.HTTPException):
        return
    assert status in (400, 413, 431)


def websockets(server: Server, rng: random.Random) -> None:
    path = f"/{server.token}/{rng.choice(['', 'compile', 'socket'])}"
    upgrade = {"connection": "Upgrade", "upgrade": "websocket", "sec_websocket_version": "13"}
    status, _ = server.send("GET", path, sec_websocket_key="x" * 24, **upgrade)
    assert status in (200, 404)
    assert status == 404 or path.endswith("/")


def odd_methods(server: Server, rng: random.Random) -> None:
    method = rng.choice(["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
    assert server.send(method, f"/{server.token}/compile")[0] in (400, 404, 405)


def hard_texts(server: Server, rng: random.Random) -> None:
    """Texts that take much time or memory are answered with a reason, when their time has come."""
    large = "vector<" + "x".join(["1024"] * 6) + "xf32>"
    members = rng.choice(
        [
            ("compile", {"source": "{" * 200_000}),
            ("compile", {"source": f"func.func @f() {{ %0 = arith.constant dense<1.0> : {large} return }}"}),
            ("compile", {"source": COPY * 400}),
            ("compile", {"source": "mov " * 100_000, "language": "xe-asm"}),
            ("compile", {"source": "L: jmpi (1|M0) L\n" * 9000, "language": "xe-native"}),
            ("run", {"source": ENDLESS, "grid": [1], "arguments": ["zeros:16xf32"]}),
            ("run", {"source": ENDLESS_HOST, "program": "main"}),
            ("run", {"source": COPY, "grid": [1], "arguments": ["zeros:99999x99999xf32"] * 2}),
            ("run", {"source": COPY, "arguments": ["/etc/passwd.npy"] * 2}),
            ("run", {"source": COPY, "arguments": ["zeros:8x16xf32"] * 2, "grid": [1 << 31] * 3}),
            ("layouts", {"source": COPY.replace("8x16", "8000x16000")}),
            ("native", {"source": COPY * 100}),
        ]
    )
    status, answer = server.ask(members[0], **members[1])
    assert status in (200, 503)
    assert status == 200 or answer["refused"]


def slow_clients(server: Server, rng: random.Random) -> None:
    """A request that does not arrive, or is not waited for."""
    begin = f"POST /{server.token}/compile HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), SECONDS) as client:
        client.sendall(rng.choice([b"", b"G", begin.encode(), f"{begin}Content-Length: 9\r\n\r\n".encode()]))
        time.sleep(rng.random() / 10)


HOSTILE = {
    "wrong token": wrong_tokens,
    "other origin": other_origins,
    "traversal": traversals,
    "malformed body": malformed_bodies,
    "malformed line": malformed_lines,
    "huge": huge_requests,
    "websocket": websockets,
    "method": odd_methods,
    "slow": slow_clients,
}


def test_a_thousand_hostile_requests(server: Server) -> None:
    """None is answered wrongly, and someone who works with the page meanwhile gets answers."""
    with ThreadPoolExecutor(4) as clients:
        kinds = Counter(clients.map(lambda seed: hostile(server, seed), range(REQUESTS - 40)))
        assert server.resident() < MEMORY
        for seed in clients.map(lambda seed: hard_texts(server, random.Random(seed)), range(40)):
            assert seed is None
            assert server.resident() < MEMORY
    assert len(kinds) == len(HOSTILE)
    assert server.process.poll() is None
    assert server.ask("compile", source=COPY)[0] == 200


def test_those_who_wait_do_not_keep_others_out(server: Server) -> None:
    """More connections than the server has, of clients that send nothing, a part, or do not read."""
    with ExitStack() as stack:
        for number in range(100):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), SECONDS))
            part = f"GET /{server.token}/vendor/codemirror.js HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            client.sendall([b"", b"GET ", part.encode() + b"\r\n"][number % 3])
        until = time.monotonic() + SECONDS
        while server.send("GET", f"/{server.token}/start.json")[0] != 200:
            assert time.monotonic() < until
            time.sleep(0.5)
