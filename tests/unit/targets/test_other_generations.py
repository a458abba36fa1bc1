"""GPUs of unknown generations take the whole path, from text to results, without a line of the product about them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import zebin
from passes.pipelines import xe_passes
from passes.xe.select_code import NATIVE
from runtime import Device
from runtime.mux import CompileOptions, compile_module, compile_with_igc_log
from tests.paths import EXAMPLES
from tests.unit.gallery.gemm_oracles import PROBLEMS as PRODUCTS
from tests.unit.gallery.problems import PROBLEMS
from tests.unit.gallery.support import LEVELS, UPSTREAM_LEVELS, Page, assert_within, grid, launch
from tests.unit.passes.kernels.harness import compile_one, kernel_text, refusal, run
from tests.unit.targets.descriptions import NARROW, WIDE
from tools import xe_asm, xegpu_opt, xegpu_run
from xegpu import targets
from xegpu.diagnostics import CompileError
from xegpu.isa import assemble_program
from xegpu.isa.formats import validate
from xegpu.isa.model import IllegalInstruction
from xegpu.targets import PVC, Target
from zebin.elf.notes import TargetNotes

BOTH = pytest.mark.parametrize("target", [NARROW, WIDE], ids=lambda target: target.name)

SCALE = kernel_text(
    "%x: memref<64xf64>, %y: memref<64xf64>, %a: f64",
    """
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<64xf64>
    %w = memref.load %y[%i] : memref<64xf64>
    %p = arith.mulf %a, %v : f64
    %s = arith.addf %p, %w : f64
    %zero = arith.constant 0.0 : f64
    %is_big = arith.cmpf ogt, %s, %zero : f64
    scf.if %is_big {
      memref.store %s, %y[%i] : memref<64xf64>
    }
    """,
    "",
)
"""Work-items, some of which store; the subgroup size is the one that the GPU has by default."""

DPAS = "dpas.8x8 (16|M0) r40.0:{0} r40.0:{0} r24.0:bf r16.0:bf\neot\n"


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    with targets.registered(NARROW), targets.registered(WIDE):
        yield


def validated(text: str, target: Target) -> str:
    """Returns the rule that the first instruction breaks on a GPU; empty if it breaks none."""
    instruction, *_ = assemble_program(text, grf_bytes=target.platform.grf_bytes).instructions
    try:
        validate(instruction, target, 128)
    except IllegalInstruction as error:
        return str(error)
    return ""


def text_of(name: str) -> str:
    return (EXAMPLES / f"{name}.mlir").read_text()


@BOTH
def test_binaries_name_the_gpu(target: Target) -> None:
    binary = zebin.read(compile_module(text_of("vector_add"), target.name))
    assert binary.target.gpu is target
    assert compile_one(text_of("vector_add"), target).facts.grf_count == min(target.platform.grf_counts)
    assert zebin.TargetDevice.parse(target.name).config == target.product_config


@BOTH
def test_whole_subgroups(target: Target) -> None:
    a, b, c = np.arange(4096, dtype=np.float32), np.full(4096, 0.5, np.float32), np.zeros(4096, np.float32)
    *_, found = launch(text_of("vector_add"), target.name, (64,), [a, b, c])
    np.testing.assert_array_equal(found, a + b)


@BOTH
def test_work_items(target: Target) -> None:
    kernel = compile_one(SCALE, target)
    assert kernel.facts.simd_size == target.platform.subgroup_size
    x, y = np.linspace(-1, 1, 64), np.zeros(64)
    _, found = run(kernel, x, y, np.float64(2), groups=(2, 1, 1), local=(32, 1, 1), target=target)
    np.testing.assert_array_equal(found, np.maximum(2 * x, 0))


@BOTH
def test_shared_memory_and_barriers(target: Target) -> None:
    x = np.arange(32 * 48, dtype=np.float32).reshape(32, 48)
    _, found = launch(text_of("transpose"), target.name, (3, 2), [x, np.zeros((48, 32), np.float32)])
    np.testing.assert_array_equal(found, x.T)


@BOTH
@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("level", [*LEVELS, *UPSTREAM_LEVELS])
@pytest.mark.parametrize("name", ["elementwise", "gather_scatter", "layer_norm", "reduction", "softmax", "transpose"])
def test_kernels_of_the_gallery(target: Target, name: str, level: str) -> None:
    """At every level of XeTile and XeGPU, in both engines; lanes are those of subgroups of 16."""
    problem = PROBLEMS[name]()
    path = Page(name, level, PVC.name if level == "lane_llvm22" else target.name).path
    arrays = launch(path.read_text(), target.name, grid(path.read_text()), problem.arguments)
    for position, result in problem.results.items():
        assert_within(arrays[position], result.exact, result.bound)


@pytest.mark.parametrize("level", ["wg_xetile", "wi_xegpu", "lane_llvm22"])
def test_products(level: str) -> None:
    """The matrix engine of one of the GPUs computes; for the other one, products are refused by name."""
    problem, path = PRODUCTS["gemm_f16"](), Page("gemm_f16", level, PVC.name).path
    *_, found = launch(path.read_text(), WIDE.name, problem.grid or grid(path.read_text()), problem.arguments)
    assert_within(found, problem.exact, problem.bound)
    assert re.search("op multiplies matrices, narrow has no matrix engine", refusal(path.read_text(), NARROW))


def test_results_of_products_that_one_generation_has() -> None:
    """Accumulators in bf16 are a feature of a platform, not of its size of registers."""
    dpas = DPAS.format("bf")
    assert validated(dpas, PVC) == ""
    assert "wide has no matrix product of bf (A) and bf (B) with accumulator bf and result bf" in validated(dpas, WIDE)
    assert validated(DPAS.format("f"), WIDE) == ""
    assert validated(dpas, NARROW) == "dpas: narrow has no matrix engine"


def test_sizes_of_the_register_file() -> None:
    """A kernel gets the smallest of the GPU's own sizes that it fits in; another one is refused."""
    body = """
        %c0 = arith.constant 0 : index
        %t = xegpu.create_nd_tdesc %x[%c0] : memref<4096xf32> -> !xegpu.tensor_desc<64xf32>
    """
    values = range(13)
    for i in values:
        body += f"""
            %t{i} = xegpu.update_nd_offset %t, [{64 * i}] : !xegpu.tensor_desc<64xf32>
            %v{i} = xegpu.load_nd %t{i} : !xegpu.tensor_desc<64xf32> -> vector<64xf32>
        """
    body += "%s0 = arith.addf %v0, %v0 : vector<64xf32>\n"
    for i in values[1:]:
        body += f"%s{i} = arith.addf %s{i - 1}, %v{i} : vector<64xf32>\n"
    for i in values:
        body += f"""
            %p{i} = arith.mulf %v{i}, %s12 : vector<64xf32>
            xegpu.store_nd %p{i}, %t{i} : vector<64xf32>, !xegpu.tensor_desc<64xf32>
        """
    text = kernel_text("%x: memref<4096xf32>", body)
    assert compile_one(text, NARROW).facts.grf_count == 160
    assert compile_one(text, WIDE).facts.grf_count == 128
    assert "128 registers" in refusal(text, NARROW, 128)
    x = np.linspace(0, 1, 4096, dtype=np.float32)
    (found,) = run(compile_one(text, NARROW), x, target=NARROW)
    (same,) = run(compile_one(text), x)
    np.testing.assert_array_equal(found, same)
    assert (found != x).any()


