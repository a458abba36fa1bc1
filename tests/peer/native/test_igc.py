"""Intel's compiler instead of ours: from Python, and through a build flag of Level Zero."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from runtime import Device, ze
from tests.paths import ROOT
from tests.peer.generations import GENERATIONS, either, missing, program
from tests.peer.native.ocloc import compiled
from tests.unit.tools.test_xegpu_run import outcome
from xegpu.diagnostics import CompileError
from xegpu.targets import PVC

OCLOC = either("ocloc")
pytestmark = pytest.mark.skipif(OCLOC is None, reason="ocloc (package intel-opencl-icd) is not installed")
SOURCE = "kernel void scaled(global float *a, float by) { a[get_global_id(0)] *= by * FACTOR; }"


@cache
def device(target: str) -> Device:
    return Device(target)


@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_opencl_c_becomes_native_code(target: str) -> None:
    module = device(target).compile(SOURCE, "scaled.cl", options=["-DFACTOR=2"], compiler="igc")
    assert b"XeVISA" not in module.binary
    a = np.arange(40, dtype=np.float32)
    module["scaled"][2, (20,)](a, np.float32(1.5))
    np.testing.assert_array_equal(a, np.arange(40) * 3)


def test_cooperative_matrices_have_the_same_results() -> None:
    """Both compilers make code that sums in the same order; Intel's of 2022 does not know such matrices yet."""
    data = (ROOT / "tests/corpus/spirv/joint_matrix.llvm-spirv22.spv").read_bytes()
    try:
        modules = [device("pvc").compile(data, "k.spv", compiler=compiler) for compiler in ("xegpu", "igc")]
    except CompileError as error:
        if "does not support the following opcode" not in str(error):
            raise
        pytest.skip(str(error))
    random = np.random.default_rng(11)
    bits = random.standard_normal((2, 32, 64)).astype(np.float32).view(np.uint32) >> 16
    a, b, c = bits[0].astype(np.uint16), bits[1].astype(np.uint16), random.standard_normal((32, 32)).astype(np.float32)
    results = []
    for module in modules:
        results.append(np.zeros_like(c))
        module["joint_matrix"][(2, 4, 1), (16, 1, 1)](a, b, c, results[-1], 32, 64)
    assert results[0].any()
    np.testing.assert_array_equal(results[0], results[1])


def test_errors_have_their_places() -> None:
    with pytest.raises(CompileError, match=r"scaled\.cl:1:\d+: error: use of undeclared identifier 'FACTOR'"):
        device("pvc").compile(SOURCE, "scaled.cl", compiler="igc")


@pytest.mark.parametrize("generation", GENERATIONS)
def test_the_host_chooses_the_function_that_a_kernel_calls(generation: str, tmp_path: Path) -> None:
    """The address of an exported function is an argument, for a kernel that refers to no function itself."""
    if (ocloc := program("ocloc", generation)) is None:
        pytest.skip(missing("ocloc", "intel-opencl-icd", generation))
    (tmp_path / "k.cl").write_text(POINTERS)
    command = [ocloc, "compile", "-file", "k.cl", "-device", "pvc", "--format", "zebin", "-output", "k"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    (made,) = tmp_path.glob("k*.bin")
    driver = ze.simulated_driver((PVC,))
    context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    (gpu,) = ze.zeDeviceGet(driver)
    desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, made.read_bytes())
    module, _ = ze.zeModuleCreate(context, gpu, desc)
    kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("call"))
    ze.zeKernelSetGroupSize(kernel, 16, 1, 1)
    memory = ze.zeMemAllocShared(context, ze.ze_device_mem_alloc_desc_t(), ze.ze_host_mem_alloc_desc_t(), 64, 0, gpu)
    ze.zeKernelSetArgumentValue(kernel, 0, 8, memory)
    commands = ze.zeCommandListCreateImmediate(context, gpu, ze.ze_command_queue_desc_t())
    for function, wanted in {"affine": np.arange(16) * 3 + 1, "flipped": np.arange(16) ^ 5}.items():
        ze.zeKernelSetArgumentValue(kernel, 1, 8, ze.zeModuleGetFunctionPointer(module, function))
        found = np.zeros(16, np.int32)
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(1, 1, 1))
        ze.zeCommandListAppendMemoryCopy(commands, found, memory, 64)
        ze.zeCommandListHostSynchronize(commands, 2**64 - 1)
        np.testing.assert_array_equal(found, wanted)


