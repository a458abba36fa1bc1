"""Standard streams: terminals, pipes, full disks and closed descriptors."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.unit.tools.cli.commands import KERNEL, MAINS, VADD, command_line, on_terminal
from zebin.binary.file import read
from zebin.dump import tables_of

ESCAPE = b"\x1b["

LARGE = {
    "xegpu-opt": [KERNEL],
    "xe-asm": ["-d", "{compiled}"],
    "zebin-dump": ["--json", VADD],
    "zebin-edit": [VADD, "--set", "version=1.20", "-o", "-"],
    "ze-info": [],
}
"""Runs of commands that write to standard output."""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("compiled") / "vector_add.zebin")
    assert MAINS["xegpu-opt"]([KERNEL, "--target", "pvc", "-t", "zebin", "-o", path]) == 0
    return path


def run_of(command: str, compiled: str) -> list[str]:
    return [word.format(compiled=compiled) if "{" in word else word for word in LARGE[command]]


@pytest.mark.parametrize("command", LARGE)
def test_full_disk(command: str, compiled: str) -> None:
    with Path("/dev/full").open("wb") as full:
        words = command_line(command, *run_of(command, compiled))
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (1, b"<stdout>: error: cannot be written: No space left on device\n")


def test_full_disk_for_results_of_a_kernel(compiled: str) -> None:
    arrays = ["--arg", "zeros:4096xf32"] * 3
    words = command_line("xegpu-run", compiled, "--grid", "64", *arrays, "--print", "2")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "<stdout>: error: cannot be written: No space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", LARGE)
def test_a_reader_that_has_seen_enough(command: str, compiled: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = command_line(command, *run_of(command, compiled))
    done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, check=False, cwd=ROOT)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.sampled(every=4)
def test_a_reader_of_a_program_that_has_seen_enough() -> None:
    """The text is printed from host code, below frames that are not Python's."""
    reading, writing = os.pipe()
    os.close(reading)
    words = command_line("xegpu-run", "examples/programs/softmax.mlir", "-q")
    done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, text=True, check=False, cwd=ROOT)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("command", MAINS)
def test_help_for_a_reader_that_has_seen_enough(command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = command_line(command, "--help")
    done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, check=False, cwd=ROOT)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_closed_streams(compiled: str) -> None:
    words = shlex.join(command_line("zebin-dump", compiled, "/missing"))
    assert subprocess.run(f"{words} <&- >&- 2>&-", shell=True, check=False, cwd=ROOT).returncode == 1


def test_an_input_that_cannot_be_read_has_a_name() -> None:
    words = command_line("xegpu-opt", "/proc/self/mem")
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (1, "/proc/self/mem: error: cannot be read: Input/output error\n")


# Terminals -----------------------------------------------------------------------------------------------------------


def test_terminals_have_colors() -> None:
    assert ESCAPE in on_terminal("zebin-dump", VADD, NO_COLOR="")[1]
    assert ESCAPE not in on_terminal("zebin-dump", VADD, NO_COLOR="1")[1]
    assert ESCAPE not in on_terminal("zebin-dump", VADD, "--color", "never", NO_COLOR="")[1]
    assert ESCAPE not in on_terminal("zebin-dump", VADD, TERM="dumb", NO_COLOR="")[1]


def test_terminals_have_colored_mlir() -> None:
    assert ESCAPE in on_terminal("xegpu-opt", KERNEL, NO_COLOR="")[1]
    assert ESCAPE not in on_terminal("xegpu-opt", KERNEL, "--color=never", NO_COLOR="")[1]


def test_terminals_show_the_tables_of_files() -> None:
    """Words are not folded, so that they can be found and copied."""
    status, shown = on_terminal("zebin-dump", VADD, NO_COLOR="1")
    assert status == 0
    expected = "".join(f"{line}\n" for table in tables_of(read(VADD)) for line in (*table.lines(), ""))
    assert shown.decode() == expected
    assert re.sub(rb"\x1b\[[\d;]*m", b"", on_terminal("zebin-dump", VADD, NO_COLOR="")[1]) == shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["xegpu-opt", KERNEL, "--target", "pvc", "-t", "zebin"],
        ["xe-asm", "kernel.asm"],
        ["zebin-dump", VADD, "-x", ".ze_info", "--format", "raw"],
        ["zebin-edit", VADD, "--set", "version=1.20", "-o", "-"],
    ],
)
def test_terminals_get_no_binary(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "kernel.asm").write_text("eot\n")
    status, shown = on_terminal(*arguments, folder=tmp_path)
    assert (status, shown.decode()) == (
        2,
        f"{arguments[0]}: error: the output is binary and standard output is a terminal: name a file with -o, or "
        "redirect it\n",
    )


def test_files_that_look_like_options(tmp_path: Path) -> None:
    for name in ("-x.zebin", "--json"):
        (tmp_path / name).write_bytes(Path(VADD).read_bytes())
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def run(command: str, *arguments: str) -> str:
        words = command_line(command, *arguments)
        return subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment).stdout

    assert run("zebin-dump", "--validate", "--", "-x.zebin", "--json") == "-x.zebin: valid\n--json: valid\n"
    run("zebin-edit", "-o", "out", "--set", "version=1.20", "--", "-x.zebin")
    assert (tmp_path / "out").exists()