@BOTH
def test_device_properties(target: Target) -> None:
    platform = target.platform
    with Device(target.name) as device:
        assert device.properties.deviceId == target.device_id
        assert device.properties.physicalEUSimdWidth == platform.physical_simd_width
        assert device.properties.numThreadsPerEU == max(platform.eu_threads.values())
        assert device.compute_properties.maxSharedLocalMemory == platform.max_slm_bytes
        assert device.compute_properties.maxTotalGroupSize == platform.max_group_items
        assert tuple(device.compute_properties.subGroupSizes) == platform.subgroup_sizes


@BOTH
@pytest.mark.parametrize("options", [(), ("--sysman",), ("--list",)])
def test_ze_info(target: Target, options: Sequence[str]) -> None:
    """All that there is to know of a device can be asked of it."""
    program = f"""
import sys
from tests.unit.targets import descriptions
from tools.ze_info import main
from xegpu.targets import registered
with registered(descriptions.{target.name.upper()}):
    sys.exit(main({list(options)}))
"""
    environment = os.environ | {"XEGPU_DEVICE": target.name}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert target.title in done.stdout


@BOTH
def test_tools(target: Target, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The commands take the GPU by its name, and by its chip in a module."""
    file, named, binary = (tmp_path / name for name in ("k.mlir", "named.mlir", "k.zebin"))
    file.write_text(text_of("vector_add"))
    named.write_text(file.read_text().replace("@kernels {", f'@kernels [#xevm.target<chip = "{target.chips[0]}">] {{'))
    assert xegpu_opt.main([str(named), "-p", "xe-pipeline", "-t", "zebin", "-o", str(binary)]) == 0
    launch = ["--grid", "64", "--arg", "arange:4096xf32", "--arg", "ones:4096xf32", "--arg", "zeros:4096xf32", "-q"]
    assert xegpu_run.main([str(binary), *launch, "--print", "c"]) == 0
    from_binary = capfd.readouterr().out
    assert "4.096e+03" in from_binary.lower() or "4096" in from_binary
    assert xegpu_run.main([str(file), "--target", target.name, *launch, "--print", "c"]) == 0
    assert capfd.readouterr().out == from_binary
    assert xegpu_run.main([str(named), *launch]) == 1
    assert f"is for chip '{target.chips[0]}', which is no pvc: choose --target {target.name}" in capfd.readouterr().err


@BOTH
def test_native_code_is_refused_by_name(target: Target, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nobody knows its words: they are neither written nor read as those of another GPU."""
    title = target.platform.title
    file = tmp_path / "k.mlir"
    file.write_text(text_of("vector_add"))
    compile_native = f"xe-pipeline{{target={target.name} code=native}}"
    assert xegpu_opt.main([str(file), "-p", compile_native, "-t", "zebin", "-o", str(tmp_path / "k.zebin")]) == 1
    assert f"no native encoding for platform {title}" in capfd.readouterr().err
    words = tmp_path / "k.asm"
    words.write_text("(W) mov (1|M0) r5.0<1>:ud 0x0:ud\n")
    assert xe_asm.main(["--native", "--target", target.name, str(words), "-o", str(tmp_path / "k.bin")]) == 1
    assert f"no native encoding for platform {title}" in capfd.readouterr().err
    steps = CompileOptions(xe_passes(PVC.name, code=NATIVE))
    (kernel,) = zebin.read(compile_module(text_of("vector_add"), PVC.name, options=steps)).kernels.values()
    notes = TargetNotes(gfx_core=target.platform.gfx_core, product_family=target.product_family)
    listing = zebin.disassemble(kernel, notes)
    assert not listing.lines
    assert listing.problem == f"native code of {title}, which neither this program nor iga64 knows"


@BOTH
def test_ocloc_has_no_name_for_it(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _, path=None: sys.executable)
    with pytest.raises(CompileError, match=f"'ocloc' has no name for the GPU '{target.name}'"):
        compile_with_igc_log("kernel void k() {}", target.name, "k.cl")
