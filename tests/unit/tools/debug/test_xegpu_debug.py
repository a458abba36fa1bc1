"""`xegpu-debug`: sessions with programs in other processes."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import zebin
from runtime.debuggee import LoadedCode
from runtime.debugger import KernelListing
from runtime.simulator import Memory, Simulator
from runtime.ze.driver import load_module
from tests.paths import ROOT
from tests.unit.runtime.zet.debug.test_processes import ended
from tests.unit.runtime.zet.debug.world import LINES, TEXT, kernel_binary
from tests.unit.tools.debug.conftest import CALLING
from tools.debug.remote.code import LoadedKernel
from tools.xegpu_debug import main
from xegpu.targets import PVC

Start = Callable[..., int]

SECONDS = 30


@pytest.fixture
def session(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """Executes commands on a process, and returns what they print, behind the first prompt."""

    def run(process: int, *commands: str, options: Sequence[str] = ()) -> list[str]:
        (home / "commands").write_text("".join(f"{command}\n" for command in commands))
        deadline = time.monotonic() + SECONDS
        while not (home / f"debug-{process}").exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        assert main([*options, "-x", "commands", str(process)]) == 0
        return capsys.readouterr().out.splitlines()

    return run


def answers(lines: list[str]) -> dict[str, list[str]]:
    """Returns the output of each command."""
    found: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("(xegpu) "):
            found[line.removeprefix("(xegpu) ")] = latest = []
        elif found:
            latest.append(line)
    return found


def test_a_session(program: Start, session: Callable[..., list[str]]) -> None:
    process = program()
    found = answers(
        session(
            process,
            "break 2 if group_x == 1",
            "continue",
            "info threads",
            "print r10.0",
            "stepi",
            "next",
            "thread 0",
            "set r10.0:ud = 40",
            "info breakpoints",
            "delete",
            "bt",
            "info barriers",
            "info memory",
            "finish",
            "continue",
            "continue",
        )
    )
    assert found["break 2 if group_x == 1"][0].startswith("Breakpoint 1: 2 if group_x == 1")
    assert found["info threads"][0].startswith("* subgroup 0 of work-group (1, 0, 0) stopped here: #1 ")
    assert found["info threads"][1:] == ["  subgroup 1 of work-group (1, 0, 0) has not started, or has ended"]
    assert found["print r10.0"] == ["r10.0 = 0x00000005"]
    assert found["stepi"][1:] == ["     3  line 3 of the kernel", "=> #2    0x0030  barrier"]
    # While the first thread waits at the barrier, the second one comes to the breakpoint.
    assert found["next"][0] == "Breakpoint 1, 2"
    assert found["next"][1] == "k, work-group (1, 0, 0), subgroup 1 at held.mlir:2:1"
    assert found["thread 0"][0] == "k, work-group (1, 0, 0), subgroup 0 at held.mlir:3:1"
    assert found["info breakpoints"] == ["1: 2 if group_x == 1, hit 2 times, at #1 (held.mlir:2:1)"]
    assert found["bt"] == ["0  #2 barrier  at held.mlir:3:1"]
    for refused in ("info barriers", "info memory", "finish"):
        assert found[refused][0].startswith("error: ")
    assert found["continue"] == ["error: the program has ended"]
    assert ended(process) in (7, 41)


def test_calls(program: Start, session: Callable[..., list[str]]) -> None:
    process = program(CALLING, groups=1, size=32)
    lines = session(process, "break 4", "continue", "bt", "finish", "delete", "bt", "finish", "continue")
    at = lines.index("(xegpu) bt")
    assert lines[at + 1 : at + 3] == [
        "0  #4 add (16|M0) r10.0<1>:ud r10.0<1;1,0>:ud 0x1:ud  at held.mlir:4:1",
        "1  #1 call (1|M0) r20.0 L1  at held.mlir:2:1",
    ]
    found = answers(lines)
    assert [line.partition("  at ")[2] for line in found["bt"]] == ["held.mlir:3:1"]
    assert found["finish"] == ["error: the thread is in no subroutine: use continue"]
    assert found["continue"][-1] == "The program has ended."
    assert ended(process) == 6


ON_ARC = """
    mov (16|M0) r20.0<1>:ud 0x64:ud
    (W) mov (1|M0) r30.0<1>:uq r4.0<0;1,0>:uq
    (W) store.ugm.d32.a64 (1|M0) flat[r30] r20
    eot
