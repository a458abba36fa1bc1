"""The server of the Debug Adapter Protocol, spoken to as an editor does."""

from __future__ import annotations

import base64
import io
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import IO

import pytest

from tests.unit.runtime.zet.debug.test_processes import ended
from tests.unit.tools.debug.conftest import CALLING
from tools.debug.dap import serve

Start = Callable[..., int]
Message = dict[str, object]
SECONDS = 30


class Editor:
    """An editor that is connected with a server in a thread."""

    def __init__(self) -> None:
        to_server, self._requests = os.pipe()
        answers, from_server = os.pipe()
        self._seq = 0
        self._writer: IO[bytes] = os.fdopen(self._requests, "wb")
        self._messages: Queue[Message] = Queue()
        self.kept: list[Message] = []
        self.is_valid: bool | None = None
        self._server = threading.Thread(
            target=self._serve, args=(os.fdopen(to_server, "rb"), os.fdopen(from_server, "wb")), daemon=True
        )
        self._server.start()
        threading.Thread(target=self._read, args=(os.fdopen(answers, "rb"),), daemon=True).start()

    def _serve(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self.is_valid = serve(reader, writer)
        writer.close()
        reader.close()

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline():
                length = int(line.partition(b":")[2])
                stream.readline()
                self._messages.put(json.loads(stream.read(length)))

    def write(self, data: bytes) -> None:
        self._writer.write(data)
        self._writer.flush()

    def message(self, wanted: Callable[[Message], bool]) -> Message:
        """The first message that is wanted; others are kept."""
        deadline = time.monotonic() + SECONDS
        for message in self.kept:
            if wanted(message):
                self.kept.remove(message)
                return message
        while True:
            message = self._messages.get(timeout=max(0.0, deadline - time.monotonic()))
            if wanted(message):
                return message
            self.kept.append(message)

    def ask(self, command: str, **arguments: object) -> Message:
        """The response to a request."""
        self._seq += 1
        seq = self._seq
        body = json.dumps({"seq": seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        return self.message(lambda message: message.get("request_seq") == seq)

    def done(self, command: str, **arguments: object) -> Message:
        """The body of the response to a request that succeeds."""
        response = self.ask(command, **arguments)
        assert response["success"], response
        body = response.get("body", {})
        assert isinstance(body, dict)
        return body

    def refused(self, command: str, **arguments: object) -> str:
        """The message of the response to a request that fails."""
        response = self.ask(command, **arguments)
        assert not response["success"], response
        return str(response["message"])

    def event(self, name: str) -> Message:
        """The body of the next event of a name."""
        body = self.message(lambda message: message.get("event") == name)["body"]
        assert isinstance(body, dict)
        return body

    def close(self) -> None:
        if not self._writer.closed:
            self._writer.close()
        self._server.join(SECONDS)
        assert not self._server.is_alive()


@pytest.fixture
def editor(home: Path) -> Iterator[Editor]:
    found = Editor()
    yield found
    found.close()


def attach(editor: Editor, home: Path, process: int) -> None:
    deadline = time.monotonic() + SECONDS
    while not (home / f"debug-{process}").exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert editor.done("initialize", adapterID="xegpu")["supportsDisassembleRequest"] is True
    editor.done("attach", processId=process)
    editor.event("initialized")


def break_at(editor: Editor, *lines: int, condition: str = "") -> list[Message]:
    points = [{"line": line, "condition": condition} for line in lines]
    found = editor.done("setBreakpoints", source={"path": "/somewhere/held.mlir"}, breakpoints=points)["breakpoints"]
    assert isinstance(found, list)
    return found


def frame(editor: Editor, thread: object) -> Message:
    (found,) = editor.done("stackTrace", threadId=thread)["stackFrames"]
    assert isinstance(found, dict)
    return found


def test_a_session(editor: Editor, home: Path, program: Start) -> None:
    process = program(groups=2, size=16)
    attach(editor, home, process)
    break_at(editor, 2, condition="group_x == 1")
    editor.done("configurationDone")
    stopped = editor.event("stopped")
    assert (stopped["reason"], stopped["threadId"]) == ("breakpoint", 1)
    assert editor.done("threads")["threads"] == [{"id": 1, "name": "subgroup 0 of work-group (1, 0, 0)"}]
    top = frame(editor, 1)
    assert (top["name"], top["line"], top["source"]) == ("k", 2, {"name": "held.mlir", "path": str(home / "held.mlir")})

    scopes = {
        scope["name"]: scope["variablesReference"] for scope in editor.done("scopes", frameId=top["id"])["scopes"]
    }
    values = {
        variable["name"]: variable["value"]
        for reference in scopes.values()
        for variable in editor.done("variables", variablesReference=reference)["variables"]
    }
    assert (values["group_x"], values["mask"], values["index"]) == ("1", "0x0000ffff", "1")
    assert values["r10"].startswith("[0x00000005 0x00000005 ")
    assert len(values) == 5 + 128 + 4 + 4

    editor.done("stepIn", threadId=1, granularity="instruction")
    assert editor.event("stopped")["reason"] == "step"
    editor.done("next", threadId=1)
    assert editor.event("stopped")["reason"] == "step"
    assert frame(editor, 1)["line"] == 4
    set_value = editor.done("setVariable", variablesReference=scopes["Registers"], name="r10", value="70")
    assert str(set_value["value"]).startswith("[0x00000046 ")
    assert editor.done("evaluate", expression="r10.0:ud + 1", frameId=top["id"])["result"] == "71"

    pointer = str(frame(editor, 1)["instructionPointerReference"])
    code = editor.done("disassemble", memoryReference=pointer, instructionOffset=-1, instructionCount=3)["instructions"]
    assert isinstance(code, list)
    assert [entry["line"] for entry in code] == [3, 4, 5] and code[1]["address"] == pointer
    assert "store" in code[1]["instruction"]
    around = editor.done("disassemble", memoryReference=pointer, instructionOffset=-9, instructionCount=20)[
        "instructions"
    ]
    assert isinstance(around, list) and len(around) == 20 and around[0]["presentationHint"] == "invalid"
    data = editor.done("readMemory", memoryReference=pointer, count=4)
    assert len(base64.b64decode(str(data["data"]))) == 4 and data["unreadableBytes"] == 0
    target = str(editor.done("evaluate", expression="r4.0:uq")["result"])
    assert editor.done("writeMemory", memoryReference=target, data=base64.b64encode(b"abcd").decode()) == {
        "bytesWritten": 4
    }
    assert editor.done("readMemory", memoryReference=target, count=100)["unreadableBytes"] == 36
    assert editor.done("readMemory", memoryReference="0x10", count=8)["unreadableBytes"] == 8

    editor.done("continue", threadId=1)
    editor.event("exited")
    editor.event("terminated")
    assert ended(process) == 70
    editor.done("disconnect")


def test_pausing_a_kernel_and_breakpoints_while_it_runs(editor: Editor, home: Path, program: Start) -> None:
    text = "loop:\nadd (1|M0) r9.0<1>:ud r9.0<0;1,0>:ud 1:ud\njmpi (1|M0) loop\neot"
    process = program(text, groups=1, size=16)
    attach(editor, home, process)
    editor.done("configurationDone")
    assert "runs" in editor.refused("stackTrace", threadId=1)
    assert editor.done("threads")["threads"] == [{"id": 1, "name": "kernel"}]
    time_limit = time.monotonic() + SECONDS
    while time.monotonic() < time_limit:  # its first module is loaded sooner or later
        (point,) = break_at(editor, 2)
        if point["verified"]:
            break
    assert editor.event("stopped")["reason"] == "breakpoint"
    break_at(editor)
    editor.done("continue", threadId=1)
    editor.done("pause", threadId=1)
    assert editor.event("stopped")["reason"] == "pause"
    assert "in no subroutine" in editor.refused("stepOut", threadId=1)
    editor.done("disconnect")


def test_frames_of_subroutines(editor: Editor, home: Path, program: Start) -> None:
    process = program(CALLING, groups=1, size=16)
    attach(editor, home, process)
    break_at(editor, 4)
    editor.done("configurationDone")
    editor.event("stopped")
    frames = editor.done("stackTrace", threadId=1)["stackFrames"]
    assert isinstance(frames, list)
    assert [(frame["name"], frame["line"]) for frame in frames] == [("L1", 4), ("k", 2)]
    assert len({frame["id"] for frame in frames}) == 2
    for frame in frames:
        (scope, *_) = editor.done("scopes", frameId=frame["id"])["scopes"]
        values = editor.done("variables", variablesReference=scope["variablesReference"])["variables"]
        assert {"name": "index", "value": "4", "variablesReference": 0} in values
    editor.done("stepOut", threadId=1)
    assert editor.event("stopped")["reason"] == "step"
    ((name, line),) = [(frame["name"], frame["line"]) for frame in editor.done("stackTrace", threadId=1)["stackFrames"]]
    assert (name, line) == ("k", 3)
    editor.done("continue", threadId=1)
    editor.event("terminated")
    assert ended(process) == 6


def test_a_program_is_launched(editor: Editor, home: Path) -> None:
    """A program that uses no card ends before it is debugged; the next one is launched by the same server."""
    arguments = ["-c", "print('hello'); raise SystemExit(4)"]
    assert "status 4" in editor.refused("launch", program=sys.executable, args=arguments)
    assert editor.event("output")["output"] == "hello\n"
    assert "nowhere" in editor.refused("launch", program="./nowhere")


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("configurationDone", {}),
        ("threads", {"x": 1}),
        ("stackTrace", {"threadId": "1"}),
        ("variables", {"variablesReference": 10**30}),
        ("scopes", {}),
        ("attach", {"processId": None}),
        ("attach", {"processId": 99_999_999}),
        ("attach", {"processId": 1, "device": 9}),
        ("launch", {"program": 5}),
        ("launch", {"program": "a\0b"}),
        ("setBreakpoints", {"source": []}),
        ("readMemory", {"memoryReference": "x", "count": 1}),
        ("disassemble", {}),
        ("pause", {}),
        ("flyAway", {}),
    ],
)
def test_requests_out_of_place(editor: Editor, command: str, arguments: dict[str, object]) -> None:
    if command == "threads":
        assert editor.done(command, **arguments)
    else:
        assert editor.refused(command, **arguments)


@pytest.mark.parametrize(
    "data",
    [b"hello\n\n", b"Content-Length: x\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n",
     b"Content-Length: 3\r\n\r\n[1]",
     b"Content-Length: 3\r\n\r\n{]}", b"x" * 100_000, b"Content-Length: 20000\r\n\r\n" + b"[" * 20_000, b"\r\n\r\n"],
)  # fmt: skip
def test_bytes_that_are_no_message(data: bytes) -> None:
    assert not serve(io.BytesIO(data), io.BytesIO())


def test_the_end_of_the_input(home: Path) -> None:
    for data in (b"", b"Content-Length: 30\r\n\r\n{}", b"Content-Le"):
        assert serve(io.BytesIO(data), io.BytesIO())
    answers = io.BytesIO()
    assert serve(io.BytesIO(b'Content-Length: 17\r\n\r\n{"type":"reques"}'), answers) and not answers.getvalue()
