"""`xegpu-top`: what it shows, on a terminal and elsewhere."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from runtime.card import DeviceWork, Meter
from runtime.zes.inventory import cards
from tools import xegpu_top
from tools.top.samples import CardSample, ProcessSample, TileSample, rates, sample
from tools.top.view import joules, readable, view
from xegpu.targets import PVC


@dataclass
class Holder:
    """Somebody who has memory of a card."""

    local_bytes: int


TILE = TileSample(0, 0, 0, 0, 0, 0, 1600.0, 40.0, 0, 1 << 30, 0)


@pytest.fixture(autouse=True)
def own_directory(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path))


def text_of(before: CardSample, now: CardSample) -> str:
    console = Console(width=140, no_color=True)
    with console.capture() as captured:
        console.print(view([before], [now]))
    return captured.get()


class TestView:
    def test_rates(self) -> None:
        now = TileSample(0, 1_000_000, 30_000, 100, 50, 7, 1600.0, 40.0, 0, 1 << 30, 3000)
        found = rates(TILE, now)
        assert (found.compute, found.copy, found.traffic) == (1e-4, 5e-5, 3000)
        assert found.watts == pytest.approx(30_000 / 150)
        assert rates(TILE, TILE) == rates(now, now)

    def test_text(self) -> None:
        before = CardSample("PVC", "0000:3a:00.0", False, 600_000, (TILE,), ())
        now = TileSample(0, 1_000_000, 2_500_000, 500_000, 0, 0, 800.0, 95.0, 1 << 29, 1 << 30, None)
        text = text_of(
            before,
            CardSample("PVC", "0000:3a:00.0", True, 300_000, (now,), (ProcessSample(7, "[b]sim", 4096, "compute"),)),
        )
        for part in (
            "limit 300 W",
            "must be reset",
            "800 MHz",
            "95.0 C",
            "50.00%",
            "512 MiB of 1 GiB",
            "[b]sim",
            "4 KiB",
        ):
            assert part in text
        assert "no process uses it" in text_of(before, before)

    @pytest.mark.parametrize(("size", "text"), [(0, "0 B"), (1023, "1023 B"), (1 << 20, "1 MiB"), (3 << 29, "1.5 GiB")])
    def test_sizes(self, size: int, text: str) -> None:
        assert readable(size) == text

    @pytest.mark.parametrize(
        ("energy", "text"), [(0, "0 uJ"), (68, "68 uJ"), (1500, "1.5 mJ"), (2_500_000, "2.5 J"), (10**16, "1e+04 MJ")]
    )
    def test_energies(self, energy: int, text: str) -> None:
        assert joules(energy) == text

    def test_samples_follow_work(self) -> None:
        card = cards()[0]
        before = sample(card)
        meter = Meter(card.board_name, PVC, 1)
        meter.hold(Holder(1 << 30))
        meter.count(DeviceWork(is_copy=False, core_cycles=1.6e6, joules=0.1))
        now = sample(card)
        assert rates(before.tiles[0], now.tiles[0]).watts == 0
        assert rates(before.tiles[1], now.tiles[1]).watts == pytest.approx(160, abs=1)
        assert now.tiles[1].used == 1 << 30
        assert [process.number for process in now.processes] == [os.getpid()]


class TestCommand:
    def test_printed_once_without_a_terminal(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert xegpu_top.main(["--interval=0.01"]) == 0
        text = capsys.readouterr().out
        assert text.count("Intel(R) Data Center GPU Max 1550") == text.count("Intel(R) Arc(TM) A770 Graphics") == 1
        assert "\x1b" not in text
        assert xegpu_top.main(["--interval=0.01", "--count=3"]) == 0
        assert capsys.readouterr().out.count("A770") == 3

    @pytest.mark.parametrize("words", [["--interval=0"], ["--interval=nan"], ["--count=-1"], ["--count=x"], ["file"]])
    def test_wrong_usage(self, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit, match="2"):
            xegpu_top.main(words)
        assert "xegpu-top: error:" in capsys.readouterr().err

    def test_no_cards(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setenv("XEGPU_DEVICE", "abacus")
        monkeypatch.setattr("runtime.zes.system.access._drivers", {})
        assert xegpu_top.main([]) == 1
        assert "abacus" in capsys.readouterr().err


class Terminal:
    """A process on a terminal of its own, with what it has written."""

    def __init__(self, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (40, 140))
        # The size is that of the terminal, whatever the terminal of the tests has told its processes.
        sizes = ("COLUMNS", "LINES")
        environment = {name: value for name, value in os.environ.items() if name not in sizes}
        environment["TERM"] = "xterm-256color"
        self.before = termios.tcgetattr(theirs)
        self.theirs = theirs
        # A shell makes what it starts in the background ignore interrupts, and so do tests that it starts there.
        interrupts = "signal.signal(signal.SIGINT, signal.default_int_handler)"
        code = f"import signal, sys; {interrupts}; from tools.xegpu_top import main; sys.exit(main())"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *words],
            stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
        )  # fmt: skip
        self.text = b""

    def wait_for(self, text: bytes, times: int = 1) -> None:
        deadline = time.monotonic() + 30
        while self.text.count(text) < times:
            assert time.monotonic() < deadline and self.process.poll() is None, self.text
            if select.select([self.ours], [], [], 0.1)[0]:
                self.text += os.read(self.ours, 1 << 16)

    def wait_until_it_sleeps(self) -> None:
        """Between two views: what writes one is awake, or sleeps for moments only."""
        asleep = 0
        while asleep < 10:
            state = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0]
            asleep = asleep + 1 if state == "S" else 0
            time.sleep(0.03)

    def end(self) -> int:
        deadline = time.monotonic() + 60
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                self.process.kill()
            if select.select([self.ours], [], [], 0.1)[0]:
                self.text += os.read(self.ours, 1 << 16)
        assert termios.tcgetattr(self.theirs) == self.before, "the terminal is as it was"
        os.close(self.ours)
        os.close(self.theirs)
        return self.process.wait()


class TestTerminal:
    def test_live_until_q(self) -> None:
        """The view changes with what other processes do, and the screen is restored."""
        terminal = Terminal("--interval=0.05")
        terminal.wait_for(b"A770", 2)
        assert b"\x1b[?1049h" in terminal.text
        assert b"xegpu-top" not in terminal.text
        board = cards()[0].board_name
        meter = Meter(board, PVC, 0)
        meter.hold(Holder(1 << 30))
        terminal.wait_for(b"1 GiB of 64 GiB")
        terminal.wait_for(str(os.getpid()).encode())
        os.write(terminal.ours, b"xq")
        assert terminal.end() == 0
        assert b"\x1b[?1049l" in terminal.text

    def test_an_interrupt_quits(self) -> None:
        terminal = Terminal("--interval=3600")
        terminal.wait_for(b"A770")
        terminal.wait_until_it_sleeps()
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 0

    def test_a_number_of_views(self) -> None:
        terminal = Terminal("--interval=0.01", "--count=2")
        assert terminal.end() == 0
        assert terminal.text.count(b"A770") == 2