"""


def test_several_cards(program: Start, session: Callable[..., list[str]]) -> None:
    """The debugger stops kernels on both, and steps on that of the kernel that is stopped."""
    process = program(groups=1, size=16, on_arc=ON_ARC)
    commands = ["break 2", "break 22", "continue", "set r10.0:ud = 30", "delete 1", "continue", "print r20.0"]
    lines = session(process, *commands, "stepi", "set r20.0:ud = 7", "info breakpoints", "bt", "continue", "continue")
    found = answers(lines)
    assert "Breakpoint 1, 2" in lines and "Breakpoint 2, 22" in lines
    assert found["print r20.0"] == ["r20.0 = 0x00000064"]
    assert found["stepi"][0] == "k, work-group (0, 0, 0), subgroup 0 at held.mlir:23:1"
    assert found["info breakpoints"] == ["2: 22, hit 1 time, at #1 (held.mlir:22:1)"]
    assert found["bt"] == ["0  #2 (W) store.ugm.d32.a64 (1|M0) flat[r30]:1 r20:1  at held.mlir:23:1"]
    assert ended(process) == 32 + 7


def test_one_of_several_cards(program: Start, session: Callable[..., list[str]]) -> None:
    process = program(groups=1, size=16, on_arc=ON_ARC)
    lines = session(process, "break 2", "continue", "continue", options=["--device", "1"])
    stops = [line for line in lines if line.startswith("k, work-group")]
    assert stops == ["k, work-group (0, 0, 0), subgroup 0 at held.mlir:21:1"]  # no line 2 there, but one behind it
    assert ended(process) == 7 + 100


def test_breakpoints_of_the_command_line(program: Start, session: Callable[..., list[str]]) -> None:
    process = program(groups=1, size=16)
    lines = session(process, "continue", "set r10 = 50", "detach", options=["--break", "4"])
    assert any(line.startswith("=> #4    0x0050  (W) store.ugm") for line in lines)
    assert ended(process) == 50


def test_memory_is_read_and_changed(program: Start, session: Callable[..., list[str]]) -> None:
    process = program(groups=1, size=16)
    found = answers(
        session(
            process,
            "break 5",
            "continue",
            "x/4ud r4.0:uq",
            "set {ud} r4.0:uq = 60",
            "set {f} slm:1020 = 1.5",
            "x/9f slm:1020",
            "set {uw} scratch:6 = 7",
            "x/2ud scratch:4",
            "x slm:1024",
            "set {uw} r4 = 1.5",
            "set r10:ub = 256",
            "set mask = 1",
            "quit",
        )
    )
    assert re.fullmatch(r"0x[0-9a-f]+: 7 0 0 0", found["x/4ud r4.0:uq"][0])
    assert found["x/9f slm:1020"] == ["0x3fc: 1.5"]
    assert found["x/2ud scratch:4"] == ["0x4: 458752 0"]
    for refused in ("x slm:1024", "set {uw} r4 = 1.5", "set r10:ub = 256", "set mask = 1"):
        assert found[refused][0].startswith("error: "), refused
    assert ended(process) == 60


def test_a_running_kernel_is_stopped(program: Start, session: Callable[..., list[str]]) -> None:
    process = program("loop:\nadd (1|M0) r9.0<1>:ud r9.0<0;1,0>:ud 1:ud\njmpi (1|M0) loop\neot")
    deadline = time.monotonic() + SECONDS
    while (lines := session(process, "info registers mask", "stepi 3", "quit"))[0] != "Interrupted.":
        assert time.monotonic() < deadline
    assert answers(lines)["info registers mask"] == ["mask = 0x0000ffff"]
    assert answers(lines)["stepi 3"][-1].startswith("=> #")


def test_faults(program: Start, session: Callable[..., list[str]]) -> None:
    process = program("mov (1|M0) r2:uq 0x40:uq\nload.ugm.d32.a64 (1|M0) r4 flat[r2]\neot", groups=1, size=16)
    found = answers(session(process, "continue", "print r2.0:uq", "continue"))
    assert found["print r2.0:uq"] == ["r2.0:uq = 64"]


class TestErrors:
    @pytest.mark.parametrize(
        ("arguments", "status", "message"),
        [
            ([], 2, "a process or a program is missing"),
            (["--dap", "1"], 2, "--dap takes nothing else"),
            ([str(os.getpid())], 1, "cannot be debugged"),
            (["99999999"], 1, "there is no process"),
            (["--device", "7", "1"], 2, "there is no card 7"),
            (["--device", "x", "1"], 2, "not the number of a card"),
            (["-x", "nowhere", "1"], 1, "nowhere"),
            (["--", "./nowhere"], 1, "nowhere"),
            (["--", sys.executable, "-c", "raise SystemExit(3)"], 1, "has ended with status 3"),
        ],
    )
    def test_command_lines(
        self, home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, message: str
    ) -> None:
        try:
            found = main(arguments)
        except SystemExit as error:
            found = error.code
        assert found == status
        assert message in capsys.readouterr().err

    def test_unknown_places(self, program: Start, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        process = program()
        while not (home / f"debug-{process}").exists():
            time.sleep(0.005)
        (home / "commands").write_text("break 99\ncontinue\nbreak 99\nquit\n")
        assert main(["-x", "commands", str(process)]) == 0
        assert ended(process) == 7


@pytest.mark.exhaustive
def test_a_terminal(home: Path) -> None:
    """The whole command, with a program that it starts, on a terminal of its own."""
    (home / "k.zebin").write_bytes(kernel_binary(TEXT, LINES))
    (home / "program.py").write_text(
        "import numpy as np\n"
        "from runtime import Device\n"
        "result = np.zeros(16, np.int32)\n"
        "Device('pvc').load('k.zebin')['k'][1, (16,)](result)\n"
        "print('result', result[0], flush=True)\n"
    )
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "tools.xegpu_debug", "--break", "4", "--", sys.executable, "program.py"]
    environment = {**os.environ, "TERM": "dumb", "PYTHONPATH": os.pathsep.join(sys.path)}
    debugger = subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environment)
    os.close(child)
    text = b""

    def until(wanted: bytes) -> None:
        nonlocal text
        deadline = time.monotonic() + SECONDS
        while wanted not in text:
            ready, _, _ = select.select([parent], [], [], max(0, deadline - time.monotonic()))
            assert ready, text.decode()
            text += os.read(parent, 4096)
        text = text[text.index(wanted) + len(wanted) :]

    until(b"Breakpoint 1, 4")
    until(b"(xegpu) ")
    os.write(parent, b"set r10.0:ud = 99\n")
    until(b"(xegpu) ")
    os.write(parent, b"info registers r10\n")
    until(b"0x00000063")
    until(b"(xegpu) ")
    debugger.send_signal(signal.SIGINT)
    until(b"(xegpu) ")
    os.write(parent, b"continue\n")
    until(b"result 99")
    until(b"The program has ended.")
    os.write(parent, b"quit\n")
    assert debugger.wait(SECONDS) == 0
    os.close(parent)


def test_breakpoints_in_native_code() -> None:
    """The first instructions of the program have no words in the code; the breakpoint is at the next that has."""
    binary = zebin.read((ROOT / "tests/data/zebin/vadd.pvc.zebin").read_bytes())
    module = load_module(zebin.write(binary), Simulator(PVC, Memory(), engine="interpreter"))
    executable = module.kernels["vadd"]
    device = LoadedCode("card", binary, module.kernels, 0)
    kernel = LoadedKernel(device.base_of(executable), executable, KernelListing(executable))
    (index,) = kernel.instructions_at("vadd")
    assert index in kernel.together(index) and 0 in kernel.together(index)
    before, after = device.read(kernel.address_of(index), 8), kernel.stopping(index)
    assert before is not None
    assert (int.from_bytes(before, "little") ^ int.from_bytes(after[:8], "little")).bit_count() == 1
    assert device.write(kernel.address_of(index), after)
    assert device.breakpoints == {executable: frozenset({index})}
