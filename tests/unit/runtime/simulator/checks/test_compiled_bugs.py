"""Bugs in MLIR, reported with the lines that they are in."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device, ZeError
from tests.paths import EXAMPLES

TRANSPOSE = (EXAMPLES / "transpose.mlir").read_text()


def line_of(text: str, start: str) -> int:
    (line,) = (number for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith(start))
    return line


def report(text: str, checks: str) -> str:
    """Returns the report on a transposition of a 16x16 matrix whose result is uninitialized."""
    device = Device("pvc", checks=checks)
    (kernel,) = device.compile(text, "kernel.mlir").values()
    x = np.arange(256, dtype=np.float32).reshape(16, 16)
    with pytest.raises(ZeError) as error:
        kernel[(1, 1)](x, device.empty((16, 16)))
    return str(error.value)


def test_a_barrier_is_missing() -> None:
    text = TRANSPOSE.replace("gpu.barrier", "// no barrier")
    found = report(text, "races")
    assert "data race in kernel 'transpose'" in found
    assert "of shared local memory" in found
    for start in ("memref.store %v, %tile", "%w = memref.load %tile"):
        assert f"source: kernel.mlir:{line_of(text, start)}:" in found


def test_the_tile_is_never_written() -> None:
    store = next(line for line in TRANSPOSE.splitlines() if line.strip().startswith("memref.store %v, %tile"))
    text = TRANSPOSE.replace(store, "")
    found = report(text, "uninitialized")
    assert "because nothing has written those bytes of shared local memory" in found
    assert f"source: kernel.mlir:{line_of(text, '%w = memref.load %tile')}:" in found
    assert f"source: kernel.mlir:{line_of(text, 'memref.store %w')}:" in found


COUNTER = """
gpu.module @m {
  gpu.func @k(%d: memref<5xi8>, %o: memref<5xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i8
    %one = arith.constant 1 : i8
    %slm = memref.alloc() : memref<5xi8, 3>
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %zero, %MEMORY[%c1] : MEMREF
    }
    gpu.barrier
    %old = memref.atomic_rmw addi %one, %MEMORY[%c1] : (i8, MEMREF) -> i8
    gpu.barrier
    scf.if %first {
      %v = memref.load %MEMORY[READ] : MEMREF
      memref.store %v, %o[%c1] : memref<5xi8>
    }
    gpu.return
  }
}
"""


@pytest.mark.parametrize("target", ["pvc", "arc"])
@pytest.mark.parametrize(("memory", "memref"), [("slm", "memref<5xi8, 3>"), ("d", "memref<5xi8>")])
class TestCountersOfOneByte:
    """Their atomics exchange the whole word around them, of which nothing may have written the other bytes."""

    @staticmethod
    def count(target: str, text: str) -> int:
        device = Device(target, checks="all")
        (kernel,) = device.compile(text, "kernel.mlir").values()
        out = device.array(np.zeros(5, np.int8))
        kernel[1, (32,)](device.empty(5, np.int8), out)
        return int(out.numpy()[1])

    def test_neighbours_need_no_value(self, target: str, memory: str, memref: str) -> None:
        text = COUNTER.replace("MEMORY", memory).replace("MEMREF", memref)
        assert self.count(target, text.replace("READ", "%c1")) == 32

    def test_neighbours_get_no_value(self, target: str, memory: str, memref: str) -> None:
        text = COUNTER.replace("MEMORY", memory).replace("MEMREF", memref).replace("READ", "%c2")
        with pytest.raises(ZeError, match="nothing has written those bytes") as error:
            self.count(target, text)
        assert f"source: kernel.mlir:{line_of(text, 'memref.store %v')}:" in str(error.value)

    def test_the_counter_needs_one(self, target: str, memory: str, memref: str) -> None:
        text = COUNTER.replace("MEMORY", memory).replace("MEMREF", memref).replace("READ", "%c1")
        start = text.replace("cmpi eq, %t, %c0", "cmpi ult, %t, %c0")
        with pytest.raises(ZeError, match="nothing has written those bytes") as error:
            self.count(target, start)
        assert f"source: kernel.mlir:{line_of(text, '%old = memref.atomic_rmw')}:" in str(error.value)
