"""Native kernels for Xe-HPG: legacy data ports, binding tables, images and samplers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from runtime import Device, Module, ZeError
from tests.paths import ROOT

BOTH = pytest.mark.parametrize("engine", ["interpreter", "jit"])


@cache
def device(engine: str = "jit") -> Device:
    return Device("arc", engine=engine)


@cache
def module(engine: str = "jit") -> Module:
    return device(engine).load((ROOT / "tests/data/native/kernels.dg2.zebin").read_bytes())


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


@BOTH
def test_surfaces_of_the_binding_table(engine: str) -> None:
    a, b, c = floats(150), floats(150)[::-1].copy(), np.zeros(150, np.float32)
    module(engine)["vadd"][3, (50,)](a, b, c)
    np.testing.assert_array_equal(c, a + b)


def test_a_fault_names_the_buffer() -> None:
    with pytest.raises(ZeError, match=r"out-of-bounds access in kernel 'vadd'[\s\S]*write of 4 bytes"):
        module()["vadd"][2, (50,)](floats(100), floats(100), np.zeros(99, np.float32))


def test_groups_share_local_memory() -> None:
    n = 32
    a, b, c = floats(n, n), floats(n, n)[::-1].copy(), np.zeros((n, n), np.float32)
    module()["gemm"][(2, 2), (16, 16)](a, b, c, n)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b, atol=n * 2**-22 * 4)


@BOTH
def test_atomics_count(engine: str) -> None:
    x = np.random.default_rng(5).integers(0, 1000, 256).astype(np.int32)
    bins = np.zeros(16, np.int32)
    module(engine)["histogram"][4, (64,)](x, bins)
    np.testing.assert_array_equal(bins, np.bincount(x & 15, minlength=16))


def test_wide_products_and_quotients() -> None:
    """64-bit numbers are pairs of dwords, whose sums carry through the accumulator."""
    draw = np.random.default_rng(3)
    a = draw.integers(-(2**31), 2**31, 64).astype(np.int32)
    b = (draw.integers(1, 2**20, 64) * draw.choice([-1, 1], 64)).astype(np.int32)
    c, d = np.zeros(3 * 64, np.int32), np.zeros(64, np.int64)
    module()["divided"][2, (32,)](a, b, c, d)
    wide = a.astype(np.int64) * b
    np.testing.assert_array_equal(c[128:], wide >> 32)
    np.testing.assert_array_equal(c[:64], np.trunc(a / b.astype(np.float64)))
    np.testing.assert_array_equal(d, [abs(int(w)) // 7 * (1 if w >= 0 else -1) for w in wide])


def test_printf(capsys: pytest.CaptureFixture[str]) -> None:
    module()["said"][1, (3,)](np.array([7, -8, 9], np.int32))
    assert sorted(capsys.readouterr().out.splitlines()) == ["0: 7 of ours", "1: -8 of ours", "2: 9 of ours"]


@BOTH
def test_sub_groups_bytes_and_constants(engine: str) -> None:
    a = np.random.default_rng(8).integers(-1000, 1000, 64).astype(np.int32)
    b = np.zeros(3 * 64, np.int32)
    module(engine)["together"][2, (32,)](a, b)
    rows = a.reshape(4, 16)
    np.testing.assert_array_equal(b[:64].reshape(4, 16), np.repeat(rows.sum(1), 16).reshape(4, 16))
    np.testing.assert_array_equal(b[64:128].reshape(4, 16), np.maximum.accumulate(rows, 1))
    a = np.arange(32, dtype=np.int32)
    module(engine)["looked_up"][1, (32,)](a)
    np.testing.assert_array_equal(a, np.array([1, 2, 3, 5, 8, 13, 21, 34])[np.arange(32) & 7])
    pixels = np.random.default_rng(9).integers(0, 256, (32, 4)).astype(np.uint8)
    s = np.zeros(64, np.int16)
    module(engine)["narrow"][1, (32,)](pixels, s)
    x, y, z, w = pixels.astype(np.int16).T
    np.testing.assert_array_equal(s.reshape(32, 2), np.stack([x + y - z, w * 3], 1))


@BOTH
@pytest.mark.parametrize("by", [0.0, 1.75, -0.25])
def test_images_and_samplers(engine: str, by: float) -> None:
    """One sampler is an argument and mixes texels, the other one is in the kernel."""
    gpu = device(engine)
    pixels = floats(16, 32, 4)
    source, target = gpu.image(pixels, "rgba32float"), gpu.image(np.zeros_like(pixels), "rgba32float")
    module(engine)["shifted"][(2, 4), (16, 4)](source, target, gpu.sampler("clamp_edge", "linear"), np.float32(by))
    places = [np.arange(size) + by - 0.5 for size in (16, 32)]
    wanted = pixels.astype(np.float64)
    for axis, place in enumerate(places):
        low = np.floor(place).astype(int)
        part = np.expand_dims(place - low, (1, 2) if axis == 0 else (0, 2))
        taken = [np.take(wanted, np.clip(low + step, 0, len(place) - 1), axis) for step in (0, 1)]
        wanted = taken[0] * (1 - part) + taken[1] * part
    np.testing.assert_allclose(target.numpy(), pixels + wanted, atol=0.02)
