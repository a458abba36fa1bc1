// Whole programs are refused at their entry; a kernel of one can be run by its name.

// RUN: not xegpu-run %s 2>&1 | filecheck %s
// CHECK: host-program.mlir:8:3: error: 'func.func' op is host code: whole programs with a function 'main' are not run yet; name one kernel with -k

// RUN: xegpu-run %s -k fill --arg zeros:16xi32 --print 0 -q | filecheck %s --check-prefix=KERNEL
module attributes {gpu.container_module} {
  func.func @main() {
    return
  }
  gpu.module @kernels {
    gpu.func @fill(%a: memref<16xi32>) kernel attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
      %lane = gpu.thread_id x
      %number = arith.index_cast %lane : index to i32
      memref.store %number, %a[%lane] : memref<16xi32>
      gpu.return
    }
  }
}
// KERNEL:      a: 16xint32
// KERNEL-NEXT: [ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15]