POINTERS = """
void __builtin_IB_call_function_pointer(char *function, char *argument);
char *__builtin_IB_get_function_pointer(__constant char *name);
void affine(char *p) { int *v = (int *)p; *v = *v * 3 + 1; }
void flipped(char *p) { int *v = (int *)p; *v ^= 5; }
kernel void exporting(global ulong *out) {
  out[0] = (ulong)__builtin_IB_get_function_pointer("affine");
  out[1] = (ulong)__builtin_IB_get_function_pointer("flipped");
}
kernel void call(global int *out, ulong function) {
  int x = get_global_id(0);
  __builtin_IB_call_function_pointer((char *)function, (char *)&x);
  out[get_global_id(0)] = x;
}
"""


ASSERTING = """
void __devicelib_assert_fail(constant const char *what, constant const char *file, int line, constant const char *name,
                             ulong gx, ulong gy, ulong gz, ulong lx, ulong ly, ulong lz);
kernel void halved(global int *a) {
  int i = get_global_id(0);
  if (a[i] & 1)
    __devicelib_assert_fail("a[i] is even", "k.cl", 5, "halved", i, 0, 0, get_local_id(0), 0, 0);
  a[i] /= 2;
}
"""


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("target", "gpu"), [("pvc", "pvc"), ("arc", "dg2")])
def test_failed_assertions_are_faults(target: str, gpu: str, tmp_path: Path) -> None:
    """Code of today's compiler writes them to a buffer, as that of SYCL does."""
    (tmp_path / "k.cl").write_text(ASSERTING)
    module = Device(target).load(compiled(tmp_path / "k.cl", gpu, tmp_path, "today"))
    a = np.arange(0, 80, 2, dtype=np.int32)
    module["halved"][2, (20,)](a)
    np.testing.assert_array_equal(a, np.arange(40))
    a = np.arange(0, 80, 2, dtype=np.int32)
    a[[3, 25]] = 1
    with pytest.raises(ze.ZeError, match="kernel 'halved': failed assertion") as error:
        module["halved"][2, (20,)](a)
    line = "k.cl:5: halved: global id: [{},0,0], local id: [{},0,0] Assertion `a[i] is even` failed."
    assert sorted(str(error.value).splitlines()[1:]) == [line.format(25, 5), line.format(3, 3)]


@pytest.mark.parametrize(
    ("source", "name", "options", "error", "text"),
    [
        (
            "module {}",
            "k.mlir",
            [],
            ValueError,
            "takes OpenCL C as text and SPIR-V as bytes, not mlir",
        ),
        (SOURCE, "k.cl", ["-DA=1 -file x"], CompileError, "cannot be passed to 'ocloc'"),
        (b"no SPIR-V", "k.spv", [], CompileError, r"ocloc [\d.]+ failed"),
    ],
)
def test_refused(source: str | bytes, name: str, options: list[str], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        device("pvc").compile(source, name, options=options, compiler="igc")


def test_unknown_compiler() -> None:
    with pytest.raises(ValueError, match="unknown compiler 'gcc': expected xegpu, igc"):
        device("pvc").compile(SOURCE, "scaled.cl", compiler="gcc")


def test_the_build_flag(tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(SOURCE)
    line = "compile -file k.cl -spv_only -device pvc -options -DFACTOR=2 -output k -output_no_suffix"
    subprocess.run([str(OCLOC), *line.split()], cwd=tmp_path, capture_output=True, check=True)
    spirv = (tmp_path / "k.spv").read_bytes()
    ze.zeInit(0)
    driver = ze.zeDriverGet()[0]
    context, gpu = ze.zeContextCreate(driver, ze.ze_context_desc_t()), ze.zeDeviceGet(driver)[0]
    flags = "-ze-opt-large-register-file -xegpu-compiler=igc -ze-opt-level=2"
    desc = ze.ze_module_desc_t(ze.ze_module_format_t.ZE_MODULE_FORMAT_IL_SPIRV, spirv, flags)
    module, log = ze.zeModuleCreate(context, gpu, desc)
    assert ze.zeModuleBuildLogGetString(log) == "warning: build flag '-ze-opt-level=2' has no effect"
    assert ze.zeModuleGetKernelNames(module) == ["scaled"]
    assert b"XeVISA" not in ze.zeModuleGetNativeBinary(module)
    ze.zeModuleDestroy(module)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_the_command_says_which_compiler_it_was(
    generation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is today's if `scripts/peers` has fetched one."""
    ocloc = program("ocloc", generation)
    if ocloc is None:
        pytest.skip(missing("ocloc", "intel-opencl-icd", generation))
    if generation == "installed":
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "scaled.cl").write_text(SOURCE)
    launch = ["--grid=1", "--group=8", "--arg=arange:8xf32", "--arg=f32:2", "--expect=a=arange:8xf32:0:6"]
    code, _, said = outcome(capsys, str(tmp_path / "scaled.cl"), "--igc", "--build-options=-DFACTOR=3", *launch)
    assert code == 0, said
    assert re.search(rf"compiled by ocloc \d+\.\d+\S* \({re.escape(ocloc)}\)", said)
