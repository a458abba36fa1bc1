"""`xegpu-run --metrics`: tables, JSON and time lines, with counts that are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.tools.test_xegpu_run import GOOD, outcome, scale

__all__ = ["scale"]  # a fixture

COUNTS = {
    "XVE_INST_EXECUTED_ALL": 3 * 5,
    "XVE_INST_EXECUTED_SEND_ALL": 3 * 2,
    "XVE_INST_EXECUTED_CONTROL_ALL": 3,
    "XVE_FLOP32": 3 * 16,
    "XVE_BARRIER_MESSAGE_COUNT": 0,
}
"""The counters of three groups that each load and scale 16 numbers."""

MIX = ["--grid", "3", "--metrics", "InstructionMix"]


def test_table(capsys: pytest.CaptureFixture[str], scale: str) -> None:
    status, output, errors = outcome(capsys, scale, *GOOD, *MIX)
    assert (status, errors) == (0, "")
    lines = output.splitlines()
    assert lines[0].startswith("InstructionMix: ") and lines[2].split() == ["metric", "scale", "unit"]
    rows = {words[0]: words[1] for words in map(str.split, lines[4:])}
    assert {name: int(rows[name]) for name in COUNTS} == COUNTS


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_json(capsys: pytest.CaptureFixture[str], scale: str, engine: str) -> None:
    arguments = (*GOOD, *MIX[:3], "instructionmix,DeviceCacheProfile", "--metrics-format=json", "--engine", engine)
    _, output, _ = outcome(capsys, scale, *arguments)
    mix, cache = json.loads(output)["groups"]
    assert {name: mix["all"][name] for name in COUNTS} == COUNTS
    (launch,) = mix["work"]
    assert (launch["kernel"], launch["values"]) == ("scale", mix["all"])
    assert mix["units"]["XVE_FLOP32"] == "operations"
    assert cache["all"]["L3_BYTE_WRITE"] == 3 * 64


def test_files(capsys: pytest.CaptureFixture[str], scale: str, tmp_path: Path) -> None:
    """The name of a file says which format it has; nothing is printed then."""
    names = [str(tmp_path / name) for name in ("m.txt", "m.json", "m.trace.json")]
    outputs = [f"--metrics-output={name}" for name in names]
    assert outcome(capsys, scale, *GOOD, *MIX, *outputs) == (0, "", "")
    text, document, timeline = (Path(name).read_text() for name in names)
    assert text.startswith("InstructionMix")
    assert json.loads(document)["groups"][0]["all"]["XVE_FLOP32"] == 48
    events = json.loads(timeline)["traceEvents"]
    (piece,) = [event for event in events if event["ph"] == "X"]
    assert piece["name"] == "scale" and piece["ts"] == 0 and piece["dur"] > 0
    track = [event for event in events if event["name"] == "XVE_FLOP32"]
    assert [(event["ts"], event["args"]) for event in track] == [
        (0, {"operations": 48}),
        (piece["dur"], {"operations": 0}),
    ]
    status, output, _ = outcome(capsys, scale, *GOOD, *MIX, *outputs, "--metrics-format=timeline")
    assert (status, output) == (0, timeline)


def test_a_launch_without_groups(capsys: pytest.CaptureFixture[str], scale: str) -> None:
    _, output, _ = outcome(capsys, scale, *GOOD, "--grid=0", "--metrics=ComputeBasic", "--metrics-format=json")
    (group,) = json.loads(output)["groups"]
    assert group["all"]["XVE_COMPUTE_THREAD_COUNT"] == group["all"]["XVE_ACTIVE"] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metrics=tea"], "--metrics: there is no group 'tea', expected ComputeBasic, VectorEngineProfile"),
        (["--metrics=ComputeBasic,"], "--metrics: there is no group '', expected"),
        (["--metrics-format=json"], "require --metrics"),
        (["--metrics-output=m"], "require --metrics"),
        (["--metrics=ComputeBasic", "--metrics-output=/nonexistent/m"], "/nonexistent/m: error: cannot be written"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], scale: str, arguments: list[str], message: str) -> None:
    status, output, errors = outcome(capsys, scale, *GOOD, *arguments)
    assert status != 0 and output == "" and message in errors
