"""The page shows the numbers that the commands print."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from tests.unit.tools.cli.commands import MAINS
from tests.unit.tools.explore.requests import ask
from tools.explore.protocol import PageRequestKind
from tools.explore.start import examples

GEMM = examples()[0]


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """The kernel as a file, under the name that the page gives it, and its ZEBIN."""
    folder = tmp_path_factory.mktemp("agree")
    (folder / "kernel.mlir").write_text(GEMM.source)
    binary = folder / "kernel.zebin"
    assert MAINS["xegpu-opt"]([str(folder / "kernel.mlir"), "--target=pvc", "-tzebin", f"-o{binary}"]) == 0
    return folder


def printed(capsys, command, *words):
    capsys.readouterr()
    assert MAINS[command](list(words)) == 0
    return capsys.readouterr().out


def test_cycles_of_instructions(kernel, capsys):
    text = printed(capsys, "xe-asm", "-d", "--offsets", "--cost", str(kernel / "kernel.zebin"))
    costs = [int(cost) for cost in re.findall(r"^/\* [0-9a-f]{6} +(\d+) \*/", text, re.MULTILINE)]
    stages = ask(PageRequestKind.COMPILE, source=GEMM.source)["stages"]
    shown = next(stage for stage in stages if stage["title"] == "assembly")["columns"]["cycles"]
    assert [cost for cost in shown if cost is not None] == costs


def test_profiles(kernel, capsys):
    file = kernel / "profile.json"
    words = [f"--arg={argument}" for argument in GEMM.arguments]
    grid = ",".join(map(str, GEMM.grid))
    printed(capsys, "xegpu-run", str(kernel / "kernel.mlir"), "-q", f"--grid={grid}", f"--profile={file}", *words)
    told = json.loads(file.read_text())
    (launch,) = ask(PageRequestKind.RUN, source=GEMM.source, grid=GEMM.grid, arguments=GEMM.arguments)["launches"]
    profile = launch["profile"]
    for name in ("estimate", "utilisation", "registers", "channels_on", "memory"):
        assert profile[name] == told[name]
    lines: dict[str, int] = {}
    for entry in told["lines"]:
        lines[str(entry["line"])] = lines.get(str(entry["line"]), 0) + entry["cycles"]
    assert profile["lines"] == lines
    executed = [entry["executed"] for entry in told["instructions"]]
    assert [entry["executed"] for entry in profile["instructions"]] == executed
    assert (
        max(start + cycles for *_, start, cycles, _, _, _, _ in profile["timeline"]["slices"])
        <= told["estimate"]["cycles"] + 1
    )
    compared = ask(PageRequestKind.COMPILE, source=GEMM.source)["binary"]["kernels"][0]
    assert (compared["registers"], compared["grf_count"]) == (
        told["registers"]["live"],
        told["registers"]["available"],
    )


@pytest.mark.exhaustive
def test_the_numbers_of_two_versions(kernel, capsys):
    file = kernel / "unrolled.zebin"
    pipeline = "xe-pipeline{target=pvc unroll-factor=2}"
    printed(capsys, "xegpu-opt", str(kernel / "kernel.mlir"), "-p", pipeline, "-tzebin", f"-o{file}")
    for path, factor in ((kernel / "kernel.zebin", 1), (file, 2)):
        text = printed(capsys, "xe-asm", "-d", str(path))
        listed = re.findall(r"^ {4}(?:\(\S+\) )?([a-z_0-9]+)", text, re.MULTILINE)
        (shown,) = ask(PageRequestKind.COMPILE, source=GEMM.source, unroll_factor=factor)["binary"]["kernels"]
        assert shown["mnemonics"] == Counter(listed)


def test_the_text_of_stages(kernel, capsys):
    shown = {stage["title"]: stage["text"] for stage in ask(PageRequestKind.COMPILE, source=GEMM.source)["stages"]}
    assert shown[".ze_info"] == printed(capsys, "zebin-dump", "--yaml", str(kernel / "kernel.zebin"))
    assert shown["as read"].strip() == printed(capsys, "xegpu-opt", str(kernel / "kernel.mlir")).strip()
