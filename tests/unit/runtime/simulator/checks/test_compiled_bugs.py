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
    """What is found in a transposition of a 16x16 matrix, whose result has no values before."""
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
