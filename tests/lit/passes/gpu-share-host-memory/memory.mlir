// RUN: xegpu-opt %s -p gpu-share-host-memory --split-input-file | filecheck %s

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: memref<8xf32>) kernel {
      gpu.return
    }
  }
  memref.global "private" constant @table : memref<8xf32> = dense<1.0>
  // Something calls it: its buffers come from there.
  // CHECK-LABEL: func.func @called
  // CHECK-NEXT: return
  func.func @called(%a: memref<8xf32>) {
    return
  }
  // CHECK-LABEL: func.func @main
  // CHECK-NEXT: %[[A:.*]] = memref.cast %a : memref<?xf32> to memref<*xf32>
  // CHECK-NEXT: gpu.host_register %[[A]] : memref<*xf32>
  // CHECK: gpu.alloc host_shared(%n) : memref<?xf32>
  // CHECK: %[[T:.*]] = memref.get_global @table
  // CHECK-NEXT: %[[U:.*]] = memref.cast %[[T]] : memref<8xf32> to memref<*xf32>
  // CHECK-NEXT: gpu.host_register %[[U]]
  // CHECK: gpu.dealloc
  func.func @main(%a: memref<?xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %b = memref.alloc(%n) : memref<?xf32>
    %t = memref.get_global @table : memref<8xf32>
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%t : memref<8xf32>)
    func.call @called(%t) : (memref<8xf32>) -> ()
    memref.dealloc %b : memref<?xf32>
    return
  }
}

// -----

// Without kernels, memory is that of the host.
// CHECK-LABEL: func.func @alone
// CHECK-NEXT: memref.alloc
func.func @alone() {
  %a = memref.alloc() : memref<8xf32>
  return
}
