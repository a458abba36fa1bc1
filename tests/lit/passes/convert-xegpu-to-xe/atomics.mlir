// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Atomic updates: a message where the memory has one, else a loop that compares and exchanges.
gpu.module @m {
  // Each work-item takes part, also where all update one element. A result that nobody needs does not come back.
  // CHECK-LABEL: xe.kernel @count
  // CHECK: xe.atomic_iadd[%{{.*}} : !xe.grf<128, 64>] data %{{.*}} : !xe.grf<64, 64> {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>}{{$}}
  // CHECK-NEXT: xe.eot
  gpu.func @count(%m: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %m[%c0] : (i32, memref<1xi32>) -> i32
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @kinds
  // CHECK: xe.atomic_fadd[{{.*}}message = #xe.message<unit = ugm, size = d16u32>, no_mask}
  // CHECK: xe.atomic_store[{{.*}}message = #xe.message<unit = ugm, size = d16u32>, no_mask}
  // CHECK: xe.atomic_fmax[{{.*}}message = #xe.message<unit = ugm, size = d16u32>, no_mask}
  // CHECK: xe.atomic_smin[{{.*}}message = #xe.message<unit = ugm, size = d64>, no_mask}
  // CHECK: xe.atomic_umax[{{.*}}message = #xe.message<unit = ugm, size = d64>, no_mask}
  // CHECK: xe.atomic_xor[{{.*}}message = #xe.message<unit = ugm, size = d64>, no_mask}
  gpu.func @kinds(%h: memref<4xf16>, %x: f16, %q: memref<4xi64>, %y: i64) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %0 = memref.atomic_rmw addf %x, %h[%c0] : (f16, memref<4xf16>) -> f16
    %1 = memref.atomic_rmw assign %x, %h[%c0] : (f16, memref<4xf16>) -> f16
    %2 = memref.atomic_rmw maxnumf %x, %h[%c0] : (f16, memref<4xf16>) -> f16
    %3 = memref.atomic_rmw mins %y, %q[%c0] : (i64, memref<4xi64>) -> i64
    %4 = memref.atomic_rmw maxu %y, %q[%c0] : (i64, memref<4xi64>) -> i64
    %5 = memref.atomic_rmw xori %y, %q[%c0] : (i64, memref<4xi64>) -> i64
    gpu.return
  }

  // Shared local memory has no sums of floats: lanes repeat until what they have read is still there.
  // CHECK-LABEL: xe.kernel @loop
  // CHECK: xe.atomic_load into {{.*}}message = #xe.message<unit = slm, size = d32, address = a32>}
  // CHECK: xe.mov into %{{.*}}{exec_size = 16 : i32, reads = [#xe.imm<w, 65535>], write = #xe.write<w>}
  // CHECK: xe.br ^[[LOOP:.*]](%
  // CHECK: ^[[LOOP]](%[[OLD:.*]]: !xe.grf<64, 64>, %{{.*}}: !xe.grf<32, 32>):
  // CHECK: xe.add(%[[OLD]], {{.*}}write = #xe.write<f>}
  // CHECK: xe.atomic_icas if %{{.*}}data %{{.*}} : !xe.grf<128, 64> {exec_size = 16 : i32, message = #xe.message<unit = slm, size = d32, address = a32>} -> !xe.grf<64, 64>
  // CHECK: xe.cond_br %{{.*}}, ^[[AGAIN:.*]], ^[[DONE:.*]] : !xe.flag
  // CHECK: ^[[AGAIN]]:
  // CHECK: xe.br ^[[LOOP]](
  // CHECK: ^[[DONE]]:
  gpu.func @loop(%x: f32) workgroup(%s : memref<4xf32, 3>) kernel {
    %c0 = arith.constant 0 : index
    %old = memref.atomic_rmw addf %x, %s[%c0] : (f32, memref<4xf32, 3>) -> f32
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @generic
  // CHECK: ^{{.*}}(%[[OLD:.*]]: !xe.grf<64, 64>, %{{.*}}: !xe.grf<32, 32>):
  // CHECK: xe.shl(%[[OLD]]
  // CHECK: xe.atomic_icas if
  gpu.func @generic(%m: memref<4xi32>) kernel {
    %c0 = arith.constant 0 : index
    %old = memref.generic_atomic_rmw %m[%c0] : memref<4xi32> {
    ^bb0(%v: i32):
      %one = arith.constant 1 : i32
      %w = arith.shli %v, %one : i32
      memref.atomic_yield %w : i32
    }
    gpu.return
  }
}
