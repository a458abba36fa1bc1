// RUN: xegpu-opt %s -p arith-promote-integers --split-input-file | filecheck %s
// RUN: not xegpu-opt %s --target pvc --split-input-file 2>&1 | filecheck %s --check-prefix=REFUSED

// Widths that registers hold, and code of the host.
// CHECK: arith.addi %{{.*}}, %{{.*}} : i24
func.func @host(%a: i24) -> i24 {
  %b = arith.addi %a, %a : i24
  return %b : i24
}
gpu.module @kernels {
  // CHECK: arith.addi %{{.*}}, %{{.*}} : i16
  gpu.func @held(%a: i16) kernel {
    %b = arith.addi %a, %a : i16
    gpu.return
  }
}

// -----

// The caller decides how many bytes an argument has.
gpu.module @kernels {
  // CHECK: gpu.func @argument(%{{.*}}: i24, 
  // REFUSED: i24
  gpu.func @argument(%a: i24, %p: !llvm.ptr<1>) kernel {
    %b = arith.extui %a : i24 to i32
    llvm.store %b, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}

// -----

// Other operations take no such integers, and are refused with the kernel as it was written.
gpu.module @kernels {
  gpu.func @element(%m: memref<4xi4>, %i: index, %p: !llvm.ptr<1>) kernel {
    // CHECK: memref.load %{{.*}} : memref<4xi4>
    %a = memref.load %m[%i] : memref<4xi4>
    // CHECK: arith.extui %{{.*}} : i4 to i32
    // REFUSED: i4
    %b = arith.extui %a : i4 to i32
    llvm.store %b, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
