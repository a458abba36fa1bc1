"""Launches whose work-groups are spread: bit-equal where groups cannot communicate, refused where they may."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest

from runtime import Device, LaunchError
from runtime.cluster import SpreadError, Workers, spread
from tests.paths import EXAMPLES

Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]


def elementwise(body: str, arguments: str = "%x: memref<256xf32>, %y: memref<256xf32>", head: str = "") -> str:
    return f"""
gpu.module @m {{
  {head}
  gpu.func @f({arguments}) kernel
      attributes {{known_block_size = array<i32: 16, 1, 1>}} {{
    %one = arith.constant 1.0 : f32
    %i = gpu.global_id x
    {body}
    gpu.return
  }}
}}
"""


COPY = elementwise("%v = memref.load %x[%i] : memref<256xf32>\n memref.store %v, %y[%i] : memref<256xf32>")


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_parts_of_a_launch(engine: str) -> None:
    """Each part writes what its work-groups write, also of grids with several dimensions and none."""
    device = Device("pvc", engine)
    kernel = device.compile(COPY)["f"]
    x = np.arange(256, dtype=np.float32)
    for part in ((0, 16), (3, 4), (5, 5), (10, 16)):
        y = np.full(256, -1, np.float32)
        result = kernel[16].groups(*part)(x, y)
        expected = np.full(256, -1, np.float32)
        expected[16 * part[0] : 16 * part[1]] = x[16 * part[0] : 16 * part[1]]
        np.testing.assert_array_equal(y, expected)
        assert result.groups == result.threads == part[1] - part[0]
    for wrong in ((-1, 2), (3, 2), (0, 17)):
        with pytest.raises(LaunchError, match="of a grid of 16"):
            kernel[16].groups(*wrong)
    stream = device.stream()
    with pytest.raises(LaunchError, match="on a stream"):
        kernel[16].groups(0, 1)(device.array(x), device.array(x), stream=stream)


def test_parts_of_a_launch_with_several_dimensions() -> None:
    device = Device("pvc")
    kernel = device.compile((EXAMPLES / "gemm.mlir").read_text())["gemm"]
    a = b = np.ones((256, 256), ml_dtypes.bfloat16)
    c = np.zeros((256, 256), np.float32)
    kernel[32, 16].groups(33, 35)(a, b, c)  # x = 1 and 2 of y = 1
    expected = np.zeros((256, 256), np.float32)
    expected[8:24, 16:32] = 256
    np.testing.assert_array_equal(c, expected)


def test_a_spread_launch_is_bit_equal() -> None:
    device = Device("pvc")
    module = device.compile((EXAMPLES / "gemm.mlir").read_text())
    random = np.random.default_rng(5)
    a, b = random.uniform(-1, 1, (2, 256, 256)).astype(ml_dtypes.bfloat16)
    whole, spread_out = np.full((2, 256, 256), 7, np.float32)
    # 500 groups of 512: the last tiles keep what was there.
    result = module["gemm"][32, 15](a, b, whole)
    with Workers() as workers:
        found = spread(workers, device, module.binary, "gemm", (32, 15), (a, b, spread_out))
    assert whole.tobytes() == spread_out.tobytes()
    assert (whole == 7).any()
    assert (found.instructions, found.threads, found.groups) == (result.instructions, result.threads, result.groups)


def test_no_work_groups_change_nothing() -> None:
    device = Device("pvc")
    y = np.full(256, 3, np.float32)
    with Workers() as workers:
        spread(workers, device, device.compile(COPY).binary, "f", (0,), (y.copy(), y))
    assert (y == 3).all()


def test_equal_values_may_be_written_twice() -> None:
    """All groups write the same to the first elements: any order gives the same."""
    text = elementwise(
        "%c16 = arith.constant 16 : index\n %j = arith.remui %i, %c16 : index\n"
        "memref.store %one, %y[%j] : memref<256xf32>",
        "%y: memref<256xf32>",
    )
    device = Device("pvc")
    y = np.zeros(256, np.float32)
    with Workers() as workers:
        spread(workers, device, device.compile(text).binary, "f", (16,), (y,))
    assert (y[:16] == 1).all() and not y[16:].any()


IN_PLACE = elementwise(
    "%v = memref.load %y[%i] : memref<256xf32>\n memref.store %v, %y[%i] : memref<256xf32>", "%y: memref<256xf32>"
)
ATOMIC = elementwise(
    "%z = arith.constant 0 : index\n %r = memref.atomic_rmw addf %one, %y[%z] : (f32, memref<256xf32>) -> f32",
    "%y: memref<256xf32>",
)
CONFLICT = elementwise(
    "%c16 = arith.constant 16 : index\n %j = arith.remui %i, %c16 : index\n"
    "%w = arith.index_cast %i : index to i32\n %v = arith.sitofp %w : i32 to f32\n"
    "memref.store %v, %y[%j] : memref<256xf32>",
    "%y: memref<256xf32>",
)
PRINTS = elementwise('gpu.printf "%f\\n", %one : f32', "%y: memref<256xf32>")
BUFFER = np.zeros(512, np.float32)


@pytest.mark.parametrize(
    ("text", "values", "reason"),
    [
        (IN_PLACE, (np.zeros(256, np.float32),), "argument 'y' is read and written"),
        (ATOMIC, (np.zeros(256, np.float32),), "atomic_fadd at f.mlir:9:7 is an atomic whose order matters"),
        (CONFLICT, (np.zeros(256, np.float32),), "work-groups 0 to 3 and 4 to 7 write different values to element 0;"),
        (PRINTS, (np.zeros(256, np.float32),), "they print"),
        (COPY, (BUFFER[:256], BUFFER[128:384]), "arguments 'y' and 'x' share memory"),
        (COPY, (1 << 20, np.zeros(256, np.float32)), "argument 'x' is int, expected an array of numpy"),
    ],
    ids=["in place", "atomic", "conflict", "prints", "shared", "address"],
)
def test_groups_that_may_communicate_are_refused(text: str, values: Sequence[Array | int], reason: str) -> None:
    device = Device("pvc")
    before = [np.array(value) for value in values]
    with Workers() as workers, pytest.raises(SpreadError) as raised:
        spread(workers, device, device.compile(text, "f.mlir").binary, "f", (16,), list(values))
    assert reason in str(raised.value)
    assert all((old == new).all() for old, new in zip(before, map(np.array, values), strict=True))
