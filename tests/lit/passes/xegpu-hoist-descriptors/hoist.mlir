// RUN: xegpu-opt %s -p xegpu-hoist-descriptors,canonicalize --split-input-file | filecheck %s

!t = !xegpu.tensor_desc<8x16xf32>
gpu.module @m {
  // CHECK-LABEL: gpu.func @moves
  gpu.func @moves(%a: memref<64x64xf32>, %p: i64, %n: index, %s: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %x = arith.constant dense<0.0> : vector<8x16xf32>
    // One that moves, by a step that is computed; one that stays; one that stays in the inner loop and moves in the outer.
    // CHECK:     %[[T:.*]] = xegpu.create_nd_tdesc %a[%n, 16] : {{.*}} -> !xegpu.tensor_desc<8x16xf32>
    // CHECK:     %[[STEP:.*]] = arith.muli %s, %{{.*}} : index
    // CHECK:     %[[U:.*]] = xegpu.create_nd_tdesc %a[%n, 32]
    // CHECK:     scf.for {{.*}} iter_args(%[[D:.*]] = %[[T]]) -> (!xegpu.tensor_desc<8x16xf32>) {
    // CHECK-NOT:   create_nd_tdesc
    // CHECK:       xegpu.store_nd %x, %[[D]]
    // CHECK:       xegpu.store_nd %x, %[[U]]
    // CHECK:       %[[E:.*]] = xegpu.update_nd_offset %[[D]], [0, %[[STEP]]]
    // CHECK:       scf.yield %[[E]]
    scf.for %k = %c0 to %n step %s {
      %double = arith.muli %k, %c2 : index
      %right = arith.addi %double, %c16 : index
      %t = xegpu.create_nd_tdesc %a[%n, %right] : memref<64x64xf32> -> !t
      xegpu.store_nd %x, %t : vector<8x16xf32>, !t
      %u = xegpu.create_nd_tdesc %a[%n, 32] : memref<64x64xf32> -> !t
      xegpu.store_nd %x, %u : vector<8x16xf32>, !t
    }
    // CHECK:     %[[V:.*]] = xegpu.create_nd_tdesc %a[0, 0]
    // CHECK:     scf.for {{.*}} iter_args(%[[D:.*]] = %[[V]])
    // CHECK-NEXT:  scf.for {{.*}} {
    // CHECK-NEXT:    xegpu.store_nd %x, %[[D]]
    // CHECK-NEXT:  }
    // CHECK-NEXT:  xegpu.update_nd_offset %[[D]], [16, 0]
    scf.for %j = %c0 to %n step %c16 {
      scf.for %k = %c0 to %n step %s {
        %v = xegpu.create_nd_tdesc %a[%j, 0] : memref<64x64xf32> -> !t
        xegpu.store_nd %x, %v : vector<8x16xf32>, !t
      }
    }
    gpu.return
  }
}

// -----

// An outer dimension, an offset that is no sum, what the loop computes, and a condition in the loop.
!t = !xegpu.tensor_desc<8x16xf32>
gpu.module @m {
  // CHECK-LABEL: gpu.func @stay
  gpu.func @stay(%a: memref<4x64x64xf32>, %b: memref<64x64xf32>, %n: index, %i: i1) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %x = arith.constant dense<0.0> : vector<8x16xf32>
    // CHECK-NOT:     create_nd_tdesc
    // CHECK:         scf.for
    // CHECK-COUNT-4: create_nd_tdesc
    scf.for %k = %c0 to %c4 step %c1 {
      %t = xegpu.create_nd_tdesc %a[%k, 0, 0] : memref<4x64x64xf32> -> !t
      xegpu.store_nd %x, %t : vector<8x16xf32>, !t
      %r = arith.remui %k, %n : index
      %u = xegpu.create_nd_tdesc %b[%r, 0] : memref<64x64xf32> -> !t
      xegpu.store_nd %x, %u : vector<8x16xf32>, !t
      %m = memref.subview %a[%k, 0, 0] [1, 64, 64] [1, 1, 1] : memref<4x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
      %v = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32, strided<[64, 1], offset: ?>> -> !t
      xegpu.store_nd %x, %v : vector<8x16xf32>, !t
      scf.if %i {
        %w = xegpu.create_nd_tdesc %b[0, 0] : memref<64x64xf32> -> !t
        xegpu.store_nd %x, %w : vector<8x16xf32>, !t
      }
    }
    gpu.return
  }
}

// -----

// Offsets that the loop carries: one grows by a constant, one by a value from outside, one stays; one grows by what is
// computed in the loop.
!t = !xegpu.tensor_desc<8x16xf32>
gpu.module @m {
  // CHECK-LABEL: gpu.func @carried
  gpu.func @carried(%a: memref<64x64xf32>, %n: index, %s: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %x = arith.constant dense<0.0> : vector<8x16xf32>
    // CHECK:      %[[T:.*]] = xegpu.create_nd_tdesc %a[%n, 4]
    // CHECK:      %[[U:.*]] = xegpu.create_nd_tdesc %a[0, %n]
    // CHECK:      scf.for {{.*}} iter_args(%{{.*}} = %c0, %[[D:.*]] = %[[T]], %[[E:.*]] = %[[U]])
    // CHECK-NEXT:   xegpu.store_nd %x, %[[D]]
    // CHECK-NEXT:   xegpu.store_nd %x, %[[E]]
    // CHECK-NEXT:   xegpu.create_nd_tdesc
    // CHECK:        xegpu.update_nd_offset %[[D]], [0, 16]
    // CHECK:        xegpu.update_nd_offset %[[E]], [%s, 0]
    %r:4 = scf.for %k = %c0 to %n step %c8 iter_args(%i = %c0, %j = %c0, %l = %n, %m = %c0) -> (index, index, index, index) {
      %double = arith.muli %i, %c2 : index
      %c4 = arith.constant 4 : index
      %right = arith.addi %double, %c4 : index
      %t = xegpu.create_nd_tdesc %a[%l, %right] : memref<64x64xf32> -> !t
      xegpu.store_nd %x, %t : vector<8x16xf32>, !t
      %u = xegpu.create_nd_tdesc %a[%j, %l] : memref<64x64xf32> -> !t
      xegpu.store_nd %x, %u : vector<8x16xf32>, !t
      %v = xegpu.create_nd_tdesc %a[%m, 0] : memref<64x64xf32> -> !t
      xegpu.store_nd %x, %v : vector<8x16xf32>, !t
      %ni = arith.addi %i, %c8 : index
      %nj = arith.addi %s, %j : index
      %nm = arith.addi %m, %k : index
      scf.yield %ni, %nj, %l, %nm : index, index, index, index
    }
    gpu.return
  }
}
