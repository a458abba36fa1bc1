// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' -t xe-asm | filecheck %s

// Accesses keep their side of what separates them, though all passes run: equal loads are not one, early loads not too early.
gpu.module @m {
  // CHECK-LABEL: // kernel barrier
  // CHECK: load.ugm.d32
  // CHECK: barrier
  // CHECK: load.ugm.d32
  // CHECK: store.ugm.d32
  gpu.func @barrier(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<64xf32>
    gpu.barrier
    %w = memref.load %a[%i] : memref<64xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %b[%i] : memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: // kernel fence
  // CHECK: load.ugm.d32
  // CHECK: fence.ugm.none.gpu
  // CHECK: load.ugm.d32
  // CHECK: store.ugm.d32
  gpu.func @fence(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<64xf32>
    xegpu.fence memory_kind = global, fence_scope = gpu
    %w = memref.load %a[%i] : memref<64xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %b[%i] : memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: // kernel atomic
  // CHECK: load.ugm.d32
  // CHECK: atomic_fadd.ugm.d32
  // CHECK: load.ugm.d32
  // CHECK: store.ugm.d32
  gpu.func @atomic(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<64xf32>
    %old = memref.atomic_rmw addf %v, %a[%i] : (f32, memref<64xf32>) -> f32
    %w = memref.load %a[%i] : memref<64xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %b[%i] : memref<64xf32>
    gpu.return
  }

  // A barrier in a loop: each turn loads anew.
  // CHECK-LABEL: // kernel loop
  // CHECK: L{{[0-9]+}}:
  // CHECK: barrier
  // CHECK: load.slm.d32
  // CHECK: jmpi
  gpu.func @loop(%b: memref<64xf32>, %n: index) workgroup(%s : memref<64xf32, 3>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %i = gpu.thread_id x
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      gpu.barrier
      %v = memref.load %s[%i] : memref<64xf32, 3>
      %next = arith.addf %acc, %v : f32
      scf.yield %next : f32
    }
    memref.store %r, %b[%i] : memref<64xf32>
    gpu.return
  }
}
