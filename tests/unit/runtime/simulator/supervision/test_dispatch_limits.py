"""Tests of the limits that users set for a launch, and of what they see while it runs."""

from __future__ import annotations

import re
import sys
import threading

import pytest

from runtime import Device, ZeError, ze
from runtime.simulator import (
    DeviceFault,
    DeviceLimits,
    Dispatch,
    Executable,
    FaultKind,
    LaunchStopped,
    Memory,
    Simulator,
    choose_limits,
    default_progress,
    stop_launches,
)
from runtime.simulator.supervision import watch
from runtime.simulator.supervision.limits import parse_bytes, usable_cores
from runtime.simulator.supervision.progress_bar import progress_bar
from runtime.ze.driver.system import process
from tests.unit.runtime.simulator.described import described
from xegpu.isa import assemble
from xegpu.targets import PVC

ENGINES = ("jit", "interpreter")
ENDLESS = "(W) nop (1|M0)\nloop:\n(W) jmpi (1|M0) loop\n(W) eot (1|M0)"
GRID = Dispatch((5, 1, 1), (1, 1, 1))


def load(simulator: Simulator, text: str) -> Executable:
    return simulator.load(described("k", assemble(text), PVC, 1, 128, barrier_count=1))


# Where limits come from.


def test_defaults() -> None:
    assert choose_limits(environment={}) == DeviceLimits(usable_cores(), None, None, 1 << 32)


def test_the_environment_and_what_counts_more() -> None:
    environment = {
        "XEGPU_THREADS": "3",
        "XEGPU_TIME_LIMIT": "1.5",
        "XEGPU_MEMORY_LIMIT": "2G",
        "XEGPU_INSTRUCTION_LIMIT": "1000",
    }
    assert choose_limits(environment=environment) == DeviceLimits(3, 1.5, 2 << 30, 1000)
    assert choose_limits(1, 2.5, 100, 10, environment) == DeviceLimits(1, 2.5, 100, 10)
    assert choose_limits(environment=dict.fromkeys(environment, "")) == choose_limits(environment={})


@pytest.mark.parametrize("text", ["0", "-1", "much", "nan", "1e999", "1.5.1", "4X"])
@pytest.mark.parametrize("name", ["THREADS", "TIME_LIMIT", "MEMORY_LIMIT", "INSTRUCTION_LIMIT"])
def test_nonsense_in_the_environment_is_refused(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^XEGPU_{name}={text} in the environment is no positive number$"):
        choose_limits(environment={f"XEGPU_{name}": text})


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"threads": 0}, "0 host threads"),
        ({"time_limit": 0.0}, "a time limit of 0.0 s"),
        ({"time_limit": float("nan")}, "a time limit of nan s"),
        ({"memory_limit": -1}, "a memory limit of -1 bytes"),
    ],
)
def test_nonsense_in_arguments_is_refused(arguments: dict[str, float], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Device("pvc", **arguments)  # type: ignore[arg-type]  # one argument of several types


@pytest.mark.parametrize(("text", "size"), [("7", 7), ("3k", 3072), ("512M", 512 << 20), ("4G", 4 << 30)])
def test_bytes(text: str, size: int) -> None:
    assert parse_bytes(text) == size


def test_level_zero_names_nonsense_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_drivers", [])
    monkeypatch.setenv("XEGPU_THREADS", "none")
    with pytest.raises(ZeError, match="XEGPU_THREADS=none in the environment is no positive number"):
        ze.zeInit(0)


# Time.


@pytest.mark.parametrize("engine", ENGINES)
def test_a_launch_that_takes_too_long_is_a_fault(engine: str) -> None:
    simulator = Simulator(PVC, Memory(), engine, 2, time_limit=0.2)
    with pytest.raises(DeviceFault) as caught:
        simulator.run(load(simulator, ENDLESS), GRID)
    fault = caught.value
    assert (fault.kind, fault.subgroup, fault.offset) == (FaultKind.TIME_LIMIT, 0, 32)
    assert fault.group in {(0, 0, 0), (1, 0, 0)}
    assert str(fault).startswith("time limit in kernel 'k': the launch has run for more than 0.2 s\n  at: work-group (")
    assert simulator.run(load(simulator, "(W) eot (1|M0)"), GRID).groups == 5


@pytest.mark.parametrize("engine", ENGINES)
def test_time_limits_hold_on_all_host_threads(engine: str) -> None:
    simulator = Simulator(PVC, Memory(), engine, 2, time_limit=0.2)
    faults: list[DeviceFault] = []

    def work() -> None:
        try:
            simulator.run(load(simulator, ENDLESS), GRID)
        except DeviceFault as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [fault.kind for fault in faults] == [FaultKind.TIME_LIMIT] * 3


@pytest.mark.parametrize("engine", ENGINES)
def test_time_limits_hold_between_work_groups(engine: str) -> None:
    simulator = Simulator(PVC, Memory(), engine, 2, time_limit=0.2)
    with pytest.raises(DeviceFault) as caught:
        simulator.run(load(simulator, "(W) nop (1|M0)\n(W) eot (1|M0)"), Dispatch((1 << 30, 1 << 10, 1), (1, 1, 1)))
    assert caught.value.kind is FaultKind.TIME_LIMIT


@pytest.mark.parametrize("engine", ENGINES)
def test_a_launch_in_time_is_none(engine: str) -> None:
    simulator = Simulator(PVC, Memory(), engine, time_limit=1000)
    assert simulator.run(load(simulator, "barrier\n(W) eot (1|M0)"), Dispatch((5, 1, 1), (3, 1, 1))).threads == 15


def test_the_environment_limits_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XEGPU_TIME_LIMIT", "0.1")
    simulator = Simulator(PVC, Memory())
    with pytest.raises(DeviceFault, match=r"more than 0\.1 s"):
        simulator.run(load(simulator, ENDLESS), GRID)


@pytest.mark.parametrize("engine", ENGINES)
def test_launches_can_be_stopped_from_another_thread(engine: str) -> None:
    simulator = Simulator(PVC, Memory(), engine, 2)
    executable = load(simulator, ENDLESS)
    timer = threading.Timer(0.3, stop_launches)
    timer.start()
    with pytest.raises(LaunchStopped, match="kernel 'k' was stopped"):
        simulator.run(executable, GRID)
    timer.join()
    assert simulator.run(load(simulator, "(W) eot (1|M0)"), GRID).groups == 5


# Memory.


def test_memory_is_limited() -> None:
    device = Device("pvc", memory_limit=4096)
    first = device.empty(512)
    with pytest.raises(ZeError, match="OUT_OF_DEVICE_MEMORY"):
        device.empty(1024)
    del first


# Progress.


class Recorder:
    """Notes what a launch tells about its progress."""

    def __init__(self) -> None:
        self.made: list[tuple[str, int]] = []
        self.seen: list[int] = []
        self.closed = 0

    def make(self, kernel: str, groups: int) -> Recorder:
        self.made.append((kernel, groups))
        return self

    def update(self, done: int) -> None:
        self.seen.append(done)

    def close(self) -> None:
        self.closed += 1


SLOW = """
    (W) mov (1|M0) r10.0<1>:ud 0:ud
loop:
    (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 1:ud
    (W) cmp (1|M0) (lt)f0.0 null<1>:ud r10.0<0;1,0>:ud {count}:ud
    (W&f0.0) jmpi (1|M0) loop
    (W) eot (1|M0)
"""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "PATIENCE", 0.0)
    monkeypatch.setattr(watch, "PERIOD", 0.01)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("engine", ENGINES)
