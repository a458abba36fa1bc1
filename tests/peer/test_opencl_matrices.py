"""Blocks of planes, products of matrices and split barriers in OpenCL C, against numpy."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from shutil import which

import ml_dtypes
import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device, Module
from runtime.mux import compile_spirv
from xegpu.diagnostics import CompileError

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
RANDOM = np.random.default_rng(3)


@cache
def device() -> Device:
    return Device("pvc")


PRODUCT = """
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global uchar *a, global uchar *b, global {sum} *c, int n) {{
  int x = get_group_id(0) * 16, y = get_group_id(1) * 8, row = n * {bits} / 8;
  {sum}8 total = 0;
  for (int i = 0; i < n; i += {k}) {{
    short8 left; int8 right;
    intel_sub_group_2d_block_read_{bits}b_8r{k}x1c(a, row, n, row, (int2)(i, y), (private ushort *)&left);
    intel_sub_group_2d_block_read_transform_{bits}b_{k}r16x1c(b, row, n, row, (int2)(x, i), (private uint *)&right);
    intel_sub_group_2d_block_prefetch_{bits}b_8r{k}x1c(a, row, n, row, (int2)(i + {k}, y));
    total = intel_sub_group_{type}_{type}_matrix_mad_k{k}(left, right, total);
  }}
  uint8 bits = as_uint8(total);
  intel_sub_group_2d_block_write_32b_8r16x1c(c, n * 4, n, n * 4, (int2)(x, y), (private uint *)&bits);
}}"""
TYPES = {
    "bf16": (ml_dtypes.bfloat16, 16, 16, "float"),
    "f16": (np.float16, 16, 16, "float"),
    "i8": (np.int8, 8, 32, "int"),
    "u8": (np.uint8, 8, 32, "int"),
}


def multiplied(module: Module, a: np.ndarray, b: np.ndarray, dtype: str) -> np.ndarray:
    n = len(a)
    left, right = (device().array(values.view(np.uint8)) for values in (a, b))
    result = device().array(np.zeros((n, n), dtype))
    module["k"][(n // 16, n // 8, 1), (16, 1, 1)](left, right, result, n)
    return result.numpy()


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("type", TYPES)
def test_products(type: str) -> None:
    dtype, bits, k, sum = TYPES[type]
    source = PRODUCT.format(type=type, bits=bits, k=k, sum=sum)
    a, b = (RANDOM.integers(0, 100, (64, 64)).astype(dtype) for _ in range(2))
    found = multiplied(device().compile(source, "k.cl"), a, b, "f4" if sum == "float" else "i4")
    np.testing.assert_array_equal(found, a.astype(np.int64) @ b.astype(np.int64))


SPIRV = """
void __spirv_Subgroup2DBlockLoadINTEL(int, int, int, int, global void*, int, int, int, int2, private void*);
void __spirv_Subgroup2DBlockLoadTransformINTEL(int, int, int, int, global void*, int, int, int, int2, private void*);
void __spirv_Subgroup2DBlockStoreINTEL(int, int, int, int, private void*, global void*, int, int, int, int2);
float8 __spirv_SubgroupMatrixMultiplyAccumulateINTEL(int, short8, int8, float8, int);
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global ushort *a, global ushort *b, global float *c, int n) {
  int x = get_group_id(0) * 16, y = get_group_id(1) * 8;
  float8 total = 0;
  for (int i = 0; i < n; i += 16) {
    short8 left; int8 right;
    __spirv_Subgroup2DBlockLoadINTEL(2, 16, 8, 1, a, n * 2, n, n * 2, (int2)(i, y), &left);
    __spirv_Subgroup2DBlockLoadTransformINTEL(2, 16, 16, 1, b, n * 2, n, n * 2, (int2)(x, i), &right);
    total = __spirv_SubgroupMatrixMultiplyAccumulateINTEL(16, left, right, total, 0x3000);
  }
  __spirv_Subgroup2DBlockStoreINTEL(4, 16, 8, 1, &total, c, n * 4, n, n * 4, (int2)(x, y));
}"""


@pytest.mark.sampled(every=3)
@pytest.mark.skipif(which("clang-22") is None, reason="needs clang-22, which writes these instructions")
def test_product_through_instructions_of_spirv(tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(SPIRV)
    command = "clang-22 -target spirv64 -x cl -cl-std=CL3.0 -O1 -mllvm -spirv-ext=all -c k.cl -o k.spv"
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    module = device().load(compile_spirv((tmp_path / "k.spv").read_bytes(), "pvc"))
    a, b = (RANDOM.integers(-50, 50, (48, 48)).astype(ml_dtypes.bfloat16) for _ in range(2))
    found = multiplied(module, a, b, "f4")
    np.testing.assert_array_equal(found, a.astype(np.int64) @ b.astype(np.int64))


def test_blocks_that_are_turned_around() -> None:
    """Rows beyond the plane are zero."""
    source = """
    __attribute__((intel_reqd_sub_group_size(16)))
    kernel void k(global uint *in, global uint *out) {
      uint8 v;
      intel_sub_group_2d_block_read_transpose_32b_16r8x1c(in, 64, 12, 64, (int2)(4, 2), (private uint *)&v);
      vstore8(v, get_sub_group_local_id(), out);
    }"""
    values = RANDOM.integers(0, 1 << 30, (12, 16)).astype(np.uint32)
    out = device().array(np.zeros((16, 8), np.uint32))
    device().compile(source, "k.cl")["k"][(1, 1, 1), (16, 1, 1)](device().array(values), out)
    np.testing.assert_array_equal(out.numpy()[:10], values[2:, 4:12])
    assert not out.numpy()[10:].any()


def test_split_barriers() -> None:
    source = """
    kernel void k(global int *out) {
      local int tile[64];
      int l = get_local_id(0);
      for (int i = 0; i < 3; i++) {
        tile[l] = 100 * i + l;
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
        int own = l * i;
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
        out[64 * i + l] = tile[63 - l] + own;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }"""
    out = np.zeros((3, 64), np.int32)
    device().compile(source, "k.cl")["k"][(1, 1, 1), (64, 1, 1)](out)
    i, lane = np.mgrid[:3, :64]
    np.testing.assert_array_equal(out, 100 * i + 63 - lane + lane * i)


def test_instructions_without_names_in_opencl() -> None:
    source = """
    float __spirv_RoundFToTF32INTEL(float);
    int __spirv_GroupNonUniformQuadBroadcast(int, int, int);
    int __spirv_GroupNonUniformQuadSwap(int, int, int);
    int __spirv_GenericPtrMemSemantics(int *);
    kernel void k(global float *reals, global int4 *out) {
      local int shared[16]; int own[2] = {1, 2};
      int i = get_global_id(0);
      shared[i] = i;
      reals[i] = __spirv_RoundFToTF32INTEL(reals[i]);
      int *p = i & 1 ? shared : i & 2 ? own : (int *)out;
      out[i] = (int4)(__spirv_GroupNonUniformQuadBroadcast(3, i, 2), __spirv_GroupNonUniformQuadSwap(3, i, 0),
        __spirv_GroupNonUniformQuadSwap(3, i, 2), __spirv_GenericPtrMemSemantics(p));
    }"""
    reals, out = RANDOM.standard_normal(16).astype(np.float32), np.zeros((16, 4), np.int32)
    lane = np.arange(16)
    rounded = ((reals.view(np.uint32) + 0xFFF + (reals.view(np.uint32) >> 13 & 1)) & 0xFFFFE000).view(np.float32)
    device().compile(source, "k.cl")["k"][(1, 1, 1), (16, 1, 1)](reals, out)
    np.testing.assert_array_equal(reals, rounded)
    spaces = np.select([lane & 1 != 0, lane & 2 != 0], [0x100, 0], 0x200)
    np.testing.assert_array_equal(out, np.stack([lane & ~3 | 2, lane ^ 1, lane ^ 3, spaces], 1))


ERRORS = [
    (PRODUCT.replace("size(16)", "size(32)"), "in subgroups of 32: it needs 16 work-items"),
    (PRODUCT.replace("_8r{k}x1c(a", "_8r{k}x9c(a"), "v_blocks"),
]


@pytest.mark.parametrize(("product", "message"), ERRORS)
def test_errors(product: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        device().compile(product.format(type="f16", bits=16, k=16, sum="float"), "k.cl")
    assert message in str(caught.value) and "k.cl" in str(caught.value)
