"""Settings and counters of a card: several threads and processes, and processes that are killed."""

from __future__ import annotations

import gc
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from runtime.card import Board, DeviceWork, Meter, NoRuntimeDirectory, TileCount, runtime_directory
from xegpu.targets import PVC


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XEGPU_RUNTIME_DIR", str(tmp_path / "runtime"))
    return tmp_path / "runtime"


def run(code: str) -> subprocess.Popen[bytes]:
    program = f"from runtime.card import *\nfrom xegpu.targets import PVC\n{code}"
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)


class TestDirectory:
    def test_it_is_the_users_alone(self, directory: Path) -> None:
        assert runtime_directory() == directory
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700

    def test_one_that_others_can_write_is_refused(self, directory: Path) -> None:
        directory.mkdir()
        directory.chmod(0o777)
        with pytest.raises(NoRuntimeDirectory, match="alone can write"):
            runtime_directory()
        assert not Board("card").is_shared

    def test_a_link_is_refused(self, directory: Path, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        directory.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(NoRuntimeDirectory):
            runtime_directory()

    def test_without_one_the_state_is_that_of_the_process(self, directory: Path) -> None:
        directory.write_text("a file")
        board = Board("card")
        board.settings.set(a=1.0)
        assert not board.is_shared
        assert (board.settings.number("a", 0), Board("card").settings.number("a", 0)) == (1, 0)


class TestSettings:
    def test_others_see_them(self) -> None:
        board, other = Board("card"), Board("card")
        board.settings.set(number=2.5, text="x", numbers=[1.0, 2.0])
        found = other.settings
        assert (found.number("number", 0), found.text("text", ""), found.numbers("numbers", [])) == (2.5, "x", [1, 2])
        assert found.number("text", 7) == 7
        assert Board("another card").settings.read() == {}

    def test_an_edit_that_fails_changes_nothing(self) -> None:
        settings = Board("card").settings
        settings.set(a=1.0)
        with pytest.raises(KeyError):
            settings.change(lambda values: values.pop("missing"))
        with pytest.raises(OverflowError, match="there are"):
            settings.set(a="x" * 40_000)
        assert settings.read() == {"a": 1.0}

    def test_threads_lose_nothing(self) -> None:
        """Each of 8 threads makes 125 changes that depend on what it reads, with a file of its own or a common one."""
        shared = Board("card")

        def count(board: Board, name: str) -> None:
            def one_more(values) -> None:
                values["all"] = values.get("all", 0) + 1
                values[name] = values.get(name, 0) + 1

            for _ in range(125):
                board.settings.change(one_more)
                assert board.settings.number(name, 0) > 0

        boards = [shared if number % 2 else Board("card") for number in range(8)]
        threads = [threading.Thread(target=count, args=(board, f"t{n}")) for n, board in enumerate(boards)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert Board("card").settings.read() == {"all": 1000, **{f"t{n}": 125 for n in range(8)}}

    def test_a_killed_writer_leaves_them_readable(self) -> None:
        """The settings stay as they were before the interrupted change, and others can change them at once."""
        board = Board("card")
        code = "s = Board('card').settings\nn = 0\nwhile True:\n n += 1\n s.set(a=n, b=[n] * 2000)\n print(flush=True)"
        for _ in range(3):
            process = run(code)
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.03)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            found = board.settings.read()
            assert found["b"] == [found["a"]] * 2000
            board.settings.set(mine=1.0)
            assert board.settings.number("mine", 0) == 1


class TestCounters:
    WORK = DeviceWork(is_copy=False, kernels=1, core_cycles=1.6e6, joules=0.1, read=1000, written=24)

    def test_work_takes_time_and_energy(self) -> None:
        board, meter = Board("card"), Meter("card", PVC, 0)
        done = meter.count(self.WORK)
        assert done.seconds == pytest.approx(1e-3)
        # Static power for a millisecond, what the instructions take, and 30 picojoules for each byte.
        assert done.joules == pytest.approx(60e-3 + 0.1 + 1024 * 30e-12)
        counts = {count: board.tile_count(0, count) for count in TileCount}
        assert counts[TileCount.COMPUTE_NS] == 1_000_000
        assert counts[TileCount.NANOJOULES] == round(done.joules * 1e9)
        assert (counts[TileCount.READ_BYTES], counts[TileCount.WRITTEN_BYTES]) == (1000, 24)
        assert counts[TileCount.KERNELS] == 1
        assert not any(board.tile_count(1, count) for count in TileCount)
        assert 0 < board.heat(0, PVC.power.cooling_seconds) <= done.joules

    def test_threads_lose_no_count(self) -> None:
        meter = Meter("card", PVC, 0)
        threads = [threading.Thread(target=lambda: [meter.count(self.WORK) for _ in range(500)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        board = Board("card")
        assert board.tile_count(0, TileCount.KERNELS) == 4000
        heat = 4000 * meter.execution(self.WORK).joules
        assert 0.9 * heat < board.heat(0, 1e9) <= heat, "the rest is what is lost in the time that it takes"

    def test_counts_outlive_the_process(self) -> None:
        """And the next process counts on in the same slot."""
        code = (
            "class Held: local_bytes = 4096\nm = Meter('card', PVC, 1)\nm.hold(Held)\n"
            "m.count(DeviceWork(False, 1, 1e6))\nprint(flush=True)\ninput()"
        )
        board = Board("card")
        for number in range(1, 4):
            process = subprocess.Popen(
                [sys.executable, "-c", f"from runtime.card import *\nfrom xegpu.targets import PVC\n{code}"],
                stdout=subprocess.PIPE,
                stdin=subprocess.PIPE,
            )
            assert process.stdout is not None
            process.stdout.readline()
            assert [(user.process, user.memory) for user in board.users()] == [(process.pid, (0, 4096))]
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            assert board.users() == []
            assert board.tile_count(1, TileCount.KERNELS) == number
        assert len(list(board.used_slots)) == 1

    def test_memory_is_what_its_holder_has(self) -> None:
        """A change that was not told, as the thread was interrupted, is made up for by the next."""
        holder, meter = SimpleNamespace(local_bytes=0), Meter("card", PVC, 0)
        meter.hold(holder)
        assert Board("card").users() == [], "who has no memory is no user"
        for held in (4096, 12288, 8192, 0):
            holder.local_bytes = held
            if held != 12288:
                meter.hold(holder)
                assert [user.memory[0] for user in Board("card").users()] == [held]
        other = Meter("card", PVC, 0)
        other.hold(SimpleNamespace(local_bytes=512))
        holder.local_bytes = 64
        meter.hold(holder)
        assert [user.memory[0] for user in Board("card").users()] == [576]
        del other
        gc.collect()
        assert [user.memory[0] for user in Board("card").users()] == [64]

    def test_a_child_of_fork_has_a_slot_of_its_own(self) -> None:
        code = (
            "import os\nclass Held: local_bytes = 1\nm = Meter('card', PVC, 0)\nm.hold(Held)\n"
            "if os.fork():\n os.wait()\nelse:\n Meter('card', PVC, 0).count(DeviceWork(False, 1, 1e6))\n"
            " print(sorted(u.memory[0] for u in board_of('card').users()))"
        )
        process = run(code)
        assert process.communicate()[0] == b"[0, 1]\n"


class TestBounds:
    def test_a_lower_clock_takes_longer_and_less_energy(self) -> None:
        board, meter = Board("card"), Meter("card", PVC, 0)
        work = DeviceWork(is_copy=False, core_cycles=1.6e6, joules=0.1)
        fast = meter.execution(work)
        board.settings.set(**{"frequency.0.range": [600.0, 800.0]})
        slow = meter.execution(work)
        assert slow.clock_mhz == 800
        assert slow.seconds == pytest.approx(2 * fast.seconds)
        assert slow.joules < fast.joules
        assert slow.throttled_seconds == 0

    def test_a_limit_of_power_throttles(self) -> None:
        board, meter = Board("card"), Meter("card", PVC, 0)
        work = DeviceWork(is_copy=False, core_cycles=1.6e6, joules=0.15)
        assert meter.execution(work).clock_mhz == 1600
        board.settings.set(**{"power.0.sustained": 150.0})
        done = meter.execution(work)
        assert done.clock_mhz < 1600
        assert done.joules / done.seconds <= 150
        assert done.throttled_seconds == done.seconds

    def test_memory_has_its_own_clock(self) -> None:
        board, meter = Board("card"), Meter("card", PVC, 0)
        work = DeviceWork(is_copy=False, core_cycles=1.0, other_seconds=1e-3)
        board.settings.set(**{"frequency.0.range": [600.0, 600.0]})
        assert meter.execution(work).seconds == pytest.approx(1e-3)
