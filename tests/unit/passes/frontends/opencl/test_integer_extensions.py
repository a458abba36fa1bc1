"""Fields of bits, products of packed bytes, and the bits of bfloat16, against numbers of Python."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.opencl import Compiler, find_compiler, translation
from runtime import Device
from tests.unit.passes.frontends.opencl.test_options import found_compilers

needs_clang = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
RNG = np.random.default_rng(7)
COUNT = 64


@pytest.fixture(params=found_compilers(), ids=lambda compiler: f"clang{compiler.version}", autouse=True)
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Compiler:
    monkeypatch.setattr(translation, "find_compiler", lambda: request.param)
    return request.param


def run(gpu: str, source: str, *arrays: np.ndarray) -> None:
    kernel = Device(gpu).compile(source, language="opencl")["k"]
    kernel[(COUNT // 16,), (16,)](*arrays)


FIELDS = """
kernel void k(global const TYPE *x, global const TYPE *y, global const uchar *at, global const uchar *size,
              global TYPE *inserted, global TYPE *signs, global TYPE *zeros, global TYPE *turned) {
  size_t i = get_global_id(0);
  TYPE a = x[i], b = y[i];
  inserted[i] = bitfield_insert(a, b, at[i], size[i]);
  signs[i] = bitfield_extract_signed(a, at[i], size[i]);
  zeros[i] = bitfield_extract_unsigned(a, at[i], size[i]);
  TYPE2 pair = bit_reverse((TYPE2)(a, b));
  turned[i] = pair.x ^ bitfield_insert(pair, (TYPE2)(1), 0, 1).y;
}
"""


@needs_clang
@pytest.mark.parametrize("gpu", ["pvc", "arc"])
@pytest.mark.parametrize("name", ["char", "ushort", "int", "ulong"])
def test_fields(gpu: str, name: str) -> None:
    """No field reaches beyond the value; those without bits and whole values are among them."""
    kind = {"char": np.int8, "ushort": np.uint16, "int": np.int32, "ulong": np.uint64}[name]
    width = np.dtype(kind).itemsize * 8
    at = RNG.integers(0, width + 1, COUNT)
    size = RNG.integers(0, width - at + 1)
    at[:2], size[:2] = (0, width), (width, 0)
    x, y = (RNG.integers(0, 256, COUNT * width // 8).astype(np.uint8).view(kind) for _ in range(2))
    results = [np.zeros(COUNT, kind) for _ in range(4)]
    source = FIELDS.replace("TYPE", name)
    run(gpu, source, x, y, at.astype(np.uint8), size.astype(np.uint8), *results)
    whole = (1 << width) - 1

    def turned(value: int) -> int:
        return int(f"{value:0{width}b}"[::-1], 2)

    for i in range(COUNT):
        a, b, start, bits = int(x[i]) & whole, int(y[i]) & whole, int(at[i]), int(size[i])
        mask = (1 << bits) - 1
        field = a >> start & mask
        negative = bits > 0 and field >> (bits - 1)
        expected = (
            a & ~(mask << start) | (b & mask) << start,
            field - (1 << bits) if negative else field,
            field,
            turned(a) ^ (turned(b) & ~1 | 1),
        )
        assert [int(result[i]) & whole for result in results] == [value & whole for value in expected]


PRODUCTS = """
kernel void k(global const uint *x, global const uint *y, global const int *z, global int *sums) {
  size_t i = get_global_id(0);
  uint a = x[i], b = y[i];
  int c = z[i];
  char4 p = as_char4(a), q = as_char4(b);
  uchar4 r = as_uchar4(a), s = as_uchar4(b);
  global int *at = sums + i * 16;
  at[0] = dot(r, s); at[1] = dot(p, q); at[2] = dot(r, q); at[3] = dot(p, s);
  at[4] = dot_acc_sat(r, s, (uint)c); at[5] = dot_acc_sat(p, q, c);
  at[6] = dot_acc_sat(r, q, c); at[7] = dot_acc_sat(p, s, c);
  at[8] = dot_4x8packed_uu_uint(a, b); at[9] = dot_4x8packed_ss_int(a, b);
  at[10] = dot_4x8packed_us_int(a, b); at[11] = dot_4x8packed_su_int(a, b);
  at[12] = dot_acc_sat_4x8packed_uu_uint(a, b, (uint)c); at[13] = dot_acc_sat_4x8packed_ss_int(a, b, c);
  at[14] = dot_acc_sat_4x8packed_us_int(a, b, c); at[15] = dot_acc_sat_4x8packed_su_int(a, b, c);
}
"""


@needs_clang
@pytest.mark.parametrize("gpu", ["pvc", "arc"])
def test_products(gpu: str) -> None:
    x, y = (RNG.integers(0, 1 << 32, COUNT, np.uint64).astype(np.uint32) for _ in range(2))
    z = RNG.integers(-(1 << 31), 1 << 31, COUNT).astype(np.int32)
    z[:3] = (1 << 31) - 1, -(1 << 31), -1
    sums = np.zeros((COUNT, 16), np.int32)
    run(gpu, PRODUCTS, x, y, z, sums)
    signed, unsigned = (
        [each.view(kind).reshape(-1, 4).astype(np.int64) for each in (x, y)] for kind in (np.int8, np.uint8)
    )
    rows = {"s": signed, "u": unsigned}
    for place, (first, second) in enumerate(("uu", "ss", "us", "su")):
        total = (rows[first][0] * rows[second][1]).sum(axis=1)
        if place:
            saturated = np.clip(total + z, -(1 << 31), (1 << 31) - 1)
        else:
            saturated = np.minimum(total + z.view(np.uint32), (1 << 32) - 1)
        for at, expected in ((place, total), (4 + place, saturated)):
            for column in (at, 8 + at):
                np.testing.assert_array_equal(sums[:, column], expected.astype(np.uint32).view(np.int32))


BFLOATS = """
kernel void k(global const float *x, global ushort *bits, global float *back) {
  size_t i = get_global_id(0);
  ushort2 pair = intel_convert_bfloat162_as_ushort2((float2)(x[i], -x[i]));
  bits[i] = intel_convert_bfloat16_as_ushort(x[i]) ^ pair.x ^ pair.y ^ 0x8000;
  back[i] = intel_convert_as_bfloat16_float(bits[i]) + intel_convert_as_bfloat164_float4((ushort4)(pair.y)).w + x[i];
}
"""


@needs_clang
@pytest.mark.parametrize("gpu", ["pvc", "arc"])
def test_bits_of_bfloat16(gpu: str) -> None:
    """The nearest numbers are given, those with an even last bit if two are."""
    words = RNG.integers(0x3000_0000, 0x4800_0000, COUNT).astype(np.uint32)
    words[:4] = 0x3F80_8000, 0x3F81_8000, 0x3F80_8001, 0x3F80_7FFF
    x = words.view(np.float32)
    bits, back = np.zeros(COUNT, np.uint16), np.zeros(COUNT, np.float32)
    run(gpu, BFLOATS, x, bits, back)
    nearest = (words + 0x7FFF + (words >> 16 & 1) >> 16).astype(np.uint16)
    np.testing.assert_array_equal(bits, nearest)
    np.testing.assert_array_equal(back, x)
