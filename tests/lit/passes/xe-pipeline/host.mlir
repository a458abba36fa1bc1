// Host code stays as it is, and launches what its kernels became.
// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' | filecheck %s
// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' -t xe-asm | filecheck %s --check-prefix=ASM

// CHECK:      func.func @main(%m: memref<16xf32>) {
// CHECK:        gpu.launch_func @kernels::@k blocks in
// CHECK:      gpu.module @kernels {
// CHECK-NEXT:   xe.kernel @k
// ASM: // kernel k
module attributes {gpu.container_module} {
  func.func @main(%m: memref<16xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%m : memref<16xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%m: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %x = arith.constant 1.0 : f32
      memref.store %x, %m[%i] : memref<16xf32>
      gpu.return
    }
  }
}
