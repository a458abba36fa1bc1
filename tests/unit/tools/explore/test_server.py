"""The explorer's server: whom it answers, and what."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import urllib.request
from concurrent.futures import ThreadPoolExecutor, TimeoutError as FutureTimeout
from contextlib import ExitStack
from urllib.error import HTTPError

import pytest

from tests.paths import ROOT
from tests.unit.tools.cli.commands import command_line
from tests.unit.tools.explore.requests import COPY, ENDLESS, InThisProcess, call

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from tools.explore.server import Explorer, Guard, application
from tools.explore.server.guard import MAX_BODY
from tools.explore.start import start_document

TOKEN = "secret"
HOST = {"host": "127.0.0.1:80"}
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def app():
    explorer = Explorer(Guard(80, TOKEN), start_document(None), 20.0)
    for worker in (explorer.compiler, explorer.other):
        worker.process = InThisProcess()
    return application(explorer)


def test_the_page_and_its_files(app):
    status, headers, body = call(app, "GET", f"/{TOKEN}/", HOST)
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<title>" in body
    assert "default-src 'none'" in headers["content-security-policy"]
    start = json.loads(call(app, "GET", f"/{TOKEN}/start.json", HOST)[2])
    assert start["targets"] == {"pvc": [128, 256], "arc": [128, 256]}
    assert "gpu.func @gemm" in start["kernel"]["source"]


def test_a_compilation(app):
    body = json.dumps({"source": COPY}).encode()
    status, headers, found = call(app, "POST", f"/{TOKEN}/compile", HOST | JSON, body)
    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(found)["binary"]["kernels"][0]["name"] == "copy"


@pytest.mark.parametrize(
    ("status", "method", "path", "headers", "body"),
    [
        (404, "GET", "/", HOST, b""),
        (404, "GET", "/secre/", HOST, b""),
        (404, "GET", "/secret", HOST, b""),
        (404, "GET", "/sécret/", HOST, b""),
        (403, "GET", "/secret/", {}, b""),
        (403, "GET", "/secret/", {"host": "evil.example:80"}, b""),
        (403, "GET", "/secret/", {"host": "127.0.0.1:81"}, b""),
        (403, "GET", "/secret/", HOST | {"origin": "https://evil.example"}, b""),
        (403, "GET", "/secret/", HOST | {"origin": "null"}, b""),
        (403, "GET", "/secret/", HOST | {"sec-fetch-site": "cross-site"}, b""),
        (200, "GET", "/secret/", HOST | {"origin": "http://127.0.0.1:80"}, b""),
        (200, "GET", "/secret/", {"host": "localhost:80"}, b""),
        (404, "GET", "/secret/../server/guard.py", HOST, b""),
        (404, "GET", "/secret//etc/passwd", HOST, b""),
        (404, "GET", "/secret/..%2f..%2fetc/passwd", HOST, b""),
        (404, "GET", "/secret/index.html\0", HOST, b""),
        (405, "PUT", "/secret/", HOST, b""),
        (404, "POST", "/secret/", HOST | JSON, b"{}"),
        (404, "POST", "/secret/compile/", HOST | JSON, b"{}"),
        (415, "POST", "/secret/compile", HOST, b"{}"),
        (415, "POST", "/secret/compile", HOST | {"content-type": "text/plain"}, b"{}"),
        (400, "POST", "/secret/compile", HOST | JSON, b"{}"),
        (413, "POST", "/secret/compile", HOST | JSON, b" " * (MAX_BODY + 1)),
    ],
)
def test_requests_of_others(app, status, method, path, headers, body):
    assert call(app, method, path, headers, body)[0] == status


def test_random_requests_are_answered_with_an_error(app):
    """None of them has the token, the host, the origin and a body that are right."""
    random.seed(1)
    words = ["", "secret", "compile", "..", "%2e%2e", "etc", "\0", "é", "x" * 3000, "index.html", "start.json", "{}"]
    hosts = ["127.0.0.1:80", "127.0.0.1", "evil.example", "127.0.0.1:80.evil.example", "[::1]:80", "é", "x" * 9000]
    bodies = [b"", b"{}", b"\x00\xff", b'{"source":', b"[" * 5000, b'{"source":{}}', b'{"source":""', b"9" * 9000]
    for _ in range(1000):
        path = "/" + "/".join(random.choices(words, k=random.randint(0, 4)))
        headers = {"host": random.choice(hosts), "content-type": random.choice(["application/json", "x"])}
        if random.random() < 0.5:
            headers["origin"] = random.choice(["null", "http://127.0.0.1:80", "http://localhost:80", "file://"])
        status, _, body = call(
            app, random.choice(["GET", "POST", "HEAD", "DELETE"]), path, headers, random.choice(bodies)
        )
        is_page = path in ("/secret/", "/secret/index.html", "/secret/start.json")
        assert status in (400, 403, 404, 405, 415) or (status == 200 and is_page and headers["host"] == hosts[0])
        assert b"Traceback" not in body


def posted(address: str, body: bytes) -> int:
    """Returns the status of the answer to a request that a server refuses."""
    with pytest.raises(HTTPError) as caught:
        urllib.request.urlopen(urllib.request.Request(address, body, JSON))
    with caught.value as answer:
        return answer.code


@pytest.mark.sampled(every=3)
def test_the_command_serves_until_it_is_interrupted():
    """A kernel that runs meanwhile does not keep it."""
    words = [*command_line("xegpu-explore", "--no-browser"), "--timeout", "600", "examples/gemm.mlir"]
    endless = json.dumps({"source": ENDLESS, "grid": [1], "arguments": ["zeros:16xf32"]}).encode()
    with ExitStack() as stack:
        # Shells let the commands that they start in the background ignore interrupts, these tests among them.
        stack.callback(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        stack.callback(process.kill)
        address = process.stdout.readline().split()[4]
        with urllib.request.urlopen(f"{address}start.json") as response:
            assert json.load(response)["kernel"]["title"] == "gemm.mlir"
        with pytest.raises(HTTPError, match="404"):
            urllib.request.urlopen(address[:-3])
        running = stack.enter_context(ThreadPoolExecutor(1)).submit(posted, f"{address}run", endless)
        with pytest.raises(FutureTimeout):  # it runs
            running.result(timeout=3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert running.result() == 503
    assert (process.returncode, errors) == (130, "xegpu-explore: interrupted\n")


def test_a_kernel_that_is_no_text(tmp_path, capsys):
    from tools import xegpu_explore

    (tmp_path / "k.mlir").write_bytes(b"gpu\xff")
    assert xegpu_explore.main([str(tmp_path / "k.mlir")]) == 1
    assert "byte 0xff at offset 3 is not UTF-8" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_endless_and_huge_texts_leave_the_server_alive():
    """The process that compiles is bounded in time and memory, and replaced."""
    from tools.explore.protocol import PageRequest, PageRequestKind
    from tools.explore.server.serving import RequestWorker

    worker = RequestWorker(5.0)
    nested = "{" * 200_000
    large = "vector<" + "x".join(["1024"] * 6) + "xf32>"
    bodies = [
        {"source": nested},
        {"source": f"func.func @f() {{ %0 = arith.constant dense<1.0> : {large} return }}"},
        {"source": COPY, "unroll_factor": 64},
        {"source": "%0 = " * 100_000},
        {"source": COPY * 400},
    ]
    try:
        for body in bodies:
            json.loads(worker._ask(PageRequest(PageRequestKind.COMPILE, json.dumps(body).encode())).body)
        worker.timeout = 60.0
        answer = worker._ask(PageRequest(PageRequestKind.COMPILE, json.dumps({"source": COPY}).encode()))
        assert json.loads(answer.body)["binary"]["kernels"]
    finally:
        worker.process.close()
