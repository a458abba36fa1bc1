// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Barriers and fences; what a barrier separates stays on its side.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @group
  // CHECK-SAME: barrier_count = 1 : i32
  // CHECK: xe.store[
  // CHECK-NEXT: xe.fence {flush = "none", scope = "group", unit = "ugm"}
  // CHECK-NEXT: xe.fence {flush = "none", scope = "group", unit = "slm"}
  // CHECK-NEXT: xe.barrier
  // CHECK: xe.load[
  // CHECK: xe.store[
  gpu.func @group(%a: memref<64xf32>, %b: memref<64xf32>, %x: f32) kernel {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    memref.store %x, %a[%i] : memref<64xf32>
    gpu.barrier
    %v = memref.load %a[%c0] : memref<64xf32>
    memref.store %v, %b[%i] : memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @fences
  // CHECK-NOT: barrier_count
  // CHECK: xe.fence {flush = "none", scope = "group", unit = "ugm"}
  // CHECK-NEXT: xe.fence {flush = "none", scope = "gpu", unit = "ugm"}
  // CHECK-NEXT: xe.fence {flush = "none", scope = "group", unit = "slm"}
  // CHECK-NEXT: xe.fence {flush = "none", scope = "group", unit = "slm"}
  gpu.func @fences() kernel {
    xegpu.fence memory_kind = global, fence_scope = workgroup
    xegpu.fence memory_kind = global, fence_scope = gpu
    xegpu.fence memory_kind = slm, fence_scope = workgroup
    xegpu.fence memory_kind = slm, fence_scope = gpu
    gpu.return
  }

  // Hints about the order of instructions leave none behind.
  // CHECK-LABEL: xe.kernel @hint
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: xe.eot
  gpu.func @hint() kernel {
    xegpu.compile_hint
    gpu.return
  }

  // A barrier that is known is a constant: number 3, two producers and two consumers.
  // CHECK-LABEL: xe.kernel @named
  // CHECK-SAME: barrier_count = 8 : i32
  // CHECK: xe.nbarrier.signal{{.*}}read = #xe.imm<ud, 33685507>
  // CHECK: xe.nbarrier.wait{{.*}}read = #xe.imm<ud, 3>
  gpu.func @named() kernel {
    %id = arith.constant 3 : i8
    %n = arith.constant 2 : i8
    xegpu.alloc_nbarrier 8
    %b = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier
    xegpu.nbarrier_arrive %b : !xegpu.nbarrier
    xegpu.nbarrier_wait %b : !xegpu.nbarrier
    gpu.return
  }

  // Without an allocation, the numbers say how many there are.
  // CHECK-LABEL: xe.kernel @numbers
  // CHECK-SAME: barrier_count = 6 : i32
  // CHECK: %[[COUNT:.*]] = xe.mul({{.*}}#xe.imm<ud, 16842752>
  // CHECK: %[[SIGNAL:.*]] = xe.or(%[[COUNT]],
  // CHECK: xe.nbarrier.signal[%[[SIGNAL]]
  gpu.func @numbers(%n: i8) kernel {
    %id = arith.constant 5 : i8
    %b = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier
    xegpu.nbarrier_arrive %b : !xegpu.nbarrier
    gpu.return
  }
}
