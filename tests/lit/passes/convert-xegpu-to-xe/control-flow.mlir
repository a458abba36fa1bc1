// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Structured control flow becomes blocks; values that a loop carries are arguments of its block.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @loop
  // CHECK: %[[X:.*]] = xe.load into
  // CHECK: xe.br ^[[HEAD:.*]](%{{.*}}, %{{.*}} : !xe.grf<8, 8>, !xe.grf<64, 64>)
  // CHECK: ^[[HEAD]](%[[I:.*]]: !xe.grf<8, 8>, %[[CARRIED:.*]]: !xe.grf<64, 64>):
  // CHECK: %[[MORE:.*]] = xe.cmp(%[[I]] : !xe.grf<8, 8>) {condition = "lt", exec_size = 1 : i32, no_mask, reads = [#xe.read<q, [0, 1, 0]>, #xe.imm<q, 10>]} flag !xe.flag
  // CHECK: xe.cond_br %[[MORE]], ^[[BODY:bb[0-9]+]], ^[[END:bb[0-9]+]] {trip_count = {{.*}}} : !xe.flag
  // CHECK: ^[[BODY]]:
  // CHECK: %[[SUM:.*]] = xe.add{{.*}}(%[[CARRIED]], %[[X]] : {{.*}}write = #xe.write<f>
  // CHECK: %[[NEXT:.*]] = xe.add(%[[I]] : !xe.grf<8, 8>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<uq, [0, 1, 0]>, #xe.imm<uq, 2>], write = #xe.write<uq>} -> !xe.grf<8, 8>
  // CHECK: xe.br ^[[HEAD]](%[[NEXT]], %[[SUM]] : !xe.grf<8, 8>, !xe.grf<64, 64>)
  // CHECK: ^[[END]]:
  // CHECK: xe.store[{{.*}}] data %[[CARRIED]]
  // CHECK: xe.eot
  gpu.func @loop(%m: memref<16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %t = xegpu.create_nd_tdesc %m[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32>
    %x = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %r = scf.for %i = %c0 to %c10 step %c2 iter_args(%sum = %zero) -> (vector<16xf32>) {
      %next = arith.addf %sum, %x : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    xegpu.store_nd %r, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }

  // A descriptor that moves with the loop is its payload; what is known about the surface needs no register.
  // CHECK-LABEL: xe.kernel @descriptor
  // CHECK: xe.br ^[[HEAD:.*]](%{{.*}}, %{{.*}} : !xe.grf<8, 8>, !xe.grf<64, 64>)
  // CHECK: ^[[HEAD]](%{{.*}}: !xe.grf<8, 8>, %[[PAYLOAD:.*]]: !xe.grf<64, 64>):
  // CHECK: xe.prefetch_block2d[%[[PAYLOAD]] : !xe.grf<64, 64>]
  // CHECK: %[[MOVED:.*]] = xe.add into %{{.*}} : !xe.grf<64, 64>(%{{.*}} : !xe.grf<64, 64>) {exec_size = 1 : i32, no_mask, reads = [#xe.read<d, 20, [0, 1, 0]>, #xe.imm<d, 16>], saturate, write = #xe.write<d, 20>} -> !xe.grf<64, 64>
  // CHECK: xe.br ^[[HEAD]](%{{.*}}, %[[MOVED]] : !xe.grf<8, 8>, !xe.grf<64, 64>)
  gpu.func @descriptor(%m: memref<8x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %t) -> (!xegpu.tensor_desc<8x16xf32>) {
      xegpu.prefetch_nd %d : !xegpu.tensor_desc<8x16xf32>
      %moved = xegpu.update_nd_offset %d, [0, 16] : !xegpu.tensor_desc<8x16xf32>
      scf.yield %moved : !xegpu.tensor_desc<8x16xf32>
    }
    gpu.return
  }

  // A choice between two values: both branches lead to the block that takes the result.
  // CHECK-LABEL: xe.kernel @choice
  // CHECK: %[[FLAG:.*]] = xe.cmp({{.*}} {condition = "eq", exec_size = 1 : i32, no_mask, reads = [#xe.read<ud, 8, [0, 1, 0]>, #xe.imm<ud, 7>]} flag !xe.flag
  // CHECK: xe.cond_br %[[FLAG]], ^[[THEN:.*]], ^[[ELSE:.*]] : !xe.flag
  // CHECK: ^[[THEN]]:
  // CHECK: xe.add{{.*}}write = #xe.write<f>
  // CHECK: xe.br ^[[JOIN:.*]](%{{.*}} : !xe.grf<4, 4>)
  // CHECK: ^[[ELSE]]:
  // CHECK: xe.mul{{.*}}write = #xe.write<f>
  // CHECK: xe.br ^[[JOIN]](%{{.*}} : !xe.grf<4, 4>)
  // CHECK: ^[[JOIN]](%[[R:.*]]: !xe.grf<4, 4>):
  // CHECK: xe.mov into %{{.*}}(%[[R]] : !xe.grf<4, 4>)
  // CHECK: xe.store[
  gpu.func @choice(%m: memref<4xf32>, %n: i32, %s: f32) kernel {
    %c0 = arith.constant 0 : index
    %seven = arith.constant 7 : i32
    %is = arith.cmpi eq, %n, %seven : i32
    %r = scf.if %is -> (f32) {
      %a = arith.addf %s, %s : f32
      scf.yield %a : f32
    } else {
      %b = arith.mulf %s, %s : f32
      scf.yield %b : f32
    }
    memref.store %r, %m[%c0] : memref<4xf32>
    gpu.return
  }

  // Branches to a block with arguments pass them in a block of their own; a constant condition is no branch.
  // CHECK-LABEL: xe.kernel @branches
  // CHECK: xe.cond_br %{{.*}}, ^[[FIRST:.*]], ^[[SECOND:.*]] : !xe.flag
  // CHECK: ^[[FIRST]]:
  // CHECK: xe.br ^[[JOIN:.*]](%{{.*}} : !xe.grf<4, 4>)
  // CHECK: ^[[SECOND]]:
  // CHECK: xe.br ^[[JOIN]](%{{.*}} : !xe.grf<4, 4>)
  // CHECK: ^[[JOIN]](%{{.*}}: !xe.grf<4, 4>):
  // CHECK-NOT: xe.cond_br
  // CHECK: xe.eot
  gpu.func @branches(%m: memref<4xf32>, %p: i1, %s: f32, %t: f32) kernel {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    cf.cond_br %p, ^join(%s : f32), ^join(%t : f32)
  ^join(%v: f32):
    cf.cond_br %true, ^store, ^end
  ^store:
    memref.store %v, %m[%c0] : memref<4xf32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