def test_long_launches_tell_how_far_they_are(engine: str) -> None:
    recorder = Recorder()
    simulator = Simulator(PVC, Memory(), engine, 2, progress=recorder.make)
    executable = load(simulator, SLOW.format(count=2_000_000 if engine == "jit" else 100))
    simulator.run(executable, Dispatch((20, 5, 1), (1, 1, 1)))
    assert recorder.made == [("k", 100)]
    assert recorder.seen == sorted(recorder.seen)
    assert 0 <= recorder.seen[0] < recorder.seen[-1] <= 100
    assert recorder.closed == 1


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("engine", ENGINES)
def test_progress_ends_with_a_fault(engine: str) -> None:
    recorder = Recorder()
    simulator = Simulator(PVC, Memory(), engine, 1, time_limit=0.2, progress=recorder.make)
    with pytest.raises(DeviceFault):
        simulator.run(load(simulator, ENDLESS), GRID)
    assert recorder.closed == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_short_launches_show_nothing(engine: str) -> None:
    recorder = Recorder()
    simulator = Simulator(PVC, Memory(), engine, 1, progress=recorder.make)
    simulator.run(load(simulator, "(W) eot (1|M0)"), GRID)
    assert not recorder.made


def test_a_bar_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    bar = progress_bar("gemm", 400)
    assert bar is not None
    assert progress_bar("other", 4) is None  # there is one already
    bar.update(100)
    bar.close()
    output, errors = capsys.readouterr()
    assert output == ""
    text = re.sub(r"\x1b\[[\d;?]*\w", "", errors)
    assert "gemm" in text
    assert "100/400 work-groups" in text
    after = progress_bar("other", 4)
    assert after is not None
    after.close()


@pytest.mark.parametrize(
    ("wish", "terminal", "shown"),
    [("", True, True), ("", False, False), ("always", False, True), ("never", True, False), ("auto", False, False)],
)
def test_who_sees_bars(wish: str, terminal: bool, shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", type("Stream", (), {"isatty": lambda self: terminal})())
    assert (default_progress({"XEGPU_PROGRESS": wish}) is not None) == shown


def test_an_unknown_wish_is_refused() -> None:
    with pytest.raises(ValueError, match="XEGPU_PROGRESS=maybe in the environment is none of auto, always, never"):
        default_progress({"XEGPU_PROGRESS": "maybe"})
