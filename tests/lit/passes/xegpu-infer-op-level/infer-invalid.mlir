// RUN: xegpu-opt %s -p gpu-kernel-outlining,xegpu-infer-op-level --split-input-file --verify-diagnostics

// Vectors of no level, in a launch of several threads: each would add 1.
func.func @launch(%c: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %one = arith.constant dense<1.0> : vector<16x16xf32>
    // expected-error@+1 {{'vector.load' op computes a vector 16 times, once for each member of a work-group, and nothing says who these are: expected gpu.module @m [#xevm.target<chip = ...>] or the option op-level}}
    %v = vector.load %c[%c0, %c0] : memref<16x16xf32>, vector<16x16xf32>
    %s = arith.addf %v, %one : vector<16x16xf32>
    vector.store %s, %c[%c0, %c0] : memref<16x16xf32>, vector<16x16xf32>
    gpu.terminator
  }
  return
}

// -----

// One of them, or one that knows which it is, is fine.
gpu.module @m {
  gpu.func @one(%c: memref<16xf32>, %i: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %v = vector.load %c[%i] : memref<16xf32>, vector<16xf32>
    gpu.return
  }
  gpu.func @several(%c: memref<64xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %i = gpu.thread_id x
    %v = vector.load %c[%i] : memref<64xf32>, vector<16xf32>
    gpu.return
  }
}
