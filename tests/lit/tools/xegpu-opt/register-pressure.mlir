// RUN: xegpu-opt %s -p xe-pipeline{target=pvc} --print-register-pressure -o %t 2>&1 | filecheck %s
// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --print-register-pressure -o %t 2>&1 | filecheck %s --check-prefix=BEFORE
// RUN: xegpu-opt %s --print-register-pressure -o %t 2>&1 | filecheck %s --check-prefix=NONE --allow-empty

// Two vectors of four registers each and the addresses; the passes of the pipeline move the load and free one place.
// CHECK:      kernel 'sum': at most 9 registers live, at {{.*}}register-pressure.mlir:20:10; 10 of 128 used, 0 bytes spilled
// BEFORE:     kernel 'sum': at most 9.2 registers live, at {{.*}}register-pressure.mlir:21:10

// Only the header that every thread starts with.
// CHECK-NEXT: kernel 'empty': at most 1 registers live, at {{.*}}register-pressure.mlir:26:3; 1 of 128 used, 0 bytes spilled

// Modules without `xe.kernel` have nothing to show.
// NONE-NOT: kernel

gpu.module @kernels {
  gpu.func @sum(%a: memref<64xf32>, %b: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %ta = xegpu.create_nd_tdesc %a[%c0] : memref<64xf32> -> !xegpu.tensor_desc<64xf32>
    %tb = xegpu.create_nd_tdesc %b[%c0] : memref<64xf32> -> !xegpu.tensor_desc<64xf32>
    %x = xegpu.load_nd %ta : !xegpu.tensor_desc<64xf32> -> vector<64xf32>
    %y = xegpu.load_nd %tb : !xegpu.tensor_desc<64xf32> -> vector<64xf32>
    %s = arith.addf %x, %y : vector<64xf32>
    xegpu.store_nd %s, %tb : vector<64xf32>, !xegpu.tensor_desc<64xf32>
    gpu.return
  }
  gpu.func @empty() kernel {
    gpu.return
  }
}
