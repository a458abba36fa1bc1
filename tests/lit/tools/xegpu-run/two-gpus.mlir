// Modules for other GPUs than that of the kernel do not matter, whether these are known or not.

// RUN: xegpu-run %s -k first --grid 1 --arg zeros:16xf32 --print 0 -q | filecheck %s
// CHECK: a: 16xfloat32
// CHECK-NEXT: [1. 1.
// RUN: not xegpu-run %s -k second --grid 1 --arg zeros:16xf32 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER: error: module 'b' is for chip 'cri', which is not simulated

gpu.module @a [#xevm.target<chip = "pvc">] {
  gpu.func @first(%a: memref<16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %i = gpu.thread_id x
    %c = arith.constant 1.0 : f32
    memref.store %c, %a[%i] : memref<16xf32>
    gpu.return
  }
}

gpu.module @b [#xevm.target<chip = "cri">] {
  gpu.func @second(%a: memref<16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    gpu.return
  }
}
