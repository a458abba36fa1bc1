"""Sweeps over processes: the same results with any number of workers, and whatever happens to them."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from runtime import Device
from runtime.cluster import ClusterError, Workers, spread
from tests.paths import EXAMPLES
from tools import xegpu_tune
from tools.tune.job import Job, JobOutcome, measure
from tools.tune.template import fill

# Those of Dask and its event loops are not ours.
pytestmark = pytest.mark.filterwarnings("default")


def square(number: int) -> int:
    return number * number


def scaled(factor: int, number: int) -> int:
    return factor * number


def refuse(number: int) -> int:
    raise ValueError(f"no {number}")


def test_this_process_is_a_worker() -> None:
    with Workers() as workers:
        assert workers.count == 1
        assert dict(workers.map(square, [3, 4])) == {0: 9, 1: 16}
        assert list(workers.map_with(10, scaled, [3, 4])) == [(0, 30), (1, 40)]
        assert list(workers.map(square, [])) == []
        with pytest.raises(ValueError, match="no 1"):
            list(workers.map(refuse, [1]))


def test_local_workers_take_jobs_from_nobody_else() -> None:
    distributed = pytest.importorskip("distributed")
    with Workers(count=1) as workers:
        assert workers._cluster is not None
        address = workers._cluster.scheduler_address
        assert address.startswith("tls://")
        with pytest.raises(OSError, match="in <TCP"):
            distributed.Client(address.replace("tls", "tcp"), timeout="2s", set_as_default=False)
        with pytest.raises((OSError, TypeError)):
            distributed.Client(address, security=distributed.Security.temporary(), timeout="2s", set_as_default=False)


def test_local_workers_need_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(ClusterError, match="local workers need keys: pip install cryptography"):
        Workers(count=1)


def test_without_dask_workers_are_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("xegpu.on_demand.libraries.find_spec", lambda _: None)
    with pytest.raises(ClusterError, match=r"pip install 'xegpu-toolkit\[cluster\]'"):
        Workers(count=2)
    words = [
        str(EXAMPLES / "templates" / "gemm.mlir.in"),
        "--param",
        "m=1",
        "--expect",
        "c=ones:1xf32",
        "--workers",
        "2",
    ]
    assert xegpu_tune.main(words) == 1
    assert "workers need distributed" in capsys.readouterr().err


def jobs(count: int) -> list[Job]:
    """Returns different matrix products; some of them do not compile."""
    template = (EXAMPLES / "templates" / "gemm.mlir.in").read_text()
    found = []
    for number in range(count):
        m, n, sg_m = (8 << number % 4), (16 << number // 4 % 3), (3 if number % 20 == 19 else 1 << number // 12 % 2)
        settings = {"m": m, "n": n, "k": 16 << number // 24 % 2, "sg_m": sg_m, "sg_n": 1}
        arguments = (f"random:256x256xbf16:{number}", "random:256x256xbf16:1", "zeros:256x256xf32")
        grid = fill("${256 // m},${256 // n}", settings)
        found.append(
            Job("gemm.mlir", fill(template, settings), grid, arguments, (("c", "numpy:a @ b"),), "pvc", absolute=1e-4)
        )
    return found


class Deadly:
    """Measures a job, and ends its process by SIGKILL instead the first time that it is asked to do one of some."""

    def __init__(self, folder: Path, deadly: frozenset[str]) -> None:
        self.folder = folder
        self.deadly = deadly

    def __call__(self, job: Job) -> JobOutcome:
        mark = self.folder / job.key
        if job.key in self.deadly and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return measure(job)


@pytest.mark.exhaustive
def test_four_workers_of_which_some_are_killed_find_what_one_finds(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    sweep = jobs(200)
    with Workers(count=1) as workers:
        alone = dict(workers.map(measure, sweep))
    killed = frozenset(sweep[number].key for number in (3, 50, 120))
    with Workers(count=4) as workers:
        assert workers.count == 4
        found = dict(workers.map(Deadly(tmp_path, killed), sweep))
    assert {path.name for path in tmp_path.iterdir()} == killed
    assert found == alone
    assert len({outcome.digest for outcome in found.values() if outcome.digest}) > 100
    assert any(outcome.error for outcome in found.values())
    assert sum(outcome.cycles is not None and not outcome.error for outcome in found.values()) > 100


@pytest.mark.exhaustive
def test_a_launch_over_four_workers_is_bit_equal() -> None:
    pytest.importorskip("distributed")
    device = Device("pvc")
    module = device.compile((EXAMPLES / "gemm.mlir").read_text())
    random = np.random.default_rng(5)
    a, b = random.uniform(-1, 1, (2, 256, 256)).astype(ml_dtypes.bfloat16)
    whole, parts = np.zeros((2, 256, 256), np.float32)
    module["gemm"][32, 16](a, b, whole)
    with Workers(count=4) as workers:
        spread(workers, device, module.binary, "gemm", (32, 16), (a, b, parts))
    assert whole.tobytes() == parts.tobytes()


def end_process(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.mark.exhaustive
def test_a_job_that_ends_every_worker_is_reported() -> None:
    pytest.importorskip("distributed")
    with Workers(count=2) as workers, pytest.raises(ClusterError, match="a job ends each worker that does it"):
        list(workers.map(end_process, [0]))


@pytest.mark.exhaustive
def test_a_scheduler_that_does_not_answer_is_reported() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ClusterError, match=r"no scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        Workers("tcp://127.0.0.1:9")


@pytest.mark.exhaustive
def test_tuning_with_workers_finds_what_it_finds_without(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    words = [
        str(EXAMPLES / "templates" / "gemm.mlir.in"),
        "--param",
        "m=32,64",
        "--param",
        "n=32,64",
        "--param",
        "k=16,32",
    ]
    words += ["--param", "sg_m=2", "--param", "sg_n=2", "--grid", "${256//m},${256//n}", "--expect", "c=numpy:a @ b"]
    words += ["--arg", "random:256x256xbf16:1", "--arg", "random:256x256xbf16:2", "--arg", "zeros:256x256xf32"]
    words += ["--atol", "1e-4", "--json"]
    assert xegpu_tune.main(words) == 0
    alone = capsys.readouterr().out
    assert xegpu_tune.main([*words, "--workers", "3"]) == 0
    assert capsys.readouterr().out == alone
    assert "distributed" in sys.modules


@pytest.mark.exhaustive
def test_what_is_no_address_is_refused_before_a_client_waits_for_it() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ClusterError, match="no scheduler answers at 'nonsense': missing port number"):
        Workers("nonsense")
