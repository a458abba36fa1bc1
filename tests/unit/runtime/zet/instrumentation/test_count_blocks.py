"""The example that counts basic blocks, against the simulator's counts of the kernels as they were."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

import zebin
from runtime import Device, Kernel
from runtime.mux import compile_source
from runtime.ze import layers
from tests.paths import DOCS, ROOT
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.test_module_linking import module_binary
from tests.unit.runtime.zet.metrics.world import kernel_of
from xegpu.isa import disassemble

PATH = ROOT / "examples" / "count_blocks.py"


@pytest.fixture
def tool() -> Iterator[ModuleType]:
    """The example as a module; the tracing layer goes away afterwards."""
    before = layers.active()
    spec = importlib.util.spec_from_file_location("count_blocks", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["count_blocks"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["count_blocks"]
    layers.install(before)


@pytest.mark.sampled(every=4)
def test_the_command() -> None:
    done = subprocess.run([sys.executable, PATH], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout in (DOCS / "instrumentation.md").read_text()
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["block", "counted", "simulator"] and len(rows) == 5
    assert all(counted == simulated for _, counted, simulated in rows[1:])
    assert rows[1] == ["0x010", "64", "64"]  # the threads


@pytest.mark.parametrize("target", ["pvc", "arc"])
@pytest.mark.parametrize("size", [1000, 1])
def test_counts_are_those_of_the_simulator(target: str, size: int, tool: ModuleType) -> None:
    """The kernel has divergent loops, barriers and an atomic. It is counted as it was, without the tool, too."""
    text = (ROOT / "examples" / "reduction.mlir").read_text()
    values = np.arange(size, dtype=np.float32)
    with Device(target, profile=True) as device:
        expected, executed = run(device.compile(text)["reduction"], values)
    with tool.BlockCounter() as counter, Device(target) as device:
        total, _ = run(device.compile(text)["reduction"], values)
        counts = counter.counts()
    assert total == expected == values.sum()
    assert len(counts) > 6 and not counter.skipped
    assert {block.offset: count for block, count in counts.items()} == {
        block.offset: executed[block.offset] for block in counts
    }


def run(kernel: Kernel, values: NDArray[np.float32]) -> tuple[float, dict[int, int]]:
    """The sum, and how often each instruction was executed, by its offset, if the device makes profiles."""
    total = np.zeros(1, np.float32)
    launch = kernel[3, (48,)](values, total)
    profile = launch.profile
    return float(total[0]), {} if profile is None else {each.offset: each.executed for each in profile.instructions}


def test_a_kernel_with_indirect_operands_is_counted(tool: ModuleType) -> None:
    """Vectors that a loop indexes are read by address, which leaves the tool its register, and the results alone."""
    text = (ROOT / "examples" / "gallery" / "transpose" / "wi_xegpu.mlir").read_text()
    x, y = np.arange(128 * 64).reshape(128, 64).astype(np.float16), np.zeros((64, 128), np.float16)
    assert "r[a0" in disassemble(bytes(zebin.read(compile_source(text, "pvc")).kernels["transpose"].code))
    with tool.BlockCounter() as counter, Device("pvc") as device:
        kernel = device.compile(text)["transpose"]
        kernel[(4, 8), (16,)](x, y)
        counts = counter.counts()
    assert np.array_equal(y, x.T)
    assert not counter.skipped
    assert set(counts.values()) == {32, 32 * 16, 32 * 17}  # 32 threads, in two loops of 16 turns


def test_subroutines_and_loops(tool: ModuleType) -> None:
    """Counts that follow from the text: two threads go around five times, and call a function at every turn."""
    text = """
    (W) mov (1|M0) r10.0<1>:ud 0x5:ud
    again:
    (W) call (1|M0) r20 twice
    (W) add (1|M0) (ne)f0.0 r10.0<1>:d r10.0<0;1,0>:d -1:d
    (W&f0.0) jmpi (1|M0) again
    (W) store.ugm.d32.a64 (1|M0) flat[r1]:1 r30:1
    eot
    twice:
    (W) add (1|M0) r30.0<1>:ud r30.0<0;1,0>:ud 0x2:ud
    (W) ret (1|M0) r20
    """
    out = np.zeros(1, np.float32)
    with tool.BlockCounter() as counter, Device("pvc") as device:
        kernel = kernel_of(text)
        facts = replace(kernel.facts, arguments=(kernels.pointer("p", "memref<1xf32>", 0),))
        device.load(kernels.binary(replace(kernel, facts=facts)))["k"][2, (16,)](out)
        counts = counter.counts()
    assert out.view(np.uint32)[0] == 10
    assert list(counts.values()) == [2, 10, 10, 2, 10]


class TestKernelsThatAreNotCounted:
    """They are executed as they are."""

    def skipped(self, tool: ModuleType, binary: bytes) -> dict[str, str]:
        with tool.BlockCounter() as counter, Device("pvc") as device:
            device.load(binary)
        assert counter.counts() == {}
        return dict(counter.skipped)

    def test_without_a_free_register(self, tool: ModuleType) -> None:
        text = "(W) mov (1|M0) a0.0<1>:uw 0x0:uw\n(W) mov (1|M0) r[a0.0]<1>:ud r10.0<0;1,0>:ud\neot"
        assert self.skipped(tool, kernels.binary(kernel_of(text))) == {"k": "no register is free"}

    def test_native_code(self, tool: ModuleType) -> None:
        native = (ROOT / "tests/data/zebin/vadd-debug.pvc.zebin").read_bytes()
        assert self.skipped(tool, native) == {"vadd": "native code"}

    def test_a_module_that_imports(self, tool: ModuleType) -> None:
        assert set(self.skipped(tool, module_binary(imports=["variable"])).values()) == {"the module is not linked yet"}


def test_variables_and_relocations(tool: ModuleType) -> None:
    """The address of a variable is patched into code that has moved."""
    text = """
    gpu.module @m {
      memref.global "private" constant @table : memref<4xi32> = dense<[3, 1, 4, 1]>
      gpu.func @k(%o: memref<4xi32>) kernel {
        %t = memref.get_global @table : memref<4xi32>
        %i = gpu.thread_id x
        %v = memref.load %t[%i] : memref<4xi32>
        memref.store %v, %o[%i] : memref<4xi32>
        gpu.return
      }
    }
    """
    out = np.zeros(4, np.int32)
    with tool.BlockCounter() as counter, Device("pvc") as device:
        device.compile(text)["k"][1, (4,)](out)
        assert set(counter.counts().values()) == {1}
    assert out.tolist() == [3, 1, 4, 1]
