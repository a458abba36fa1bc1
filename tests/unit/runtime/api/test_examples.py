"""The examples that share memory, through the binary and Level Zero, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device
from tests.paths import EXAMPLES


@pytest.fixture(params=["pvc", "arc"])
def device(request: pytest.FixtureRequest) -> Device:
    return Device(str(request.param))


def source(name: str) -> str:
    return (EXAMPLES / f"{name}.mlir").read_text()


def test_reduction(device: Device) -> None:
    """Sums of integers are exact in any order."""
    x = np.random.default_rng(1).integers(-50, 50, 10_001).astype(np.float32)
    total = np.zeros(1, np.float32)
    device.compile(source("reduction"))["reduction"][(7,), 200](x, total)
    assert total[0] == x.sum()


def test_softmax(device: Device) -> None:
    x = np.random.default_rng(2).standard_normal((5, 300)).astype(np.float32) * 10
    y = np.zeros_like(x)
    device.compile(source("softmax"))["softmax"][(5,), 100](x, y)
    wide = np.exp((x - x.max(1, keepdims=True)).astype(np.float64))
    np.testing.assert_allclose(y, wide / wide.sum(1, keepdims=True), rtol=2e-6)


def test_transpose(device: Device) -> None:
    x = np.random.default_rng(3).standard_normal((64, 48)).astype(np.float32)
    y = np.zeros((48, 64), np.float32)
    device.compile(source("transpose"))["transpose"][3, 4](x, y)
    assert (y == x.T).all()


@pytest.mark.sampled(every=4)
def test_private_memory_and_spills() -> None:
    """Both have their place in scratch space: values wait there while private elements are written and read."""
    lines = ["%i = gpu.thread_id x", "%p = memref.alloca() : memref<5xf32>"]
    lines += [f"%c{k} = arith.constant {k} : index" for k in range(300)]
    lines += [f"%v{k} = memref.load %x[%i, %c{k}] : memref<16x300xf32>" for k in range(300)]
    lines += [f"memref.store %v{k}, %p[%c{k}] : memref<5xf32>" for k in range(5)]
    lines += ["gpu.barrier", "%s0 = arith.constant 0.0 : f32"]
    lines += [f"%s{k + 1} = arith.addf %s{k}, %v{k} : f32" for k in range(300)]
    lines += ["%w = memref.load %p[%c3] : memref<5xf32>", "%r = arith.subf %s300, %w : f32"]
    lines += ["memref.store %r, %y[%i] : memref<16xf32>", "gpu.return"]
    text = "gpu.module @m {\ngpu.func @k(%x: memref<16x300xf32>, %y: memref<16xf32>) kernel {\n"
    kernel = Device("pvc").compile(text + "\n".join(lines) + "\n}\n}")["k"]
    x = np.random.default_rng(4).integers(-9, 9, (16, 300)).astype(np.float32)
    y = np.zeros(16, np.float32)
    kernel[1, (16,)](x, y)
    assert (y == x.sum(1) - x[:, 3]).all()
