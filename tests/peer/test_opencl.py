"""Kernels in OpenCL C, from clang to results, against numpy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import runtime
from passes.frontends.opencl import find_compiler
from runtime import Device
from xegpu.diagnostics import CompileError

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")

ITEMS = 64
N = np.arange(ITEMS)
RANDOM = np.random.default_rng(7)


@cache
def device(engine: str = "jit", target: str = "pvc") -> Device:
    return Device(target, engine=engine)


def launch(source: str, *values: runtime.Value, on: Device | None = None, group: int = 16, items: int = ITEMS) -> None:
    chosen = device() if on is None else on
    chosen.compile(source, "kernel.cl")["k"][(items // group, 1, 1), (group, 1, 1)](*values)


def zeros(dtype: str = "i4", count: int = ITEMS) -> NDArray[np.generic]:
    return np.zeros(count, dtype)


MATMUL = """
kernel void k(global const float *a, global const float *b, global float *c, int n) {
  local float s[8][8], t[8][8];
  int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; i += 8) {
    s[y][x] = a[gy * n + i + x];
    t[y][x] = b[(i + y) * n + gx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 8; j++) sum += s[y][j] * t[j][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[gy * n + gx] = sum;
}"""


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_tiled_matmul(engine: str, target: str) -> None:
    a, b = (RANDOM.random((16, 16), np.float32) for _ in range(2))
    c = np.zeros((16, 16), np.float32)
    device(engine, target).compile(MATMUL, "kernel.cl")["k"][(2, 2, 1), (8, 8, 1)](a, b, c, 16)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


def test_reduction_in_local_memory() -> None:
    """The caller sizes the local memory, and kernels have their own beside it."""
    source = """
    kernel void k(global const int *in, global int *out, local int *tmp) {
      local int own[1];
      size_t l = get_local_id(0);
      if (l == 0) own[0] = 1000;
      tmp[l] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s) tmp[l] += tmp[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (!l) out[get_group_id(0)] = tmp[0] + own[0];
    }"""
    out = zeros(count=2)
    launch(source, N.astype(np.int32), out, 128, group=32)
    np.testing.assert_array_equal(out, N.reshape(2, 32).sum(1) + 1000)


def test_transpose_and_global_offset_functions() -> None:
    source = """
    kernel void k(global const short *in, global short *out, int w) {
      local short tile[16][17];
      size_t x = get_local_id(0);
      for (int r = 0; r < 16; r++) tile[r][x] = in[r * w + get_group_id(0) * 16 + x];
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      for (int r = 0; r < 16; r++) out[(get_group_id(0) * 16 + r) * 16 + x] = tile[x][r];
    }"""
    values = RANDOM.integers(-999, 999, (16, ITEMS)).astype(np.int16)
    out = np.zeros((ITEMS, 16), np.int16)
    launch(source, values, out, ITEMS)
    np.testing.assert_array_equal(out, values.T)


def test_mandelbrot() -> None:
    """Lanes leave the loop at different times."""
    source = """
    kernel void k(global int *out, float step) {
      float2 c = (float2)(get_global_id(0) * step - 2.0f, 0.3f), z = 0.0f;
      int i = 0;
      while (i < 50 && dot(z, z) < 4.0f) { z = (float2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c; i++; }
      out[get_global_id(0)] = i;
    }"""
    out = zeros()
    launch(source, out, 0.05)
    expected = []
    for number in N:
        c, z, count = complex(number * 0.05 - 2.0, 0.3), 0j, 0
        while count < 50 and abs(z) < 2:
            z, count = z * z + c, count + 1
        expected.append(count)
    np.testing.assert_array_equal(out, expected)


def test_histogram_with_atomics() -> None:
    source = """
    kernel void k(global const uchar *in, global uint *h, volatile global int *extremes, global float *sum) {
      local uint mine[16];
      size_t l = get_local_id(0), i = get_global_id(0);
      mine[l] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_inc(&mine[in[i] & 15]);
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(&h[l], mine[l]);
      atomic_min(&extremes[0], (int)in[i] - 100);
      atomic_max(&extremes[1], (int)in[i] - 100);
      atomic_fetch_add_explicit((volatile global atomic_float *)sum, in[i], memory_order_relaxed, memory_scope_device);
    }"""
    values = RANDOM.integers(0, 256, ITEMS).astype(np.uint8)
    counts, extremes, sum = zeros("u4", 16), zeros(count=2), zeros("f4", 1)
    launch(source, values, counts, extremes, sum)
    np.testing.assert_array_equal(counts, np.bincount(values & 15, minlength=16))
    np.testing.assert_array_equal(extremes, [min(0, values.min() - 100.0), max(0, values.max() - 100.0)])
    np.testing.assert_array_equal(sum, [values.sum()])


def test_compare_exchange() -> None:
    """Each work-item takes the next place in a list by a loop of exchanges."""
    source = """
    kernel void k(global atomic_int *next, global int *list) {
      int seen = atomic_load(next);
      while (!atomic_compare_exchange_strong(next, &seen, seen + 1));
      list[seen] = get_global_id(0);
    }"""
    next, places = zeros(count=1), zeros()
    launch(source, next, places)
    assert next[0] == ITEMS
    np.testing.assert_array_equal(np.sort(places), N)


def test_structures_by_value() -> None:
    source = """
    typedef struct { float a; int n; float2 v; __global float *p; short s[3]; } Params;
    constant float table[4] = {1.0f, 2.0f, 3.5f, 4.0f};
    kernel void k(Params p, global float *out) {
      int i = get_global_id(0);
      if (i < p.n) out[i] = p.a * p.p[i] + p.v.y * table[i & 3] + p.s[i % 3];
    }"""
    numbers = device().array(N.astype(np.float32))
    fields = np.dtype([("a", "f4"), ("n", "i4"), ("v", "f4", 2), ("p", "u8"), ("s", "i2", 3), ("pad", "i2")])
    value = np.zeros(1, fields)
    value["a"], value["n"], value["v"], value["p"], value["s"] = 3, 50, [1, 2], numbers.address, [5, -6, 7]
    out = zeros("f4")
    launch(source, value, out)
    expected = 3 * N + 2 * np.array([1, 2, 3.5, 4])[N & 3] + np.array([5, -6, 7])[N % 3]
    np.testing.assert_array_equal(out, np.where(N < 50, expected, 0))


def test_reductions_whose_loops_start_with_a_barrier() -> None:
    """The steps of the loop are those of all work-items, though only some of them add."""
    source = """
    kernel void k(global const int *in, global int *out, local int *part) {
      size_t l = get_local_id(0);
      part[l] = in[get_global_id(0)];
      for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) part[l] += part[l + s];
      }
      if (l == 0) out[get_group_id(0)] = part[0];
    }"""
    out = zeros(count=2)
    launch(source, N.astype(np.int32), out, 128, group=32)
    np.testing.assert_array_equal(out, N.reshape(2, 32).sum(1))


def test_packed_structures_in_structures_by_value() -> None:
    """The caller passes an array or bytes."""
    source = """
    typedef struct __attribute__((packed)) { char tag; int value; } Tight;
    typedef struct { int a; Tight t[2]; float2 v; } Outer;
    kernel void k(Outer o, global int *out) {
      int i = get_global_id(0);
      out[i] = o.a + o.t[i & 1].value * o.t[i & 1].tag + (int)o.v.y;
    }"""
    tight = np.dtype([("tag", "i1"), ("value", "i4")])
    value = np.zeros(1, np.dtype([("a", "i4"), ("t", tight, 2), ("pad", "u1", 2), ("v", "f4", 2)]))
    value["a"], value["t"]["tag"], value["t"]["value"], value["v"] = 5, [2, 3], [100, -1000], [1, 7]
    for passed in (value, value.tobytes()):
        out = zeros()
        launch(source, passed, out)
        np.testing.assert_array_equal(out, np.where(N & 1, -2988, 212))
    with pytest.raises(TypeError, match="bytes of size 24, or an integer, got 23 bytes"):
        launch(source, value.tobytes()[:-1], zeros())


def test_private_arrays_and_jumps() -> None:
    source = """
    int collatz(int n) { int a[8]; for (int i = 0; i < 8; i++) a[i] = n + i; int c = 0;
      again: if (n == 1) return c + a[c & 7]; n = n & 1 ? 3 * n + 1 : n / 2; c++; if (c < 20) goto again; return -c; }
    kernel void k(global int *out) {
      int i = get_global_id(0), r = 0;
      switch (i % 7) {
        case 0: r = 7; break;
        case 2: r = 5;
        case 3: r += collatz(i); break;
        case 6: return;
        default: r = -i;
      }
      out[i] = r;
    }"""
    out = zeros()
    launch(source, out)

    def collatz(n: int) -> int:
        start, count = n, 0
        while True:
            if n == 1:
                return count + start + (count & 7)
            n, count = (3 * n + 1 if n & 1 else n // 2), count + 1
            if count >= 20:
                return -count

    results = {0: lambda i: 7, 2: lambda i: 5 + collatz(i), 3: collatz, 6: lambda i: 0}
    np.testing.assert_array_equal(out, [results.get(i % 7, lambda i: -i)(i) for i in range(ITEMS)])


def test_vectors_and_types() -> None:
    source = """
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global float4 *v, global half *h, global double *d, global char *c, global uchar16 *w) {
      int i = get_global_id(0);
      float4 a = v[i];
      v[i] = a.wzyx * a.xxyy + (float4)(1, 2, 3, 4);
      h[i] = h[i] * (half)2 + (half)1.5f;
      d[i] = sqrt(d[i]) + c[i];
      c[i] = convert_char_sat(d[i] * 100);
      uchar16 b = w[i];
      b.s048c = convert_uchar4_sat(vload4(0, (global float *)&v[i]) * 1000.0f);
      w[i] = b.odd.s01234567.even.xyzwxyzwxyzwxyzw + (uchar16)i;
    }"""
    v, h = RANDOM.random((ITEMS, 4), np.float32), RANDOM.random(ITEMS).astype(np.float16)
    d, c = RANDOM.random(ITEMS), RANDOM.integers(-2, 3, ITEMS).astype(np.int8)
    w = RANDOM.integers(0, 256, (ITEMS, 16)).astype(np.uint8)
    expected = v[:, ::-1] * v[:, [0, 0, 1, 1]] + np.array([1, 2, 3, 4], np.float32)
    halfs, doubles = h * np.float16(2) + np.float16(1.5), np.sqrt(d) + c
    bytes = (np.tile(w[:, [1, 5, 9, 13]], 4) + N[:, None]).astype(np.uint8)
    launch(source, v, h, d, c, w)
    np.testing.assert_allclose(v, expected, rtol=1e-6)
    np.testing.assert_allclose(h.astype(float), halfs.astype(float), rtol=2e-3)
    np.testing.assert_array_equal(d, doubles)
    np.testing.assert_array_equal(c, np.clip(np.trunc(doubles * 100), -128, 127).astype(np.int8))
    np.testing.assert_array_equal(w, bytes)


def test_generic_pointers() -> None:
    source = """
    int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
    kernel void k(global int *in, global int *out) {
      int mine[4]; local int shared[4];
      int i = get_global_id(0), l = get_local_id(0);
      for (int j = 0; j < 4; j++) mine[j] = i + j;
      if (l < 4) shared[l] = 100 * l;
      barrier(CLK_LOCAL_MEM_FENCE);
      const int *p = i % 3 == 0 ? mine : i % 3 == 1 ? (const int *)shared : (const int *)in;
      out[i] = sum(p, 4);
    }"""
    out = zeros()
    launch(source, np.array([7, 8, 9, 10], np.int32), out)
    np.testing.assert_array_equal(out, np.select([N % 3 == 0, N % 3 == 1], [4 * N + 6, 600], 34))


def test_subgroups() -> None:
    source = """
    kernel void k(global const int *in, global int *out) {
      int i = get_global_id(0), x = in[i];
      uint4 odd = sub_group_ballot(x & 1);
      global int *o = out + 8 * i;
      o[0] = sub_group_reduce_add(x);
      o[1] = sub_group_scan_inclusive_max(x);
      o[2] = sub_group_scan_exclusive_add(x);
      o[3] = sub_group_shuffle_xor(x, 3u);
      o[4] = sub_group_broadcast(x, 5);
      o[5] = odd.x;
      o[6] = work_group_reduce_min(x);
      o[7] = sub_group_any(x > 950) + 10 * work_group_all(x > -1) + 100 * get_sub_group_local_id();
    }"""
    x = RANDOM.integers(0, 1000, (2, 2, 16)).astype(np.int32)
    out = np.zeros((2, 2, 16, 8), np.int32)
    launch(source, x.reshape(-1), out.reshape(-1), group=32)
    lane = np.arange(16)
    np.testing.assert_array_equal(out[..., 0], np.broadcast_to(x.sum(2, keepdims=True), x.shape))
    np.testing.assert_array_equal(out[..., 1], np.maximum.accumulate(x, 2))
    np.testing.assert_array_equal(out[..., 2], np.cumsum(x, 2) - x)
    np.testing.assert_array_equal(out[..., 3], x[..., lane ^ 3])
    np.testing.assert_array_equal(out[..., 4], np.broadcast_to(x[..., 5:6], x.shape))
    np.testing.assert_array_equal(out[..., 5], np.broadcast_to(((x & 1) << lane).sum(2, keepdims=True), x.shape))
    np.testing.assert_array_equal(out[..., 6], np.broadcast_to(x.min((1, 2), keepdims=True), x.shape))
    some = np.broadcast_to((x > 950).any(2, keepdims=True), x.shape)
    np.testing.assert_array_equal(out[..., 7], some + 10 + 100 * lane)


UNARY = {
    "acos": (np.arccos, 5, -1, 1), "asinh": (np.arcsinh, 5, -9, 9), "atan": (np.arctan, 5, -9, 9),
    "cbrt": (np.cbrt, 3, -9, 9), "ceil": (np.ceil, 0, -9, 9), "cospi": (lambda x: np.cos(np.pi * x), 5, 0, 0.45),
    "exp": (np.exp, 4, -9, 9), "exp10": (lambda x: 10**x, 16, -3, 3), "expm1": (np.expm1, 4, -2, 2),
    "fabs": (np.abs, 0, -9, 9), "log": (np.log, 4, 0.1, 9), "log1p": (np.log1p, 3, -0.5, 2),
    "logb": (lambda x: np.floor(np.log2(np.abs(x))), 0, 0.1, 90), "native_sin": (np.sin, 6, 0.1, 3),
    "radians": (np.radians, 2, -90, 90), "rint": (np.rint, 0, -9, 9), "rsqrt": (lambda x: x**-0.5, 3, 0.1, 9),
    "sign": (np.sign, 0, -9, 9), "sinpi": (lambda x: np.sin(np.pi * x), 5, 0, 0.99), "sqrt": (np.sqrt, 0, 0, 9),
    "tanh": (np.tanh, 6, -3, 3), "trunc": (np.trunc, 0, -9, 9),
}  # fmt: skip
BINARY = {
    "atan2": (np.arctan2, 7), "copysign": (np.copysign, 0), "fdim": (lambda a, b: np.maximum(a - b, 0), 0),
    "fmax": (np.maximum, 0), "fmin": (np.minimum, 0), "fmod": (np.fmod, 0), "hypot": (np.hypot, 4),
    "nextafter": (np.nextafter, 0), "maxmag": (lambda a, b: np.where(np.abs(a) > np.abs(b), a, b), 0),
}  # fmt: skip


def ulps(found: NDArray[np.float32], exact: NDArray[np.float64]) -> float:
    spacing = np.spacing(np.abs(exact.astype(np.float32))).astype(np.float64)
    return float(np.max(np.abs(found - exact) / np.maximum(spacing, 2.0**-149)))


@pytest.mark.sampled(every=4)
def test_mathematics() -> None:
    """Each function within the error that OpenCL allows, in vectors of four."""
    body = "".join(f"u[{n} * {ITEMS} + i] = {name}(x[{n} * {ITEMS} + i]);\n" for n, name in enumerate(UNARY))
    body += "".join(f"b[{n} * {ITEMS} + i] = {name}(y[i], z[i]);\n" for n, name in enumerate(BINARY))
    source = f"""
    kernel void k(global const float4 *x, global float4 *u, global const float4 *y, global const float4 *z,
                  global float4 *b) {{ int i = get_global_id(0); {body} }}"""
    count = 4 * ITEMS
    x = np.stack([RANDOM.uniform(low, high, count).astype(np.float32) for _, _, low, high in UNARY.values()])
    y, z = (RANDOM.uniform(-9, 9, count).astype(np.float32) for _ in range(2))
    u, b = np.zeros_like(x), np.zeros((len(BINARY), count), np.float32)
    launch(source, x, u, y, z, b)
    for row, (name, (function, bound, _, _)) in enumerate(UNARY.items()):
        assert ulps(u[row], function(x[row].astype(np.float64))) <= bound + 0.5, name
    for row, (name, (function, bound)) in enumerate(BINARY.items()):
        exact = function(y, z) if bound == 0 else function(y.astype(np.float64), z.astype(np.float64))
        assert ulps(b[row], np.asarray(exact, np.float64)) <= bound + (bound > 0) * 0.5, name


def test_functions_with_two_results() -> None:
    source = """
    kernel void k(global const float *x, global float *r, global int *e, global float *y) {
      int i = get_global_id(0);
      float whole;
      r[3 * i] = fract(x[i], &whole);
      r[3 * i + 1] = modf(x[i], &whole) + whole;
      int n;
      r[3 * i + 2] = frexp(x[i], &n);
      e[2 * i] = n;
      e[2 * i + 1] = ilogb(x[i]);
      y[i] = ldexp(r[3 * i + 2], n - 3);
    }"""
    x = np.concatenate([RANDOM.uniform(-99, 99, ITEMS - 4), [0, 1e-40, -np.inf, 3e38]]).astype(np.float32)
    r, e, y = np.zeros((ITEMS, 3), np.float32), np.zeros((ITEMS, 2), np.int32), zeros("f4")
    launch(source, x, r, e, y)
    mantissa, exponent = np.frexp(x)
    finite = np.isfinite(x)
    np.testing.assert_array_equal(r[finite, 0], x[finite] - np.floor(x[finite]))
    np.testing.assert_array_equal(r[:, 1], x)
    np.testing.assert_array_equal(r[:, 2], mantissa)
    np.testing.assert_array_equal(e[finite, 0], exponent[finite])
    usual = finite & (x != 0)
    np.testing.assert_array_equal(e[usual, 1], exponent[usual] - 1)
    np.testing.assert_array_equal(y[finite], np.ldexp(x[finite], -3))


INTEGERS = {
    "abs_diff(x, y)": lambda x, y: abs(x - y),
    "add_sat(x, y)": lambda x, y: np.clip(x + y, -(2**31), 2**31 - 1),
    "sub_sat(x, y)": lambda x, y: np.clip(x - y, -(2**31), 2**31 - 1),
    "hadd(x, y)": lambda x, y: (x + y) >> 1,
    "rhadd(x, y)": lambda x, y: (x + y + 1) >> 1,
    "mul_hi(x, y)": lambda x, y: (x * y) >> 32,
    "clamp(x, -1000, 5000)": lambda x, y: np.clip(x, -1000, 5000),
    "max(x, y)": np.maximum,
    "as_int(max(as_uint(x), as_uint(y)))": lambda x, y: np.maximum(x % 2**32, y % 2**32),
    "rotate(x, y)": lambda x, y: ((x % 2**32) << (y % 32)) | ((x % 2**32) >> (32 - y % 32)),
    "popcount(x)": lambda x, y: np.array([bin(v % 2**32).count("1") for v in x]),
    "clz(x)": lambda x, y: np.array([32 - int(v % 2**32).bit_length() for v in x]),
    "bitselect(x, y, 0xFF00FF)": lambda x, y: (x & ~0xFF00FF) | (y & 0xFF00FF),
    "convert_short_sat(x)": lambda x, y: np.clip(x, -(2**15), 2**15 - 1),
    "convert_int_sat(x * 1e9f)": lambda x, y: np.clip(np.sign(x) * 2.0**40, -(2**31), 2**31 - 1),
    "convert_int_rtn(y * 0.37f)": lambda x, y: np.floor(y.astype(np.float32) * np.float32(0.37)),
    "as_int(as_char4(x).wzyx)": lambda x, y: x.astype(np.int32).byteswap(),
    "as_short2(x).y + as_int2(as_long((int2)(x, y))).x": lambda x, y: (x >> 16) + x,
    "x < y ? x / 7 : x % 7": lambda x, y: np.where(x < y, np.trunc(x / 7), np.fmod(x, 7)),
    "(int)((long)x * y >> 20)": lambda x, y: (x * y) >> 20,
}


def test_integers() -> None:
    body = "".join(f"o[{n} * {ITEMS} + i] = {expression};\n" for n, expression in enumerate(INTEGERS))
    source = f"""
    kernel void k(global const int *a, global const int *b, global int *o) {{
      int i = get_global_id(0), x = a[i], y = b[i]; {body} }}"""
    x, y = (RANDOM.integers(-(2**31), 2**31, ITEMS) for _ in range(2))
    x[::3], y[::2] = x[::3] >> 16, y[::2] >> 20
    o = np.zeros((len(INTEGERS), ITEMS), np.int32)
    launch(source, x.astype(np.int32), y.astype(np.int32), o)
    for row, (expression, function) in enumerate(INTEGERS.items()):
        expected = np.asarray(function(x, y)).astype(np.int64).astype(np.int32)
        np.testing.assert_array_equal(o[row], expected, err_msg=expression)


def test_printing(capfd: pytest.CaptureFixture[str]) -> None:
    launch('kernel void k(int n) { if (get_global_id(0) == 3) printf("%d of %.2f\\n", n, 2.5f); }', 42)
    assert "42 of 2.50" in capfd.readouterr().out


def test_printing_strings_and_vectors(capfd: pytest.CaptureFixture[str]) -> None:
    """Strings are constants, whose text becomes that of the format."""
    source = """
    kernel void k(global float4 *v, global short2 *s) {
      if (get_global_id(0) == 1)
        printf("<%s|%6s|%-4s|%.2s> 100%% %.1v4hlf %v2hd %d\\n", "per%cent", "right", "l", "cut", v[1], s[1], 7);
    }"""
    launch(source, np.arange(4.0 * ITEMS, dtype=np.float32), np.arange(-2, 2 * ITEMS - 2, dtype=np.int16))
    assert "<per%cent| right|l   |cu> 100% 4.0,5.0,6.0,7.0 0,1 7" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("type", "suffix", "dtype"), [("uchar", "_uc", "u1"), ("ushort", "_us", "u2"), ("ulong", "_ul", "u8")]
)
def test_block_reads_and_writes(type: str, suffix: str, dtype: str) -> None:
    """Component c of lane l is element 16 c + l of the block."""
    source = f"""
    __attribute__((intel_reqd_sub_group_size(16)))
    kernel void k(global const {type} *in, global {type} *out) {{
      size_t g = get_group_id(0) * 64;
      {type}4 v = intel_sub_group_block_read{suffix}4(in + g);
      intel_sub_group_block_write{suffix}4(out + g, v.wzyx + ({type}4)(get_sub_group_local_id()));
    }}"""
    values = RANDOM.integers(0, 200, (4, 4, 16)).astype(dtype)
    out = np.zeros_like(values)
    launch(source, values, out)
    np.testing.assert_array_equal(out, values[:, ::-1] + np.arange(16, dtype=dtype))


def test_required_sizes() -> None:
    """Attributes of the kernel, and options of the compiler."""
    source = """
    __attribute__((reqd_work_group_size(WIDTH, 1, 1), intel_reqd_sub_group_size(32)))
    kernel void k(global int *out) { out[get_global_id(0)] = get_max_sub_group_size() * 100 + get_local_size(0); }"""
    module = device().compile(source, language="opencl", options=["-DWIDTH=32", "-cl-std=CL2.0"])
    out = zeros()
    module["k"][(2, 1, 1), (32, 1, 1)](out)
    np.testing.assert_array_equal(out, 3232)


ERRORS = [
    ("kernel void k(global int *o) { o[0] = x; }", "k.cl:1:39: error: use of undeclared identifier 'x'"),
    ("int f(int n) { return n ? f(n - 1) * n : 1; } kernel void k(global int *o) { *o = f(*o); }", "was not inlined"),
    ("int f(int); kernel void k(global int *o) { *o = f(1); }", "k.cl:1:49: error: calls 'f', a function that"),
    ("kernel void k(read_only image2d_t i) {}", "kernel argument 'i' is an image: pvc has no images"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "message"), ERRORS)
def test_errors(source: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        device().compile(source, "k.cl")
    assert message in str(caught.value)
    assert "k.cl" in str(caught.value)


def test_options_that_are_refused() -> None:
    with pytest.raises(CompileError, match="option '-o' is not supported"):
        device().compile("kernel void k() {}", "k.cl", options=["-o", "x"])
    with pytest.raises(ValueError, match="only OpenCL C has options"):
        device().compile("module {}", options=["-DX"])
