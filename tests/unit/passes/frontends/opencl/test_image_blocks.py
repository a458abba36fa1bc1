"""Blocks of images, which the lanes of a subgroup read and write together, against numpy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device
from xegpu.diagnostics import CompileError

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang")

SOURCE = """
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(read_only image2d_t a, read_write image2d_t b, int2 p, global uint4 *out, global ushort2 *narrow,
              global uchar4 *media) {
  int i = get_global_id(0);
  out[i] = intel_sub_group_block_read4(a, p);
  intel_sub_group_block_write2(b, p, out[i].xy + 1u);
  narrow[i] = intel_sub_group_block_read_us2(a, p);
  media[i] = intel_sub_group_media_block_read_uc4(a, p, 8, 8);
  intel_sub_group_media_block_write_uc(b, p + (int2)(4, 2), 4, 4, (uchar)i);
}
"""
LANES, ROWS = 16, 5
FORMATS = {"rgba8unorm": 18, "r8uint": 23, "rgba32float": 3}
"""Formats, and texels of a row: 23 bytes are no whole dwords."""


class Bytes:
    """The bytes of an image, which blocks find whatever the format is."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows
        self.count = rows.shape[1]

    def element(self, x: int, y: int, size: int) -> int:
        start = max(min(x & -4, self.count - max(size, 4) & -4), 0) | x & 3
        row = self.rows[min(max(y, 0), ROWS - 1)]
        return int.from_bytes(row[start : start + size].tobytes(), "little")

    def block(self, x: int, y: int, size: int, width: int, components: int) -> np.ndarray:
        numbers = np.arange(components * LANES).reshape(components, LANES).T
        return np.array([[self.element(x + n % width * size, y + n // width, size) for n in row] for row in numbers])

    def put(self, x: int, y: int, size: int, width: int, values: np.ndarray) -> None:
        for component, row in enumerate(values.T):
            for lane, value in enumerate(row):
                number = component * LANES + lane
                column, line = x + number % width * size, y + number // width
                if 0 <= column <= self.count - size and 0 <= line < ROWS:
                    self.rows[line, column : column + size] = np.frombuffer(int(value).to_bytes(size, "little"), "u1")


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
@pytest.mark.parametrize("format", FORMATS)
def test_blocks_are_rows_of_bytes(engine: str, format: str) -> None:
    device, draw = Device("arc", engine), np.random.default_rng(0)
    kernel = device.compile(SOURCE, "k.cl")["k"]
    like = device.empty_image((ROWS, FORMATS[format]), format)
    for x, y in ((0, 0), (8, 1), (-8, 3), (60, -2), (4, 100)):
        given, before = (draw.integers(0, 120, (ROWS, like.numpy()[0].nbytes), np.uint8) for _ in range(2))
        a, b = (device.image(rows.view(like.dtype).reshape(like.shape), format) for rows in (given, before))
        out, narrow, media = (np.zeros((LANES, n), t) for n, t in ((4, np.uint32), (2, np.uint16), (4, np.uint8)))
        kernel[(1, 1, 1), (LANES, 1, 1)](a, b, np.array([x, y], np.int32), out, narrow, media)
        source, target = Bytes(given), Bytes(before)
        assert (out == source.block(x, y, 4, LANES, 4)).all(), (x, y)
        assert (narrow == source.block(x, y, 2, LANES, 2)).all(), (x, y)
        assert (media == source.block(x, y, 1, 8, 4)).all(), (x, y)
        target.put(x, y, 4, LANES, out[:, :2] + np.uint32(1))
        target.put(x + 4, y + 2, 1, 4, np.arange(LANES)[:, None])
        assert (b.numpy().view(np.uint8).reshape(ROWS, -1) == target.rows).all(), (x, y)


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("intel_sub_group_media_block_read_ui(a, (int2)(0), n, 4)", "with argument 3 computed at run time"),
        ("intel_sub_group_media_block_read_ui(a, (int2)(0), 0, 4)", "with a block of 0 x 4 elements"),
    ],
)
def test_refusals(call: str, why: str) -> None:
    source = f"kernel void k(read_only image2d_t a, global uint *out, int n) {{ out[0] = {call}; }}"
    with pytest.raises(CompileError, match=re.escape(why)):
        Device("arc").compile(source, "k.cl")
