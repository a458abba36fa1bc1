"""`xegpu-run`: what it does with arguments and results, and what it says about wrong ones."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from numpy.typing import ArrayLike, DTypeLike

from runtime.api.comparison import Tolerance, differences
from tests.amounts import examples
from tests.paths import ROOT
from tests.unit.runtime.ze.kernels import binary, compiled, pointer, value
from tools.cli import CommandError, UsageError
from tools.run.values import Array, parse_value
from tools.xegpu_run import main
from xegpu.isa import assemble
from zebin import write_archive

LIMIT = 1 << 20

SCALE = """
    load.ugm.d32x16t.a64 (1|M0) r4 flat[r1]
    (W) mul (16|M0) r4:f r4:f r1.4<0;1,0>:f
    (W) mov (1|M0) r2:uq r1.1:uq
    store.ugm.d32x16t.a64 (1|M0) flat[r2] r4
    eot
"""
GOOD = ["--arg", "arange:16xf32", "--arg", "zeros:16xf32", "--arg", "f32:0.5", "--grid", "1", "-q"]


def write(directory: Path, *names: str) -> str:
    """A ZEBIN with kernels `NAME(x: memref<16xf32>, y: memref<16xf32>, factor: f32)` that scale `x`."""
    arguments = (
        pointer("x", "memref<16xf32>", 0, "readonly"),
        pointer("y", "memref<16xf32>", 8),
        value("factor", "f32", 16, 4),
    )
    kernels = [replace(compiled(name, arguments), code=assemble(SCALE)) for name in names]
    path = directory / "kernels.zebin"
    path.write_bytes(binary(*kernels))
    return str(path)


@pytest.fixture
def scale(tmp_path: Path) -> str:
    return write(tmp_path, "scale")


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    try:
        status = main(arguments)
    except SystemExit as exit:
        status = int(exit.code or 0)
    output, errors = capsys.readouterr()
    assert "Traceback" not in errors
    return status, output, errors


WORDS = [
    *("-k", "--grid", "--group", "--arg", "--out", "--print", "--expect", "--rtol", "--check", "--trace", "--debug"),
    *("--trace-limit", "--break", "--engine", "jit", "interpreter", "1", "0", "-1", "1,2", "y", "y=z", "::", "=", "#1"),
    *(
        "y=zeros:16xf32",
        "arange:16xf32",
        "zeros:16xf32",
        "f32:0.5",
        "f32:x",
        "fill:",
        "L1",
        "lane=3",
        "scale",
        "\0",
        "é",
    ),
]


class TestRunning:
    @pytest.mark.parametrize("engine", ["jit", "interpreter"])
    def test_results(self, capsys: pytest.CaptureFixture[str], scale: str, engine: str) -> None:
        command = (scale, *GOOD, "--engine", engine, "--expect", "y=arange:16xf32:0:0.5", "--print", "1")
        status, output, errors = outcome(capsys, *command)
        assert (status, errors) == (0, "")
        assert output.startswith("y: 16xfloat32\n[0.  0.5 1. ")

    def test_what_a_launch_did(self, capsys: pytest.CaptureFixture[str], scale: str) -> None:
        _, _, errors = outcome(capsys, scale, *GOOD[:-1], "--grid", "3,2")
        assert errors.startswith("scale: 6 work-groups, 6 subgroups, 30 instructions, ")

    def test_a_wrong_result(self, capsys: pytest.CaptureFixture[str], scale: str) -> None:
        status, _, errors = outcome(capsys, scale, *GOOD, "--expect", "y=arange:16xf32")
        assert status == 1
        assert errors.startswith("'y': 15 of 16 elements differ (93.8 %; tolerance 1e-05 relative, 1e-08 absolute)\n")

    def test_a_result_is_written(self, capsys: pytest.CaptureFixture[str], scale: str, tmp_path: Path) -> None:
        file = tmp_path / "y.npy"
        assert outcome(capsys, scale, *GOOD, "--out", f"y={file}") == (0, "", "")
        assert np.load(file).tolist() == [n / 2 for n in range(16)]

    def test_checks(self, capsys: pytest.CaptureFixture[str], scale: str) -> None:
        assert outcome(capsys, scale, *GOOD, "--check=all", "--expect", "y=arange:16xf32:0:0.5") == (0, "", "")

    def test_profiles(self, capsys: pytest.CaptureFixture[str], scale: str, tmp_path: Path) -> None:
        file = tmp_path / "scale.json"
        status, output, errors = outcome(capsys, scale, *GOOD, "--profile", f"--profile={file}")
        assert (status, errors) == (0, "")
        assert output.startswith("kernel 'scale' on ")
        assert json.loads(file.read_text())

    def test_a_fault(self, capsys: pytest.CaptureFixture[str], scale: str) -> None:
        status, _, errors = outcome(capsys, scale, "--arg", "index:64", *GOOD[2:])
        assert status == 1
        assert errors.startswith(
            "xegpu-run: error: ZE_RESULT_ERROR_DEVICE_LOST: out-of-bounds access in kernel 'scale'"
        )

    def test_one_of_several_kernels(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        file = write(tmp_path, "first", "second")
        status, _, errors = outcome(capsys, file, *GOOD)
        assert (status, errors) == (1, f"{file}: error: contains 2 kernels ('first', 'second'): select one with -k\n")
        assert outcome(capsys, file, "-k", "second", *GOOD)[0] == 0


class TestLooking:
    def test_trace(self, capsys: pytest.CaptureFixture[str], scale: str) -> None:
        _, output, _ = outcome(capsys, scale, *GOOD, "--trace=index=1,lane=3")
        assert "    r4.0<1;1,0>:f = 3.0\n" in output
        assert "    r4.0<1>:f <- 1.5\n" in output

    def test_a_trace_in_a_file(self, capsys: pytest.CaptureFixture[str], scale: str, tmp_path: Path) -> None:
        file = tmp_path / "trace.json"
        command = (scale, *GOOD, "--trace", "--trace-json", "--trace-limit", "2", "--trace-output", str(file))
        assert outcome(capsys, *command) == (0, "", "")
        assert len(file.read_text().splitlines()) == 3

    def test_a_script_of_commands(
        self, capsys: pytest.CaptureFixture[str], scale: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("print r4.3:f\nrun\ncontinue\nprint r1.4:f\n"))
        command = (scale, *GOOD, "--break", "#1 if r1.4:f == 0.5", "--expect", "y=arange:16xf32:0:0.5")
        status, output, errors = outcome(capsys, *command)
        assert (status, errors) == (0, "")
        assert output.splitlines() == [
            "Breakpoint 1: #1 if r1.4:f == 0.5, at #1",
            *(
                stop := [
                    "Breakpoint 1, #1",
                    "scale, work-group (0, 0, 0), subgroup 0",
                    "=> #1    0x0020  (W) mul (16|M0) r4.0<1>:f r4.0<1;1,0>:f r1.4<0;1,0>:f",
                ]
            ),
            *("(xegpu) print r4.3:f", "r4.3:f = 3.0"),
            *("(xegpu) run", *stop),
            *("(xegpu) continue", "The launch has ended."),
            *("(xegpu) print r1.4:f", "error: no kernel is running"),
        ]

    def test_a_launch_that_is_left_has_no_results(
        self, capsys: pytest.CaptureFixture[str], scale: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        status, output, errors = outcome(capsys, scale, *GOOD, "--debug", "--print", "y")
        assert (status, errors) == (0, "xegpu-run: note: the run was not completed\n")
        assert "y:" not in output


WRONG_USAGE = [
    ([], "the following arguments are required: FILE"),
    (["--grid", "1,x"], "argument --grid: '1,x' is not a list of one to three counts, e.g. 64 or 32,16"),
    (["--grid", "1,2,3,4"], "argument --grid: '1,2,3,4' is not a list"),
    (["--group", "0"], "argument --group: '0' contains a count below 1"),
    (["--out", "y"], "argument --out: 'y': expected the number or name of an argument, '=' and a value"),
    (["--threads", "0"], "argument --threads: '0' is not a positive integer"),
    (["--time-limit", "nan"], "argument --time-limit: 'nan' is not a positive number of seconds"),
    (["--memory-limit", "5X"], "argument --memory-limit: '5X' is not a size in bytes"),
    (["--rtol", "-1"], "argument --rtol: '-1' is not a non-negative number"),
    (["--trace=grop=1"], "--trace: 'grop=1' is no part of a filter"),
    (["--trace-json"], "--trace-json and --trace-output require --trace"),
    (["--engine", "jit", "--debug"], "--trace, --debug and --break require the interpreter, not the jit"),
    (["--debug", "--time-limit", "1"], "--time-limit cannot be combined with --debug or --break"),
    (["--engine", "jit", "--check=all"], "jit"),
    (["--check=nothing"], "nothing"),
    (["--pipeline", "cse"], "--pipeline requires kernels to compile, but the file is a ZEBIN"),
    ([*GOOD, "--print", "z"], "there is no argument 'z', the kernel is scale(x: memref<16xf32>, y: memref<16xf32>,"),
    ([*GOOD, "--print", "3"], "there is no argument '3'"),
    ([*GOOD, "--print", "factor"], "argument 'factor' is not an array"),
    ([*GOOD, "--expect", "y=f32:1"], "--expect y: 'f32:1' is not an array"),
    ([*GOOD, "--break", "99"], "--break: kernel 'scale' knows no source lines"),
]


def test_file_and_commands_from_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, errors = outcome(capsys, "-", "--debug")
    assert (status, errors) == (
        2,
        "xegpu-run: error: the input and the commands cannot both come from standard input (see --help)\n",
    )


@pytest.mark.parametrize(("arguments", "message"), WRONG_USAGE)
def test_wrong_usage(
    capsys: pytest.CaptureFixture[str],
    scale: str,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    status, _, errors = outcome(capsys, *([scale] if arguments else []), *arguments)
    assert status == 2
    assert errors.startswith("xegpu-run: error: ")
    assert message in errors
    assert errors.count("\n") == 1


WRONG_INPUT = [
    ([], "xegpu-run: error: kernel 'scale' expects 3 arguments, got 0 with --arg: scale(x: memref<16xf32>,"),
    (["-k", "other"], "kernels.zebin: error: contains no kernel 'other': expected one of 'scale'"),
    (["--target", "arc"], "xegpu-run: error: ZE_RESULT_ERROR_INVALID_NATIVE_BINARY"),
    (["--group", "2000", *GOOD], "xegpu-run: error: ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION"),
    (
        ["--arg", "zeros:16xf16", *GOOD[2:]],
        "argument 0 ('x'): expected memref<16xf32>, got float16 array of shape (16,)",
    ),
    (["--arg", "missing.npy", *GOOD[2:]], "missing.npy: error: cannot be read: No such file or directory"),
    (["--memory-limit", "100", *GOOD], "'zeros:16xf32' takes 64 bytes, the limit is 36"),
    ([*GOOD, "--expect", "y=zeros:4x4xf32"], "'y' has shape (16,), expected (4, 4)"),
    ([*GOOD, "--out", "y=/nonexistent/y.npy"], "/nonexistent/y.npy: error: cannot be written: No such file"),
    ([*GOOD, "--profile=/nonexistent/p"], "/nonexistent/p: error: cannot be written: No such file"),
    (["--trace", "--trace-output", "/nonexistent/t"], "/nonexistent/t: error: cannot be written: No such file"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_INPUT)
def test_wrong_input(capsys: pytest.CaptureFixture[str], scale: str, arguments: list[str], message: str) -> None:
    status, _, errors = outcome(capsys, scale, *arguments)
    assert status == 1
    assert message in errors


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "error: cannot be read: No such file"),
        (b"\x7fELF", "error"),
        (b"!<arch>\n", "ar archive without device code, not a ZEBIN [file.foreign]"),
        (b"module {\xff", ":1:9: error: neither a ZEBIN nor UTF-8 text"),
        (b"module {", ":1:"),
        (b"", "error: there is no kernel"),
    ],
)
def test_wrong_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes | None, message: str) -> None:
    file = tmp_path / "file"
    if data is not None:
        file.write_bytes(data)
    status, _, errors = outcome(capsys, str(file))
    assert status == 1
    assert errors.startswith(str(file))
    assert message in errors


class TestPipelines:
    @pytest.fixture
    def kernel(self, tmp_path: Path) -> str:
        file = tmp_path / "k.mlir"
        file.write_text("gpu.module @m { gpu.func @k() kernel { gpu.return } }")
        return str(file)

    def test_of_the_user(self, capsys: pytest.CaptureFixture[str], kernel: str) -> None:
        assert outcome(capsys, kernel, "-q", "--grid", "1", "--pipeline", "xe-pipeline{target=pvc}") == (0, "", "")

    def test_that_there_is_not(self, capsys: pytest.CaptureFixture[str], kernel: str) -> None:
        status, _, errors = outcome(capsys, kernel, "--pipeline", "nothing")
        assert status == 2
        assert errors.startswith("xegpu-run: error: --pipeline: ")

    def test_that_compiles_nothing(self, capsys: pytest.CaptureFixture[str], kernel: str) -> None:
        status, _, errors = outcome(capsys, kernel, "--pipeline", "cse")
        assert (status, errors) == (1, f"{kernel}: error: the pipeline leaves no compiled kernel\n")


class TestValues:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("f32:1.5", 1.5),
            ("bf16:-inf", float("-inf")),
            ("index:0x10", 16),
            ("i1:true", 1),
            ("si8:-3", -3),
        ],
    )
    def test_scalars(self, text: str, expected: int | float) -> None:
        assert parse_value(text, LIMIT) == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("zeros:2x3xi32", np.zeros((2, 3), np.int32)),
            ("ones:3xbf16", np.ones(3, ml_dtypes.bfloat16)),
            ("fill:2xi8:-5", np.array([-5, -5], np.int8)),
            ("fill:1xf16:1e9", np.array([np.inf], np.float16)),
            ("arange:4xui16", np.arange(4, dtype=np.uint16)),
            ("arange:2x2xf32:1:0.5", np.array([[1, 1.5], [2, 2.5]], np.float32)),
            ("arange:3xi1", np.array([False, True, True])),
            ("zeros:0x4xf32", np.zeros((0, 4), np.float32)),
            ("zeros:f32", np.zeros((), np.float32)),
        ],
    )
    def test_arrays(self, text: str, expected: Array) -> None:
        found = parse_value(text, LIMIT)
        assert isinstance(found, np.ndarray)
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        assert (found == expected).all()
        assert found.ctypes.data % 64 == 0

    @pytest.mark.parametrize("type", ["f32", "bf16", "f16", "i8", "ui8", "i1", "f8E4M3FN"])
    def test_random_arrays_repeat(self, type: str) -> None:
        first, again, other = (parse_value(f"random:64x{type}:{seed}", LIMIT) for seed in (1, 1, 2))
        assert isinstance(first, np.ndarray)
        assert (first == again).all()
        assert (first != other).any()
        assert np.abs(first.astype(np.float64)).max() <= (8 if type in ("i8", "ui8") else 1)

    def test_files(self, tmp_path: Path) -> None:
        path = str(tmp_path / "a.npy")
        np.save(path, np.array([1.5, 2.5], np.float32))
        assert np.array_equal(parse_value(path, LIMIT), [1.5, 2.5])
        rounded = parse_value(f"{path}:i32", LIMIT)
        assert isinstance(rounded, np.ndarray)
        assert rounded.tolist() == [1, 2]

    def test_files_of_types_that_numpy_lacks(self, tmp_path: Path) -> None:
        path, array = str(tmp_path / "a.npy"), np.array([1.5, 2.5], ml_dtypes.bfloat16)
        np.save(path, array)
        loaded = parse_value(f"{path}:bf16", LIMIT)
        assert isinstance(loaded, np.ndarray)
        assert loaded.dtype == array.dtype
        assert (loaded == array).all()
        with pytest.raises(CommandError, match="cannot be reinterpreted as float32"):
            parse_value(f"{path}:f32", LIMIT)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("nothing", "'nothing' is not a value: expected TYPE:NUMBER"),
            ("f32:", "'f32:' is not a value"),
            ("f32:x", "'f32:x': 'x' is not a number"),
            ("i32:1.5", "'i32:1.5': '1.5' is not an integer"),
            ("zeros:4096", "'4096' is not a shape with element type"),
            ("zeros:4xnothing", "'4xnothing' is not a shape"),
            ("zeros:-4xf32", "'-4xf32' is not a shape"),
            ("fill:4xi8:300", "300 is outside of -128 to 127"),
            ("fill:4xi8", "'' is not an integer"),
            ("random:4xf32:x", "'x' is not an integer"),
            ("a.npy:nothing", "unknown element type 'nothing'"),
            ("x" * 5000, "x... is not a value|is not a value"),
        ],
    )
    def test_what_is_no_value(self, text: str, message: str) -> None:
        with pytest.raises(UsageError, match=message):
            parse_value(text, LIMIT)

    def test_arrays_that_are_too_large(self) -> None:
        with pytest.raises(CommandError, match="takes 4194304 bytes, the limit is 1048576"):
            parse_value("zeros:1024x1024xf32", LIMIT)

    @pytest.mark.parametrize("data", [b"", b"\x93NUMPY", b"\x93NUMPY\x01\x00\x76\x00{'descr': ", b"PK\x03\x04"])
    def test_damaged_files(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "a.npy"
        path.write_bytes(data)
        with pytest.raises(CommandError, match="cannot be read: "):
            parse_value(str(path), LIMIT)

    @pytest.mark.parametrize("array", [np.array(["text"]), np.array([1j]), np.zeros(2, "i4,f4")])
    def test_files_without_numbers(self, tmp_path: Path, array: Array) -> None:
        path = str(tmp_path / "a.npy")
        np.save(path, array)
        with pytest.raises(CommandError, match="has elements of type"):
            parse_value(f"{path}:f32", LIMIT)


class TestComparison:
    @staticmethod
    def compare(
        found: ArrayLike, expected: ArrayLike, dtype: DTypeLike = np.float32, tolerance: Tolerance | None = None
    ) -> list[str]:
        arrays = np.array(found, dtype), np.array(expected, dtype)
        return list(differences("c", *arrays, tolerance or Tolerance()))

    def test_equal(self) -> None:
        assert self.compare([1, np.nan, np.inf], [1 + 1e-6, np.nan, np.inf]) == []

    def test_different(self) -> None:
        assert self.compare([[1, 2], [3, 4]], [[1, 2.5], [3, np.nan]]) == [
            "'c': 2 of 4 elements differ (50 %; tolerance 1e-05 relative, 1e-08 absolute)",
            "  [0, 1] is 2.0, expected 2.5",
            "  [1, 1] is 4.0, expected nan",
            "  largest error 0.5 at [0, 1]",
        ]

    def test_integers_are_exact(self) -> None:
        lines = self.compare([2**62 + 1], [2**62], np.int64)
        assert lines[0] == "'c': 1 of 1 elements differ (100 %; none may differ)"
        assert self.compare([5], [6], np.int32, Tolerance(absolute=1)) == []

    def test_narrow_floats_may_differ_more(self) -> None:
        assert self.compare([1.0], [1.0078125], ml_dtypes.bfloat16) == []

    def test_all_infinite(self) -> None:
        assert len(self.compare([np.inf], [-np.inf])) == 2

    def test_many_differences_are_shortened(self) -> None:
        lines = self.compare(range(100), range(1, 101), np.int32)
        assert len(lines) == 13
        assert lines[-2:] == ["  ... 90 more", "  largest error 1 at [0]"]


@settings(
    max_examples=examples(100),
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=10))
def test_any_arguments(
    capsys: pytest.CaptureFixture[str], scale: str, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """Whatever is asked for is done, or refused in words."""
    monkeypatch.setattr("sys.stdin", io.StringIO("step\nprint r1\ncontinue\n"))
    status, _, errors = outcome(capsys, scale, *arguments, "-q")
    assert status in (0, 1, 2)
    assert status == 0 or errors


def test_native_code_of_pvc_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "tests/data/native/kernels.pvc.zebin")
    arguments = ("--kernel", "vadd", "--grid", "1", "--group", "4", *("--arg", "arange:4xf32") * 2)
    status, output, errors = outcome(capsys, path, *arguments, "--arg", "zeros:4xf32", "--print", "c", "-q")
    assert (status, errors) == (0, "")
    assert output == "c: 4xfloat32\n[0. 2. 4. 6.]\n"


def test_native_code_of_other_gpus_is_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "tests/data/zebin/vadd.tgllp.zebin")
    status, output, errors = outcome(capsys, path, "--grid", "4", "--arg", "zeros:64xf32")
    assert (status, output) == (1, "")
    assert "the binary is for product family TGL-LP" in errors


def test_the_gpu_chooses_the_member_of_a_fat_binary(
    scale: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scale.ar"
    members = {
        "64.12.60.7": Path(scale).read_bytes(),
        "64.12.55.8": (ROOT / "tests/data/zebin/vadd.dg2.zebin").read_bytes(),
    }
    path.write_bytes(write_archive(members))
    assert outcome(capsys, str(path), *GOOD, "--print", "y")[0] == 0
    assert outcome(capsys, str(path), *GOOD, "--target", "pvc")[0] == 0
    status, _, errors = outcome(capsys, str(path), "--target", "arc", "--grid", "4")
    assert (status, "kernel 'vadd'" in errors) == (1, True)


def test_files_of_other_formats_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.out"
    path.write_bytes(Path(sys.executable).read_bytes()[:4096])
    status, output, errors = outcome(capsys, str(path), "--grid", "4")
    assert (status, output) == (1, "")
    assert re.fullmatch(rf"{path}: error: .* ELF file without device code, not a ZEBIN \[file.foreign\]\n", errors)


LAUNCHED = """
gpu.module @m {
  gpu.func @known(%out: memref<64xf32>) kernel
      attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %out[%i] : memref<64xf32>
    gpu.return
  }
  gpu.func @any(%out: memref<64xf32>) kernel {
    %i = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %out[%i] : memref<64xf32>
    gpu.return
  }
  gpu.func @adds(%out: memref<64xf32>) kernel {
    %i = gpu.global_id x
    %old = memref.load %out[%i] : memref<64xf32>
    %new = arith.addf %old, %old : f32
    memref.store %new, %out[%i] : memref<64xf32>
    gpu.return
  }
}
"""


class TestLaunches:
    """Sizes are those of the command line, else those of the kernel; what is not written is told."""

    ARRAY = ("-q", "--arg", "zeros:64xf32")

    @pytest.fixture
    def launched(self, tmp_path: Path) -> str:
        path = tmp_path / "launched.mlir"
        path.write_text(LAUNCHED)
        return str(path)

    @pytest.mark.parametrize("grid", [(), ("--grid", "4"), ("--grid", "4,1,1")], ids=" ".join)
    def test_known_grid(self, launched: str, grid: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
        """All 64 zeros are written: nothing is said about them."""
        assert outcome(capsys, launched, "-k", "known", *grid, *self.ARRAY) == (0, "", "")

    def test_another_grid(self, launched: str, capsys: pytest.CaptureFixture[str]) -> None:
        status, _, errors = outcome(capsys, launched, "-k", "known", "--grid", "2", *self.ARRAY)
        assert status == 1
        assert "kernel 'known': grid (2, 1, 1), the kernel was made for (4, 1, 1)" in errors

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (["--group", "16"], "(known_grid_size): add --grid X[,Y[,Z]]"),
            (["--grid", "4"], "numbers its work-items and states no size of work-groups: add --group X[,Y[,Z]]"),
        ],
    )
    def test_sizes_that_nobody_states(
        self, launched: str, given: Sequence[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        status, _, errors = outcome(capsys, launched, "-k", "any", *given, *self.ARRAY)
        assert status == 1
        assert "kernel 'any' " in errors
        assert message in errors

    def test_what_was_never_written(self, launched: str, capsys: pytest.CaptureFixture[str]) -> None:
        launch = (launched, "-k", "any", "--grid", "1", "--group", "16", "-q", "--arg")
        told = "xegpu-run: note: 48 of 64 elements of 'out' were never written\n"
        assert outcome(capsys, *launch, "zeros:64xf32") == (0, "", told)
        for contents in ("fill:64xf32:0", "ones:64xf32"):
            assert outcome(capsys, *launch, contents) == (0, "", "")

    def test_what_is_read_too(self, launched: str, capsys: pytest.CaptureFixture[str]) -> None:
        """An array that the kernel updates has contents of its own."""
        launch = (launched, "-k", "adds", "--grid", "1", "--group", "16", *self.ARRAY)
        assert outcome(capsys, *launch) == (0, "", "")
