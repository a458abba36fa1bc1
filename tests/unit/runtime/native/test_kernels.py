"""Native kernels of Intel's compiler on both engines, compared with numpy. `tests/data/native` holds their source."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from runtime import Device, Module, ZeError
from tests.paths import ROOT
from zebin import read

DATA = ROOT / "tests" / "data" / "native"
BOTH = pytest.mark.parametrize("engine", ["interpreter", "jit"])
EACH = pytest.mark.parametrize("file", ["kernels", "kernels-o0"])


@cache
def device(engine: str) -> Device:
    return Device("pvc", engine=engine)


@cache
def module(file: str, engine: str) -> Module:
    return device(engine).load((DATA / f"{file}.pvc.zebin").read_bytes())


def floats(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(count).astype(np.float32)


@BOTH
@EACH
@pytest.mark.parametrize(("groups", "size"), [(8, 32), (3, 50), (1, 7)])
def test_every_item_of_odd_groups_adds(file: str, engine: str, groups: int, size: int) -> None:
    a, b = floats(groups * size), floats(groups * size, 2)
    c = np.zeros_like(a)
    module(file, engine)["vadd"][groups, (size,)](a, b, c)
    np.testing.assert_array_equal(c, a + b)


@BOTH
@EACH
def test_items_beyond_the_guard_write_nothing(file: str, engine: str) -> None:
    x, y, n = floats(128), floats(128, 2), 77
    wanted = np.where(np.arange(128) < n, np.float64(1.5) * x + y, y)
    module(file, engine)["saxpy"][4, (32,)](x, y, np.float32(1.5), n)
    np.testing.assert_allclose(y, wanted, rtol=0, atol=2**-22)
    np.testing.assert_array_equal(y[n:], wanted[n:].astype(np.float32))


@BOTH
def test_groups_share_local_memory(engine: str) -> None:
    n = 32
    a, b = floats(n * n).reshape(n, n), floats(n * n, 2).reshape(n, n)
    c = np.zeros((n, n), np.float32)
    module("kernels", engine)["gemm"][(2, 2), (16, 16)](a, b, c, n)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b, atol=n * 2**-22 * 4)


@BOTH
@EACH
def test_integer_division_and_wide_products(file: str, engine: str) -> None:
    draw = np.random.default_rng(3)
    a = draw.integers(-(2**31), 2**31, 64).astype(np.int32)
    b = (draw.integers(1, 2**20, 64) * draw.choice([-1, 1], 64)).astype(np.int32)
    c, d = np.zeros(3 * 64, np.int32), np.zeros(64, np.int64)
    module(file, engine)["divided"][2, (32,)](a, b, c, d)
    wide = a.astype(np.int64) * b
    quotient = [int(abs(int(x)) // abs(int(y))) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b, strict=True)]
    np.testing.assert_array_equal(c[:64], quotient)
    np.testing.assert_array_equal(c[64:128], a - np.array(quotient) * b.astype(np.int64))
    np.testing.assert_array_equal(c[128:], wide >> 32)
    np.testing.assert_array_equal(d, [abs(int(w)) // 7 * (1 if w >= 0 else -1) for w in wide])


@BOTH
@EACH
def test_doubles_are_correctly_rounded(file: str, engine: str) -> None:
    x = np.random.default_rng(4).uniform(0.01, 100, 64)
    y = np.zeros(3 * 64)
    module(file, engine)["doubles"][2, (32,)](x, y)
    np.testing.assert_array_equal(y[:64], 3.7 / x)
    np.testing.assert_array_equal(y[64:128], np.sqrt(x))
    np.testing.assert_allclose(y[128:], x * x + 2, rtol=2**-52)


@BOTH
@EACH
def test_lanes_leave_loops_on_their_own(file: str, engine: str) -> None:
    start = np.arange(1, 65, dtype=np.int32)
    wanted = []
    for index, number in enumerate(start.tolist()):
        count = 0
        while number != 1:
            number = 3 * number + 1 if number & 1 else number // 2
            count += 1
        wanted.append({0: count, 1: -count}.get(count & 3, count * index))
    module(file, engine)["steps"][2, (32,)](start)
    np.testing.assert_array_equal(start, wanted)


@BOTH
@EACH
def test_atomics_count(file: str, engine: str) -> None:
    x = np.random.default_rng(5).integers(0, 1000, 256).astype(np.int32)
    bins = np.zeros(16, np.int32)
    module(file, engine)["histogram"][4, (64,)](x, bins)
    np.testing.assert_array_equal(bins, np.bincount(x & 15, minlength=16))


@BOTH
@EACH
def test_private_memory_is_kept_over_barriers(file: str, engine: str) -> None:
    """It is in global memory, at a place for each hardware thread that lives at the same time."""
    a = np.random.default_rng(6).integers(-100, 100, 256).astype(np.int32)
    m = 50
    wanted = []
    for index, value in enumerate(a.tolist()):
        t = [value * k ^ m for k in range(64)]
        for k in range(m):
            t[(k * 7 + index) & 63] += t[(k * 3) & 63]
        s = 0
        for k in range(64):
            s = (s * 31 + t[k]) & 0xFFFFFFFF
        wanted.append(s - (1 << 32) if s >> 31 else s)
    module(file, engine)["kept"][2, (128,)](a, m)
    np.testing.assert_array_equal(a, wanted)


@BOTH
@EACH
def test_printf(file: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    module(file, engine)["said"][1, (3,)](np.array([7, -8, 9], np.int32))
    assert sorted(capsys.readouterr().out.splitlines()) == ["0: 7 of ours", "1: -8 of ours", "2: 9 of ours"]


@BOTH
@EACH
def test_constants_of_the_module(file: str, engine: str) -> None:
    a = np.arange(32, dtype=np.int32)
    module(file, engine)["looked_up"][1, (32,)](a)
    np.testing.assert_array_equal(a, np.array([1, 2, 3, 5, 8, 13, 21, 34])[np.arange(32) & 7])


@BOTH
@EACH
def test_sub_groups(file: str, engine: str) -> None:
    a = np.random.default_rng(8).integers(-1000, 1000, 64).astype(np.int32)
    b = np.zeros(3 * 64, np.int32)
    module(file, engine)["together"][2, (32,)](a, b)
    rows = a.reshape(4, 16)
    np.testing.assert_array_equal(b[:64].reshape(4, 16), np.repeat(rows.sum(1), 16).reshape(4, 16))
    np.testing.assert_array_equal(b[64:128].reshape(4, 16), np.maximum.accumulate(rows, 1))
    np.testing.assert_array_equal(b[128:].reshape(4, 16), np.repeat(rows[:, 3], 16).reshape(4, 16))


@BOTH
@EACH
def test_bytes_and_shorts(file: str, engine: str) -> None:
    a = np.random.default_rng(9).integers(0, 256, (32, 4)).astype(np.uint8)
    s = np.zeros(64, np.int16)
    module(file, engine)["narrow"][1, (32,)](a, s)
    x, y, z, w = a.astype(np.int16).T
    np.testing.assert_array_equal(s.reshape(32, 2), np.stack([x + y - z, w * 3], 1))


@BOTH
def test_a_fault_names_the_kernel_and_the_instruction(engine: str) -> None:
    with pytest.raises(Exception, match="out-of-bounds access in kernel 'vadd'"):
        module("kernels", engine)["vadd"][64, (32,)](floats(64), floats(64), np.zeros(64, np.float32))


def test_a_kernel_that_is_not_executed_refuses_no_other() -> None:
    """Of a word that is no instruction in one kernel, the others know nothing."""
    data = bytearray((DATA / "kernels.pvc.zebin").read_bytes())
    kernel = read(bytes(data)).kernels["saxpy"]
    entry = kernel.section.offset + kernel.entry_offset
    data[entry : entry + 16] = b"\x7f" + bytes(15)
    broken = device("jit").load(bytes(data))
    with pytest.raises(ZeError, match="kernel 'saxpy': illegal code in kernel 'saxpy' at offset"):
        broken["saxpy"]
    assert "saxpy" in broken
    a, c = floats(32), np.zeros(32, np.float32)
    broken["vadd"][1, (32,)](a, a, c)
    np.testing.assert_array_equal(c, a + a)


@BOTH
def test_buffers_are_named_by_offsets_of_their_surfaces(engine: str) -> None:
    data = (ROOT / "tests/data/zebin/vadd-bindless.pvc.zebin").read_bytes()
    a, b, c = floats(70), floats(70, 2), np.zeros(70, np.float32)
    device(engine).load(data)["vadd"][2, (40,)](a, b, c, 67)
    np.testing.assert_array_equal(c, np.where(np.arange(70) < 67, a + b, 0))
