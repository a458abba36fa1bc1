"""`xegpu-run` on whole programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.unit.tools.test_xegpu_run import outcome

PROGRAM = """module attributes {gpu.container_module} {
  func.func private @printF32(f32)
  func.func private @printNewline()
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>)
  func.func @main() {
    %x = arith.constant 0.5 : f32
    // CHECK: 0.5
    // OTHER: 0.7
    call @printF32(%x) : (f32) -> ()
    call @printNewline() : () -> ()
    return
  }
  func.func @compare(%a: memref<4xf32>, %b: memref<4xf32>) {
    %c = memref.cast %a : memref<4xf32> to memref<*xf32>
    %d = memref.cast %b : memref<4xf32> to memref<*xf32>
    call @printAllcloseF32(%c, %d) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func @scaled(%m: memref<?xf32>, %factor: f32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %m, %c0 : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %m[%i] : memref<?xf32>
      %w = arith.mulf %v, %factor : f32
      memref.store %w, %m[%i] : memref<?xf32>
    }
    %r = arith.constant 7 : i32
    return %r : i32
  }
  func.func @outside(%i: index) {
    %m = memref.alloc() : memref<4xf32>
    %v = memref.load %m[%i] : memref<4xf32>
    return
  }
  gpu.module @kernels {
    gpu.func @none() kernel {
      gpu.return
    }
  }
}
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "p.mlir"
    path.write_text(PROGRAM)
    return str(path)


def test_main_is_run(capsys: pytest.CaptureFixture[str], program: str) -> None:
    assert outcome(capsys, program) == (0, "0.5\n", "")
    assert outcome(capsys, program, "--entry-point-result=void", "--shared-libs=a.so,b.so") == (0, "0.5\n", "")


def test_check_lines(capsys: pytest.CaptureFixture[str], program: str) -> None:
    assert outcome(capsys, program, "--filecheck") == (0, "", "")
    status, output, errors = outcome(capsys, program, "--filecheck=OTHER")
    assert (status, output) == (1, "")
    assert '''Couldn't match "0.7"''' in errors


def test_prefixes_come_from_the_run_line(capsys: pytest.CaptureFixture[str], program: str) -> None:
    path = Path(program)
    path.write_text(f"// RUN: runner %s \\\n// RUN:   | FileCheck %s --check-prefix=OTHER\n{PROGRAM}")
    assert outcome(capsys, program, "--filecheck")[0] == 1


def test_arguments_and_results(capsys: pytest.CaptureFixture[str], program: str, tmp_path: Path) -> None:
    arguments = ("-e", "scaled", "--arg", "arange:4xf32", "--arg", "f32:3")
    status, output, errors = outcome(capsys, program, *arguments, "--print", "m", "--out", f"0={tmp_path}/m.npy")
    assert (status, output, errors) == (0, "7\nm: 4xfloat32\n[0. 3. 6. 9.]\n", "")
    assert np.load(tmp_path / "m.npy").tolist() == [0, 3, 6, 9]
    status, _, errors = outcome(capsys, program, *arguments, "--expect", "m=arange:4xf32")
    assert status == 1
    assert errors.startswith("'m': 3 of 4 elements differ")


def test_a_comparison_that_fails(capsys: pytest.CaptureFixture[str], program: str) -> None:
    status, output, errors = outcome(capsys, program, "-e", "compare", "--arg", "ones:4xf32", "--arg", "fill:4xf32:2")
    assert (status, output) == (1, "[ALLCLOSE: FALSE]\n")
    assert errors.splitlines()[:2] == [
        "'result': 4 of 4 elements differ (100 %; tolerance 0.001 relative, 0.0001 absolute)",
        "  [0] is 1.0, expected 2.0",
    ]


def test_stages_are_written(capsys: pytest.CaptureFixture[str], program: str, tmp_path: Path) -> None:
    assert outcome(capsys, program, "--dump-dir", str(tmp_path / "stages"))[0] == 0
    written = sorted(path.name for path in (tmp_path / "stages").iterdir())
    assert written == ["host.ll", "kernels.asm", "kernels.xe.mlir", "kernels.zebin", "program.mlir"]
    assert outcome(capsys, str(tmp_path / "stages" / "kernels.zebin"), "-q", "--grid", "1") == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["-e", "nothing"], 1, "has no function 'nothing' with a body, there are: 'main', 'compare', 'scaled'"),
        (["--grid", "4"], 2, "--grid and --group require a kernel (-k): host code launches its kernels itself"),
        (["-e", "scaled"], 1, "function 'scaled' expects 2 arguments, got 0 with --arg: scaled(m: memref<?xf32>"),
        (["-e", "scaled", "--arg", "ones:4xf64", "--arg", "f32:1"], 1, "argument 'm': expected memref<?xf32>, got a"),
        (["-e", "scaled", "--arg", "ones:4xf32", "--arg", "f32:1", "--print", "z"], 2, "there is no argument 'z'"),
        (["--entry-point-result=f32"], 1, "--entry-point-result is f32, but 'main' returns nothing"),
        (
            ["-e", "outside", "--arg", "index:4"],
            1,
            ":33:10: error: 'memref.load' op is out of bounds: index 4 in dimension 0 of size 4",
        ),
        (["--dump-dir", "/dev/null/x"], 1, "/dev/null/x: error: cannot be written: Not a directory"),
    ],
)
def test_what_cannot_be_run(
    capsys: pytest.CaptureFixture[str], program: str, arguments: list[str], status: int, message: str
) -> None:
    found, _, errors = outcome(capsys, program, *arguments)
    assert found == status
    assert message in errors


def test_nothing_is_executed_of_a_program_that_cannot_be(capsys: pytest.CaptureFixture[str], program: str) -> None:
    call = "call @printNewline() : () -> ()\n"
    Path(program).write_text(PROGRAM.replace(call, call + "%t = tensor.empty() : tensor<4xf32>\n"))
    status, output, errors = outcome(capsys, program)
    assert (status, output) == (1, "")
    assert ":11:6: error: 'tensor.empty' op cannot be compiled" in errors


def test_a_kernel_of_a_program(capsys: pytest.CaptureFixture[str], program: str) -> None:
    assert outcome(capsys, program, "-k", "none", "-q", "--grid", "1") == (0, "", "")
