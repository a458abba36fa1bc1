// RUN: xegpu-opt %s -p 'xegpu-wg-to-sg-distribute{target=pvc},cse' | filecheck %s
// RUN: xegpu-opt %s -p 'xegpu-wg-to-sg-distribute{target=pvc op-level=subgroup},cse' | filecheck %s --check-prefix=STATED

// Kernels without layouts over subgroups.

!full = !xegpu.tensor_desc<32x32xf32>
gpu.module @m {
  // Four subgroups would do the same: each gets a quarter.
  // CHECK-LABEL: @shared
  // CHECK: gpu.subgroup_id
  // CHECK: xegpu.load_nd {{.*}} -> vector<16x16xf32>
  // CHECK: xegpu.store_nd {{.*}} : vector<16x16xf32>
  // STATED-LABEL: @shared
  // STATED-NOT: gpu.subgroup_id
  // STATED: xegpu.store_nd {{.*}} : vector<32x32xf32>
  gpu.func @shared(%x: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = xegpu.create_nd_tdesc %x : memref<32x32xf32> -> !full
    %v = xegpu.load_nd %t[0, 0] : !full -> vector<32x32xf32>
    %w = arith.addf %v, %v : vector<32x32xf32>
    xegpu.store_nd %w, %t[0, 0] : vector<32x32xf32>, !full
    gpu.return
  }

  // There is one subgroup only.
  // CHECK-LABEL: @alone
  // CHECK: xegpu.store_nd {{.*}} : vector<32x32xf32>
  gpu.func @alone(%x: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %t = xegpu.create_nd_tdesc %x : memref<32x32xf32> -> !full
    %v = xegpu.load_nd %t[0, 0] : !full -> vector<32x32xf32>
    xegpu.store_nd %v, %t[0, 0] : vector<32x32xf32>, !full
    gpu.return
  }

  // Each subgroup has a block of its own.
  // CHECK-LABEL: @different
  // CHECK: xegpu.store_nd {{.*}} : vector<32x32xf32>
  gpu.func @different(%x: memref<128x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = gpu.subgroup_id : index
    %c32 = arith.constant 32 : index
    %i = arith.muli %id, %c32 : index
    %t = xegpu.create_nd_tdesc %x : memref<128x32xf32> -> !full
    %v = xegpu.load_nd %t[%i, 0] : !full -> vector<32x32xf32>
    xegpu.store_nd %v, %t[%i, 0] : vector<32x32xf32>, !full
    gpu.return
  }
}
