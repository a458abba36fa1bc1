"""Memory whose elements are vectors: kernels, shared local memory and host programs compute with it."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import run
from tests.unit.passes.kernels import harness
from xegpu.targets import ARC, PVC, Target

RANDOM = np.random.default_rng(7)


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
@pytest.mark.parametrize("shape", [(4,), (3,), (2, 4), (3, 5), (1,)], ids=str)
def test_work_items_load_and_store_vectors(target: Target, shape: tuple[int, ...]) -> None:
    vector = f"vector<{'x'.join(map(str, shape))}xf32>"
    text = f"""
gpu.module @m {{
  gpu.func @k(%a: memref<16x{vector}>, %b: memref<16x{vector}>) kernel {{
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<16x{vector}>
    %y = arith.addf %x, %x : {vector}
    memref.store %y, %b[%i] : memref<16x{vector}>
    gpu.return
  }}
}}"""
    in_memory = (16, *shape[:-1], 1 << (shape[-1] - 1).bit_length())
    a, b = RANDOM.random(in_memory, np.float32), np.full(in_memory, 7, np.float32)
    kernel = harness.compile_one(text, target)
    _, found = harness.run(kernel, a, b, groups=(1, 1, 1), local=(16, 1, 1), target=target)
    expected = b.copy()
    expected[..., : shape[-1]] = 2 * a[..., : shape[-1]]
    assert np.array_equal(found, expected), "and what lies between the vectors stays"


def test_subgroups_exchange_vectors_in_shared_local_memory() -> None:
    text = """
gpu.module @m {
  gpu.func @k(%a: memref<8xvector<16xf32>>, %b: memref<8xvector<16xf32>>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 8, 1, 1>} {
    %c7 = arith.constant 7 : index
    %s = memref.alloc() : memref<8xvector<16xf32>, 3>
    %i = gpu.subgroup_id : index
    %x = memref.load %a[%i] : memref<8xvector<16xf32>>
    memref.store %x, %s[%i] : memref<8xvector<16xf32>, 3>
    gpu.barrier
    %j = arith.subi %c7, %i : index
    %y = memref.load %s[%j] : memref<8xvector<16xf32>, 3>
    memref.store %y, %b[%i] : memref<8xvector<16xf32>>
    gpu.return
  }
}"""
    a = RANDOM.random((8, 16), np.float32)
    kernel = harness.compile_one(text, PVC)
    _, found = harness.run(kernel, a, np.zeros_like(a), groups=(1, 1, 1), local=(8, 1, 1))
    assert np.array_equal(found, a[::-1])


PROGRAM = """
func.func @main(%in: memref<6xvector<4xi32>>) -> (memref<6xvector<4xi32>>, vector<4xi32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %a = gpu.alloc host_shared () : memref<6xvector<4xi32>>
  memref.copy %in, %a : memref<6xvector<4xi32>> to memref<6xvector<4xi32>>
  %out = gpu.alloc host_shared () : memref<6xvector<4xi32>>
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %c1, %ny = %c1, %nz = %c1)
             threads(%tx, %ty, %tz) in (%mx = %c6, %my = %c1, %mz = %c1) {
    %x = memref.load %a[%tx] : memref<6xvector<4xi32>>
    %y = arith.muli %x, %x : vector<4xi32>
    memref.store %y, %out[%tx] : memref<6xvector<4xi32>>
    gpu.terminator
  }
  %part = memref.subview %out[2] [2] [2] : memref<6xvector<4xi32>> to memref<2xvector<4xi32>, strided<[2], offset: 2>>
  %v = memref.load %part[%c1] : memref<2xvector<4xi32>, strided<[2], offset: 2>>
  %m = memref.alloca() : memref<2x4xi32>
  %one = vector.type_cast %m : memref<2x4xi32> to memref<vector<2x4xi32>>
  %s = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : vector<2x4xi32>
  memref.store %s, %one[] : memref<vector<2x4xi32>>
  %n = memref.load %m[%c1, %c2] : memref<2x4xi32>
  return %out, %v, %n : memref<6xvector<4xi32>>, vector<4xi32>, i32
}
"""


def test_host_programs_and_their_kernels_share_memory_of_vectors() -> None:
    numbers = RANDOM.integers(-100, 100, (6, 4), np.int32)
    result = run(PROGRAM, args=[numbers])
    assert isinstance(result, tuple)
    out, vector, number = result
    assert np.array_equal(out, numbers**2)
    assert np.array_equal(vector, numbers[4] ** 2)
    assert number == 7
