"""The level of a program's XeGPU: stated by an option or a RUN line, or inferred; and ids that subgroups share."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.tools.test_xegpu_run import outcome

_RUN_LINE = "// RUN: mlir-opt %s --gpu-lower-to-xevm-pipeline{options} \\\n// RUN: | mlir-runner | FileCheck %s\n"

_PROGRAM = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {target} {{
    // Subgroup s adds s to row s; nothing in it belongs to one generation only.
    gpu.func @k(%c: memref<8x16xf32>) kernel {{
      %c16 = arith.constant 16 : index
      %x = gpu.thread_id x
      %s = arith.divui %x, %c16 : index
      %i = arith.index_cast %s : index to i32
      %f = arith.sitofp %i : i32 to f32
      %v = vector.broadcast %f : f32 to vector<1x16xf32>
      %t = xegpu.create_nd_tdesc %c[%s, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<1x16xf32>
      %w = xegpu.load_nd %t : !xegpu.tensor_desc<1x16xf32> -> vector<1x16xf32>
      %sum = arith.addf %v, %w : vector<1x16xf32>
      xegpu.store_nd %sum, %t : vector<1x16xf32>, !xegpu.tensor_desc<1x16xf32>
      gpu.return
    }}
  }}
  func.func private @printMemrefF32(memref<*xf32>)
  func.func @main() {{
    %c1 = arith.constant 1 : index
    %threads = arith.constant {threads} : index
    %c = gpu.alloc host_shared () : memref<8x16xf32>
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(%c : memref<8x16xf32>)
    %u = memref.cast %c : memref<8x16xf32> to memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }}
}}
"""


def _file(folder: Path, run: str | None, *, threads: int = 128, target: str = "") -> str:
    path = folder / "program.mlir"
    head = "" if run is None else _RUN_LINE.format(options=run)
    path.write_text(head + _PROGRAM.format(threads=threads, target=target))
    return str(path)


@pytest.mark.parametrize(
    ("run", "options"),
    [
        ('="xegpu-op-level=subgroup"', ()),
        ("=xegpu-op-level=workgroup", ()),
        ('="zebin-chip=bmg"', ()),
        ("", ()),
        (None, ("--op-level=subgroup",)),
    ],
)
def test_levels_of_llvm22_count_work_items(
    tmp_path: Path, run: str | None, options: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    status, output, errors = outcome(capfd, _file(tmp_path, run), *options)
    assert status == 0, errors
    assert "8 subgroups" in errors
    numbers = [float(number) for number in re.findall(r"\d+", output[output.index("[[") :])]
    assert numbers == [row for row in range(8) for _ in range(16)]


def test_the_rfc_counts_subgroups(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, _, errors = outcome(capfd, _file(tmp_path, None, threads=32))
    assert status == 0, errors
    assert "32 subgroups" in errors


def test_a_level_that_is_not_the_kernels_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = _file(tmp_path, None)
    for level in ("lane", "workitem"):
        status, _, errors = outcome(capfd, file, "--op-level", level)
        assert status == 1
        assert "has values of level subgroup, but the level of the kernel is lane" in errors
    status, _, errors = outcome(capfd, _file(tmp_path, '="xegpu-op-level=warp"'))
    assert status == 1
    assert "xegpu-op-level=warp: expected one of workgroup, subgroup, lane, workitem" in errors
    status, _, errors = outcome(capfd, file, "--op-level=subgroup", "--pipeline=cse")
    assert status == 2
    assert "exclude each other" in errors


def test_chips(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for chip in ("pvc", "bmg"):
        assert outcome(capfd, _file(tmp_path, "", target=f'[#xevm.target<O = 3, chip = "{chip}">]'))[0] == 0
    file = _file(tmp_path, "", target='[#xevm.target<chip = "cri">]')
    status, _, errors = outcome(capfd, file)
    assert status == 1
    assert "is for chip 'cri', which is not simulated: expected one of pvc, bmg, dg2" in errors
    assert outcome(capfd, file, "--target=pvc")[0] == 0


def test_groups_that_do_not_fill_subgroups(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, _, errors = outcome(capfd, _file(tmp_path, "", threads=24))
    assert status == 1
    assert "work-groups have 24 work-items along x, which do not fill subgroups of 16" in errors
