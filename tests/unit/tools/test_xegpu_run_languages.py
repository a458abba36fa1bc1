"""`xegpu-run` on kernels in OpenCL C, LLVM IR and SPIR-V."""

from __future__ import annotations

from pathlib import Path

import pytest

from passes.frontends.opencl import find_compiler
from tests.paths import ROOT
from tests.unit.tools.test_xegpu_run import outcome

NEEDS_CLANG = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")

REDUCE = """
#include "factor.h"
kernel void reduce(global const int *x, global int *sums, local int *part) {
  int l = get_local_id(0);
  part[l] = x[get_global_id(0)] * FACTOR;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[get_group_id(0)] = part[0] + BIAS;
}
kernel void fill(global int *x) { x[get_global_id(0)] = FACTOR; }
"""

ADD = """
define spir_kernel void @add(ptr addrspace(1) %x, i32 %n) {
  %g = call i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %x, i64 %g
  %v = load i32, ptr addrspace(1) %p, align 4
  %s = add i32 %v, %n
  store i32 %s, ptr addrspace(1) %p, align 4
  ret void
}
declare i64 @_Z13get_global_idj(i32)
"""


@pytest.fixture
def reduce(tmp_path: Path) -> str:
    """A source with a header beside it."""
    (tmp_path / "factor.h").write_text("#define FACTOR 3")
    path = tmp_path / "reduce.cl"
    path.write_text(REDUCE)
    return str(path)


@NEEDS_CLANG
def test_opencl(capsys: pytest.CaptureFixture[str], reduce: str) -> None:
    launch = ["-k", "reduce", "--grid", "2", "--group", "32", "--arg", "arange:64xi32", "--arg", "zeros:2xi32"]
    options = [*launch, "--build-options=-DBIAS=1 -w", "--expect", "sums=arange:2xi32:1489:3072"]
    for size in ("local:128", "local:1K"):
        assert outcome(capsys, reduce, "-q", *options, "--arg", size) == (0, "", "")


@NEEDS_CLANG
def test_wrong_opencl(capsys: pytest.CaptureFixture[str], reduce: str) -> None:
    for arguments, message in (
        (["-k", "fill"], "reduce.cl:11:49: error: use of undeclared identifier 'BIAS'"),
        (["--build-options=-DBIAS=1"], "contains 2 kernels ('reduce', 'fill'): select one with -k"),
        (["--build-options=-DBIAS='"], "--build-options: No closing quotation"),
        (["--build-options=-o x"], "option '-o' is not supported"),
        (["--op-level", "lane"], "--op-level requires MLIR, but the file is OpenCL C"),
        (["--pipeline", "nothing", "--build-options=-DBIAS=1"], "--pipeline: "),
    ):
        status, _, errors = outcome(capsys, reduce, *arguments)
        assert status != 0 and message in errors, errors


def test_llvm_ir(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "add.ll"
    path.write_text(ADD)
    launch = ["-q", "--grid", "2", "--group", "16", "--arg", "arange:32xi32", "--arg", "i32:5"]
    assert outcome(capsys, str(path), *launch, "--expect", "x=arange:32xi32:5") == (0, "", "")
    path.write_text(ADD.replace("add i32 %v", "add i64 %v"))
    status, _, errors = outcome(capsys, str(path), *launch)
    assert status == 1 and "add.ll:6:1: error: is no LLVM IR: '%v' defined with type 'i32' but expected 'i64'" in errors


def test_spirv(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = (ROOT / "tests/corpus/spirv/vector_add.ocloc.spv").read_bytes()
    path = tmp_path / "module"
    path.write_bytes(data)
    launch = ["-q", "--grid", "2", "--group", "16", "--arg", "arange:32xf32", "--arg", "ones:32xf32"]
    launch += ["--arg", "zeros:32xf32", "--arg", "f32:2", "--arg", "i32:32", "--expect", "2=arange:32xf32:2"]
    assert outcome(capsys, str(path), *launch) == (0, "", "")
    broken = tmp_path / "broken.spv"
    broken.write_bytes(data[:99])
    status, _, errors = outcome(capsys, str(broken), *launch)
    assert status == 1 and errors.startswith(f"{broken}:1:1: error: ") and errors.count("\n") == 1


@pytest.mark.parametrize("size", ["", "x", "-", "1P", "9" * 200])
def test_wrong_sizes_of_local_memory(capsys: pytest.CaptureFixture[str], tmp_path: Path, size: str) -> None:
    path = tmp_path / "local.ll"
    path.write_text("define spir_kernel void @k(ptr addrspace(3) %x) {\n  ret void\n}\n")
    status, _, errors = outcome(capsys, str(path), "--grid", "1", "--group", "16", "--arg", f"local:{size}")
    assert status != 0
    assert "is not a size in bytes, e.g. 1024 or 4K" in errors or "a size of local memory in bytes" in errors


def test_intels_compiler_takes_opencl_and_spirv(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = outcome(capsys, str(ROOT / "examples/gemm.mlir"), "--igc")
    assert (code, "--igc requires OpenCL C or SPIR-V, but the file is MLIR" in errors) == (2, True)
