"""`xegpu-tune` from the command line to its table, study, picture and kernel."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tools import xegpu_tune
from tools.tune import driver
from tools.tune.job import Job, JobOutcome

KERNEL = """
gpu.module @m {
  gpu.func @scale(%x: memref<256xf32>, %y: memref<256xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %n = arith.constant ${n} : index
    %f = arith.constant dense<${factor}.0> : vector<${n}xf32>
    %b = gpu.block_id x
    %i = arith.muli %b, %n : index
    %t = xegpu.create_nd_tdesc %x[%i] : memref<256xf32> -> !xegpu.tensor_desc<${n}xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<${n}xf32> -> vector<${n}xf32>
    %w = arith.mulf %v, %f : vector<${n}xf32>
    %u = xegpu.create_nd_tdesc %y[%i] : memref<256xf32> -> !xegpu.tensor_desc<${n}xf32>
    xegpu.store_nd %w, %u : vector<${n}xf32>, !xegpu.tensor_desc<${n}xf32>
    gpu.return
  }
}
"""
LAUNCH = ["--grid", "${256 // n}", "--arg", "arange:256xf32", "--arg", "zeros:256xf32", "--target", "pvc"]
SPACE = ["--param", "n=16,32", "--param", "factor=2,3"]


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    path = tmp_path / "scale.mlir"
    path.write_text(KERNEL)
    return str(path)


def test_the_fastest_right_one_wins(kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Half of the combinations compute something else; one size is not a message of the machine."""
    best, drawn = tmp_path / "best.mlir", tmp_path / "tune.svg"
    words = [
        kernel,
        *SPACE,
        *LAUNCH,
        "--param",
        "bad=0,1",
        "--where",
        "bad == 0 or n == 16",
        "--expect",
        "y=numpy:x * 2",
    ]
    assert xegpu_tune.main([*words, "--runs", "6", "-o", str(best), "--svg", str(drawn), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["parameters"] == {"n": [16, 32], "factor": [2, 3], "bad": [0, 1]}
    entries = found["candidates"]
    assert len(entries) == 6
    right = [entry for entry in entries if entry["is_right"]]
    assert right
    assert entries[: len(right)] == right
    assert {entry["settings"]["factor"] for entry in right} == {2}
    assert found["winner"] == right[0]
    assert right[0]["cycles"] == min(entry["measured"]["cycles"] for entry in right)
    wrong = [entry for entry in entries if entry["measured"] is not None and not entry["is_right"]]
    assert all("255 of 256 elements differ" in entry["measured"]["error"] for entry in wrong)
    size = found["winner"]["settings"]["n"]
    assert best.read_text() == KERNEL.replace("${n}", str(size)).replace("${factor}", "2")
    dots = list(ElementTree.parse(drawn).iter("{http://www.w3.org/2000/svg}circle"))
    assert len(dots) == 3 * len([entry for entry in entries if entry["cycles"]])


def test_a_table_says_what_is_wrong(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [kernel, "--param", "n=16,-8", "--param", "factor=3", *LAUNCH, "--expect", "1=ones:256xf32", "-q"]
    assert xegpu_tune.main(words) == 1
    told = capsys.readouterr().out
    assert "no combination computes the right result" in told
    assert "n = 16, factor = 3: wrong: 'y': 256 of 256 elements differ" in told
    assert "n = -8, factor = 3: refused: " in told


def test_the_next_ones_run_if_the_best_are_wrong(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        kernel,
        "--param",
        "factor=3,4,2",
        "--param",
        "n=32",
        *LAUNCH,
        "--expect",
        "y=numpy:x * 2",
        "--runs",
        "1",
    ]
    assert xegpu_tune.main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["winner"]["settings"] == {"factor": 2, "n": 32}
    assert sum(entry["measured"] is not None for entry in found["candidates"]) == 3


UNEVEN = """
gpu.module @m {
  gpu.func @copy(%x: memref<64x16xf32>, %y: memref<64x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %b = gpu.block_id x
    %rows = arith.constant 64 : index
    %step = arith.constant ${groups} : index
    %c = arith.cmpi ult, %b, %step : index
    scf.if %c {
      scf.for %r = %b to %rows step %step {
        %t = xegpu.create_nd_tdesc %x[%r, 0] : memref<64x16xf32> -> !xegpu.tensor_desc<1x16xf32>
        %v = xegpu.load_nd %t : !xegpu.tensor_desc<1x16xf32> -> vector<1x16xf32>
        %u = xegpu.create_nd_tdesc %y[%r, 0] : memref<64x16xf32> -> !xegpu.tensor_desc<1x16xf32>
        xegpu.store_nd %v, %u : vector<1x16xf32>, !xegpu.tensor_desc<1x16xf32>
      }
    }
    gpu.return
  }
}
"""


def test_work_that_one_group_does_alone_does_not_win(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The fewer groups of a grid share the work, the less it executes, and the longer it takes."""
    kernel = tmp_path / "copy.mlir"
    kernel.write_text(UNEVEN)
    words = [str(kernel), "--param", "groups=1,64", "--grid", "64", "--arg", "random:64x16xf32:1", "--arg"]
    assert xegpu_tune.main([*words, "zeros:64x16xf32", "--expect", "y=numpy:x", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [entry["settings"]["groups"] for entry in found["candidates"]] == [64, 1]
    cycles = [entry["cycles"] for entry in found["candidates"]]
    assert cycles[0] < cycles[1]


def test_results_are_compared_with_saved_arrays(kernel: str, tmp_path: Path) -> None:
    np.save(tmp_path / "y.npy", np.arange(256, dtype=np.float32) * 3)
    words = [kernel, "--param", "n=16", *LAUNCH, "--expect", f"y={tmp_path / 'y.npy'}", "-q", "--param"]
    assert xegpu_tune.main([*words, "factor=3"]) == 0
    assert xegpu_tune.main([*words, "factor=2"]) == 1


def test_a_study_goes_on(
    kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever line a search was killed at, the next one does what is left, and finds the same."""
    done: list[str] = []

    def counted(work: driver.Work) -> driver.Work:
        def wrapper(job: Job) -> JobOutcome:
            done.append(job.key)
            return work(job)

        wrapper.__name__ = work.__name__
        return wrapper

    monkeypatch.setattr(driver, "predict", counted(driver.predict))
    monkeypatch.setattr(driver, "measure", counted(driver.measure))
    study = tmp_path / "study.jsonl"
    space = ["--param", "n=16,32", "--param", "factor=2"]
    words = [kernel, *space, *LAUNCH, "--expect", "y=numpy:x * 2", "--study", str(study), "--json"]
    assert xegpu_tune.main(words) == 0
    first, whole = capsys.readouterr().out, study.read_text()
    jobs = len(done)
    for cut in (len(whole), len(whole) - 5, whole.index("\n", 50) + 30, 10):
        study.write_text(whole[:cut])
        done.clear()
        assert xegpu_tune.main(words) == 0
        assert capsys.readouterr().out == first
        assert len(done) == jobs - max(0, whole[:cut].count("\n") - 1)
        assert study.read_text() == whole
    study.write_text('"another"\n')
    assert xegpu_tune.main(words) == 1
    assert f"{study}:1: error: is not a line of 'xegpu-tune study 1'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--param", "n=16"], "expected --expect I=VALUE"),
        (["--expect", "y=1"], "expected --param NAME=VALUES"),
        (["--param", "n=16", "--expect", "y"], "--expect 'y': expected the number or name"),
        (["--param", "n=16", "--expect", "y=ones:1xf32", "--trials", "0"], "'0' is not a positive integer"),
        (["--param", "n=16", "--expect", "y=ones:1xf32", "--grid", "${m}"], "there is no 'm', but n"),
        (["--param", "n=16", "--expect", "y=ones:1xf32", "--where", "n <"], "'n <' is not an expression"),
    ],
)
def test_wrong_command_lines(words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kernel.mlir"
    path.write_text("${n}")
    try:
        status = xegpu_tune.main([str(path), *words])
    except SystemExit as ended:
        status = int(str(ended.code))
    assert status == 2
    assert reason in capsys.readouterr().err


def test_a_template_without_places_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kernel.mlir"
    path.write_text("gpu.module @m {}")
    assert xegpu_tune.main([str(path), "--param", "n=1", "--expect", "y=ones:1xf32"]) == 2
    assert "no parameter has an effect" in capsys.readouterr().err


def test_an_expression_without_a_value_refuses_one_combination(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    """256 work-items cannot be divided into groups of none; the others are tried."""
    words = [kernel, "--param", "n=0,16", "--param", "factor=2", *LAUNCH, "--expect", "y=numpy:x * 2", "--json"]
    assert xegpu_tune.main(words) == 0
    right, refused = json.loads(capsys.readouterr().out)["candidates"]
    assert right["settings"]["n"] == 16 and right["is_right"]
    assert refused["settings"]["n"] == 0
    assert "'256 // n': integer division or modulo by zero" in refused["predicted"]["error"]


def test_a_wrong_expression_is_told_with_its_place(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert xegpu_tune.main([kernel, "--param", "n=16", *LAUNCH, "--expect", "y=numpy:x"]) == 2
    assert f"{kernel}:5:31: error: 'factor': there is no 'factor', but n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (["--param", "m=1,2", "--expect", "y=numpy:x"], 2, "--param 'm' has no effect"),
        (["--expect", "z=numpy:x"], 2, "'z' is no array of the kernel, which has x, y"),
        (["--expect", "y=numpy:x * w"], 2, "--expect 'x * w': there is no 'w', but x, y"),
        (["--expect", "y=numpy:sinh(x)"], 2, "there is no function 'sinh'"),
        (["--expect", "y=numpy:x", "--svg", "missing/tune.svg"], 1, "missing/tune.svg: error: cannot be written"),
    ],
)
def test_a_wrong_option_ends_the_search(
    words: list[str], status: int, reason: str, kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is wrong for every combination, so that none of the others is worth its time."""
    study = tmp_path / "study.jsonl"
    space = ["--param", "n=16,32", "--param", "factor=1,2", "--runs", "1", "--study", str(study)]
    assert xegpu_tune.main([kernel, *space, *LAUNCH, *words]) == status
    assert reason in capsys.readouterr().err
    assert not study.exists() or study.read_text().count('"measure"') <= 1


def test_an_argument_that_is_wrong_for_some_combinations_refuses_those(
    kernel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    launch = ["--grid", "${256 // n}", "--arg", "${'arange' if n == 16 else 'arrange'}:256xf32", *LAUNCH[4:]]
    words = [kernel, "--param", "n=16,32", "--param", "factor=2", *launch, "--expect", "y=numpy:x * 2", "--json"]
    assert xegpu_tune.main(words) == 0
    right, refused = json.loads(capsys.readouterr().out)["candidates"]
    assert right["is_right"]
    assert "'arrange:256xf32' is not a value" in refused["predicted"]["error"]
