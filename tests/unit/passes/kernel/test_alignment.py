"""Memory that asks for more than the alignment of all buffers starts where it asks for."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device

KERNEL = """
@shared = internal addrspace(3) global [3 x i32] undef, align 256
define spir_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %small = alloca [3 x i32], align 4
  %large = alloca [3 x i32], align 128
  %a = getelementptr i32, ptr %small, i32 %n
  store volatile i32 %n, ptr %a
  %b = getelementptr i32, ptr %large, i32 %n
  store volatile i32 7, ptr %b
  %c = getelementptr i32, ptr addrspace(3) @shared, i32 %n
  store i32 9, ptr addrspace(3) %c
  %place = ptrtoint ptr %large to i64
  store i64 %place, ptr addrspace(1) %out
  %second = getelementptr i64, ptr addrspace(1) %out, i32 1
  %other = ptrtoint ptr addrspace(3) @shared to i64
  store i64 %other, ptr addrspace(1) %second
  %third = getelementptr i64, ptr addrspace(1) %out, i32 2
  %v = load volatile i32, ptr %b
  %w = load i32, ptr addrspace(3) %c
  %sum = add i32 %v, %w
  %wide = zext i32 %sum to i64
  store i64 %wide, ptr addrspace(1) %third
  ret void
}
"""
BUFFERS = """gpu.module @m {
  gpu.func @k(%out: memref<16xi32>) kernel
      attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %zero = arith.constant 0 : index
    %four = arith.constant 4 : i32
    %own = memref.alloca() : memref<1xi32, 5>
    %wide = memref.alloca() {alignment = 512 : i64} : memref<1xi32, 5>
    %one = arith.index_cast %i : index to i32
    memref.store %one, %wide[%zero] : memref<1xi32, 5>
    memref.store %four, %own[%zero] : memref<1xi32, 5>
    %found = memref.load %wide[%zero] : memref<1xi32, 5>
    memref.store %found, %out[%i] : memref<16xi32>
    gpu.return
  }
}"""


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_addresses(engine: str) -> None:
    out = np.zeros(3, np.int64)
    Device("pvc", engine=engine).compile(KERNEL, language="llvm")["k"][1, (1,)](out, np.int32(1))
    private, shared, total = out.tolist()
    assert private > 0
    assert private % 128 == shared % 256 == 0
    assert total == 16


def test_buffers() -> None:
    out = np.zeros(16, np.int32)
    Device("pvc").compile(BUFFERS)["k"][1, (16,)](out)
    assert out.tolist() == list(range(16))


def test_addresses_that_are_numbers() -> None:
    """Constant expressions make pointers of numbers."""
    text = """define spir_kernel void @k(ptr addrspace(1) %out) {
  %is = icmp eq ptr addrspace(1) %out, inttoptr (i64 4096 to ptr addrspace(1))
  %n = select i1 %is, i32 1, i32 2
  store i32 %n, ptr addrspace(1) %out
  ret void
}"""
    out = np.zeros(1, np.int32)
    Device("pvc").compile(text, language="llvm")["k"][1, (1,)](out)
    assert out.tolist() == [2]
