"""Debugger and program are two processes, and either may be killed at any moment."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from runtime import ze, zet
from runtime.debuggee import PACKET_BYTES, PROTOCOL_VERSION, Request, RequestKind
from runtime.ze import simulated_driver
from tests.unit.runtime.zet.debug.test_session import Event, refused, stopped_at, write_lane
from tests.unit.runtime.zet.debug.world import PATIENCE, DebuggedWorld
from xegpu.targets import PVC

Fork = Callable[[Callable[[], int]], int]
Make = Callable[..., DebuggedWorld]


@pytest.fixture
def fork() -> Iterator[Fork]:
    """Runs a function in a child process, which ends with its result; children do not outlive the test."""
    children: list[int] = []

    def start(body: Callable[[], int]) -> int:
        child = os.fork()
        if not child:
            status = 99
            try:
                status = body()
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        children.append(child)
        return child

    yield start
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        except (ProcessLookupError, ChildProcessError):
            continue


def ended(child: int) -> int:
    """Waits for a child and returns its status."""
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    raise TimeoutError


def attached(pid: int) -> zet.zet_debug_session_handle_t:
    """A session with a program that has perhaps not made its driver."""
    device = ze.zeDeviceGet(simulated_driver([PVC]))[0]
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            return zet.zetDebugAttach(device, zet.zet_debug_config_t(pid))
        except ze.ZeError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def launched(debuggable: pytest.MonkeyPatch) -> int:
    """Runs a kernel in this process when a debugger has come, and returns what it wrote."""
    debuggable.setenv("XEGPU_WAIT_FOR_DEBUGGER", "20")
    world = DebuggedWorld(debuggable, attaches=False)
    world.launch(groups=2, size=32)
    return world.result()


class Client(DebuggedWorld):
    """The debugger of a program in another process, with the helpers of a world."""

    def __init__(self, pid: int) -> None:
        self._session = attached(pid)
        self._launch = None

    def launch(self, groups: int = 1, size: int = 16) -> None:
        """The program launches."""


def test_a_register_is_changed_in_another_process(debuggable: pytest.MonkeyPatch, fork: Fork) -> None:
    program = fork(lambda: launched(debuggable))
    client = Client(program)
    thread = stopped_at(client, 4)
    for value in (40, 41, 42, 43):
        write_lane(client, thread, 10, value)
        client.go(thread)
        event = client.event()
        if event.info.thread is not None:
            thread = event.info.thread.thread
    assert event.type is Event.ZET_DEBUG_EVENT_TYPE_DETACHED
    assert event.info.detached is not None
    assert event.info.detached.reason is zet.zet_debug_detach_reason_t.ZET_DEBUG_DETACH_REASON_HOST_EXIT
    refused("NOT_READY", lambda: zet.zetDebugReadEvent(client.session, 0))
    assert ended(program) == 43


@pytest.mark.parametrize("moment", ["attached", "before the acknowledgement", "stopped", "interrupted"])
def test_a_killed_debugger_lets_the_program_go_on(debuggable: pytest.MonkeyPatch, fork: Fork, moment: str) -> None:
    program = fork(lambda: launched(debuggable))
    told, tells = os.pipe()

    def debug() -> int:
        client = Client(program)
        if moment == "before the acknowledgement":
            client.event()
        elif moment != "attached":
            thread = stopped_at(client, 1)
            if moment == "interrupted":
                zet.zetDebugInterrupt(client.session, zet.ze_device_thread_t(0, 1, 2, 3))
                client.go(thread)
        os.write(tells, b"x")
        time.sleep(PATIENCE)
        return 0

    debugger = fork(debug)
    os.close(tells)
    assert os.read(told, 1) == b"x"
    os.kill(debugger, signal.SIGKILL)
    assert ended(program) == 7


def test_a_killed_program_is_told(debuggable: pytest.MonkeyPatch, fork: Fork) -> None:
    program = fork(lambda: launched(debuggable))
    client = Client(program)
    stopped_at(client, 1)
    os.kill(program, signal.SIGKILL)
    event = client.event()
    assert event.type is Event.ZET_DEBUG_EVENT_TYPE_DETACHED
    refused("ERROR_NOT_AVAILABLE", lambda: zet.zetDebugResume(client.session, zet.ze_device_thread_t()))
    zet.zetDebugDetach(client.session)


def test_one_debugger_at_a_time(debuggable: pytest.MonkeyPatch, fork: Fork, make: Make) -> None:
    world = make()
    world.loaded()

    def second() -> int:
        device = ze.zeDeviceGet(simulated_driver([PVC]))[0]
        try:
            zet.zetDebugDetach(zet.zetDebugAttach(device, zet.zet_debug_config_t(os.getppid())))
        except ze.ZeError as error:
            return 1 if "another debugger is attached" in str(error) else 2
        return 0

    assert ended(fork(second)) == 1
    zet.zetDebugDetach(world.session)
    assert ended(fork(second)) == 0
    world.attach()


def test_programs_that_are_not_debuggable_have_no_socket(
    monkeypatch: pytest.MonkeyPatch, runtime_home: Path, fork: Fork
) -> None:
    monkeypatch.delenv("ZET_ENABLE_PROGRAM_DEBUGGING", raising=False)
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(runtime_home))

    def run() -> int:
        driver = simulated_driver([PVC])
        return int(driver.machine.debugged is not None or (runtime_home / f"debug-{os.getpid()}").exists())

    assert ended(fork(run)) == 0


def test_the_environment_is_checked(debuggable: pytest.MonkeyPatch, fork: Fork) -> None:
    def run(variable: str, value: str) -> int:
        debuggable.setenv(variable, value)
        try:
            ze.zeInit()
        except ze.ZeError as error:
            return 1 if variable in str(error) or "no socket" in str(error) else 2
        return 0

    assert ended(fork(lambda: run("XEGPU_WAIT_FOR_DEBUGGER", "soon"))) == 1
    assert ended(fork(lambda: run("XEGPU_RUNTIME_DIR", "/proc/1"))) == 1


class TestHostileBytes:
    """Tests that bytes which are no message end the session and nothing else."""

    def connection(self, runtime_home: Path) -> socket.socket:
        found = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        home = os.open(runtime_home, os.O_PATH)
        found.connect(f"/proc/self/fd/{home}/debug-{os.getpid()}")
        os.close(home)
        found.settimeout(PATIENCE / 1000)
        return found

    def attach(self, world: DebuggedWorld, runtime_home: Path) -> socket.socket:
        found = self.connection(runtime_home)
        card = world.device.board_name.encode()
        found.send(Request(RequestKind.ATTACH, count=PROTOCOL_VERSION, data=card).pack())
        return found

    @pytest.mark.parametrize(
        "packet",
        [b"", b"\0", b"\xff" * 36, bytes(36), b"\x05" + bytes(10), b"\x02" + bytes(PACKET_BYTES + 100), b"x" * 100_000],
    )
    @pytest.mark.parametrize("is_attached", [True, False])
    def test_packets(self, make: Make, runtime_home: Path, packet: bytes, is_attached: bool) -> None:
        world = make(attaches=False)
        connection = self.attach(world, runtime_home) if is_attached else self.connection(runtime_home)
        if packet:
            connection.send(packet)
        else:
            connection.shutdown(socket.SHUT_WR)
        while connection.recv(PACKET_BYTES):
            pass
        connection.close()
        world.launch(size=32)
        assert world.result() == 7

    def test_requests_with_random_members(self, make: Make, runtime_home: Path) -> None:
        """Every request is answered, whatever its members; the program goes on."""
        world = make(attaches=False)
        connection = self.attach(world, runtime_home)
        extremes = (0, 1, 255, 1 << 31, (1 << 32) - 1, (1 << 63) + 5, (1 << 64) - 1)
        kinds = [kind for kind in RequestKind if kind is not RequestKind.DETACH]
        for number, kind in enumerate(kinds * 7):
            place = struct.pack("<4I", *((extremes[(number + k) % 7]) & 0xFFFF_FFFF for k in range(4)))
            first, count = extremes[number % 7], extremes[number // 7 % 7]
            head = struct.pack("<HH", kind, extremes[number % 5] & 0xFFFF)
            connection.send(head + place + struct.pack("<QQ", first, count) + b"data" * (number % 3))
            while int.from_bytes(connection.recv(PACKET_BYTES)[:2], "little"):
                pass  # notices
        connection.close()
        world.launch(size=32)
        assert world.result() == 7

    def test_a_debugger_that_reads_nothing(
        self, make: Make, runtime_home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("runtime.debuggee.server._SEND_SECONDS", 1)
        world = make(attaches=False)
        connection = self.attach(world, runtime_home)
        packet = Request(RequestKind.READ_MEMORY, count=64, first=world.memory).pack()
        connection.settimeout(3)
        with contextlib.suppress(OSError):  # whichever end gives up first
            while True:
                connection.send(packet)
        connection.close()
        world.launch(size=32)
        assert world.result() == 7

    def test_too_many_connections(self, make: Make, runtime_home: Path) -> None:
        world = make(attaches=False)
        connections = [self.connection(runtime_home) for _ in range(12)]
        assert connections[-1].recv(10) == b""
        for connection in connections:
            connection.close()
        world.launch(size=32)
        assert world.result() == 7
