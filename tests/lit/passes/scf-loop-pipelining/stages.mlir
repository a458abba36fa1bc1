// RUN: xegpu-opt %s -p 'scf-loop-pipelining{target=pvc stages=2},canonicalize,cse' --split-input-file | filecheck %s
// RUN: not xegpu-opt %s -p 'scf-loop-pipelining{target=pvc stages=9}' --split-input-file 2>&1 | filecheck %s --check-prefix=STAGES
// STAGES: error: 'builtin.module' op expected from 1 to 8 stages, got 9

// The descriptor goes ahead with the loads; two turns in one need no moves of what is loaded.
gpu.module @m {
  // CHECK-LABEL: gpu.func @known
  gpu.func @known(%m: memref<64x16xf32>, %o: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %z = arith.constant dense<0.0> : vector<8x16xf32>
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    // CHECK:      %[[FIRST:.*]] = xegpu.load_nd %t
    // CHECK-NEXT: %[[T:.*]] = xegpu.update_nd_offset %t, [8, 0]
    // CHECK:      %[[R:.*]], %{{.*}}, %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %z, %[[D:.*]] = %[[T]], %[[V:.*]] = %[[FIRST]])
    // CHECK-NEXT:   %[[W:.*]] = xegpu.load_nd %[[D]]
    // CHECK-NEXT:   %[[E:.*]] = xegpu.update_nd_offset %[[D]], [8, 0]
    // CHECK-NEXT:   %[[B:.*]] = arith.addf %[[A]], %[[V]]
    // CHECK-NEXT:   %[[X:.*]] = xegpu.load_nd %[[E]]
    // CHECK-NEXT:   %[[F:.*]] = xegpu.update_nd_offset %[[E]], [8, 0]
    // CHECK-NEXT:   %[[C:.*]] = arith.addf %[[B]], %[[W]]
    // CHECK-NEXT:   scf.yield %[[C]], %[[F]], %[[X]]
    // CHECK-NEXT: } {no_unroll}
    // CHECK-NEXT: %[[S:.*]] = arith.addf %[[R]], %[[LAST]]
    // CHECK:      xegpu.store_nd %[[S]]
    %r:2 = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %z, %d = %t) -> (vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>) {
      %v = xegpu.load_nd %d : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
      %b = arith.addf %a, %v : vector<8x16xf32>
      %e = xegpu.update_nd_offset %d, [8, 0] : !xegpu.tensor_desc<8x16xf32>
      scf.yield %b, %e : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    }
    %u = xegpu.create_nd_tdesc %o[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %r#0, %u : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}

// -----

// Nothing is loaded if there may be no turn.
gpu.module @m {
  // CHECK-LABEL: gpu.func @unknown
  gpu.func @unknown(%m: memref<?xf32>, %o: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    // CHECK:      %[[ENOUGH:.*]] = arith.cmpi slt, %c0, %n : index
    // CHECK-NEXT: scf.if %[[ENOUGH]] -> (f32) {
    // CHECK-NEXT:   memref.load %m[%c0]
    // CHECK:        scf.for
    // CHECK:        scf.for
    // CHECK:        scf.yield
    // CHECK:      } else {
    // CHECK-NEXT:   scf.yield %z : f32
    // CHECK-NEXT: }
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (f32) {
      %v = memref.load %m[%i] : memref<?xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    } {note}
    memref.store %r, %o[%c0] : memref<?xf32>
    gpu.return
  }
}

// -----

// Shared local memory that others fill is loaded in its turn; global memory that nobody has written is loaded ahead.
gpu.module @m {
  // CHECK-LABEL: gpu.func @barriers
  gpu.func @barriers(%m: memref<1024xf32>, %o: memref<1024xf32>) workgroup(%s: memref<64xf32, 3>) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %z = arith.constant 0.0 : f32
    %l = gpu.thread_id x
    // CHECK:      memref.load %m
    // CHECK:      scf.for
    // CHECK:        memref.load %m
    // CHECK-NEXT:   memref.store %{{.*}}, %s
    // CHECK-NEXT:   gpu.barrier
    // CHECK-NEXT:   memref.load %s
    // CHECK:        gpu.barrier
    // CHECK:        memref.load %m
    // CHECK-NEXT:   memref.store %{{.*}}, %s
    %r = scf.for %i = %c0 to %c1024 step %c64 iter_args(%a = %z) -> (f32) {
      %j = arith.addi %i, %l : index
      %v = memref.load %m[%j] : memref<1024xf32>
      memref.store %v, %s[%l] : memref<64xf32, 3>
      gpu.barrier
      %w = memref.load %s[%c0] : memref<64xf32, 3>
      %b = arith.addf %a, %w : f32
      gpu.barrier
      scf.yield %b : f32
    }
    memref.store %r, %o[%l] : memref<1024xf32>
    // A barrier shows what has been written before.
    // CHECK:      memref.store %{{.*}}, %o
    // CHECK-NOT:  memref.load
    // CHECK:      scf.for
    // CHECK-NEXT:   gpu.barrier
    %q = scf.for %i = %c0 to %c1024 step %c64 iter_args(%a = %z) -> (f32) {
      gpu.barrier
      %v = memref.load %m[%i] : memref<1024xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    memref.store %q, %o[%l] : memref<1024xf32>
    gpu.return
  }
}

// -----

// What the loop writes may be what it loads; where it loads may depend on what it computes.
gpu.module @m {
  // CHECK-LABEL: gpu.func @stays
  gpu.func @stays(%m: memref<1024xf32>, %o: memref<1024xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %z = arith.constant 0.0 : f32
    // CHECK-NOT: memref.load
    // CHECK:     scf.for
    scf.for %i = %c0 to %c64 step %c1 {
      %v = memref.load %m[%i] : memref<1024xf32>
      memref.store %v, %o[%i] : memref<1024xf32>
    }
    // CHECK-NOT: no_unroll
    // CHECK:     scf.for
    %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %z) -> (f32) {
      %n = arith.fptosi %a : f32 to i32
      %j = arith.index_cast %n : i32 to index
      %v = memref.load %m[%j] : memref<1024xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    // CHECK-NOT: no_unroll
    memref.store %r, %o[%c0] : memref<1024xf32>
    gpu.return
  }
}
