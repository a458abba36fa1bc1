// A whole program: the host fills memory, launches a kernel, and compares; a kernel of it can be run alone.

// RUN: xegpu-run %s -q | filecheck %s
// RUN: xegpu-run %s --engine=interpreter --target=arc -q | filecheck %s
// RUN: xegpu-run %s -e other | filecheck %s --check-prefix=OTHER
// RUN: xegpu-run %s -k fill --grid 1 --arg zeros:16xi32 --print 0 -q | filecheck %s --check-prefix=KERNEL
module attributes {gpu.container_module} {
  func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %a = gpu.alloc host_shared () : memref<16xi32>
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a : memref<16xi32>)
    %u = memref.cast %a : memref<16xi32> to memref<*xi32>
    call @printMemrefI32(%u) : (memref<*xi32>) -> ()
    gpu.dealloc %a : memref<16xi32>
    return
  }
  func.func @other() -> f32 {
    %x = arith.constant 1.5 : f32
    return %x : f32
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
// CHECK:      Unranked Memref base@ = {{0x[0-9a-f]+}} rank = 1 offset = 0 sizes = [16] strides = [1] data =
// CHECK-NEXT: [0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,  11,  12,  13,  14,  15]
// OTHER:       1.5
// KERNEL:      a: 16xint32
// KERNEL-NEXT: [ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15]
