// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' -t xe-asm | filecheck %s
// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' -t zebin -o %t.zebin
// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' -t zebin > %t.stdout && diff %t.zebin %t.stdout
// RUN: zebin-dump %t.zebin | filecheck %s --check-prefix=ZEBIN
// RUN: xegpu-opt %s --target pvc -t zebin | diff %t.zebin -
// RUN: xegpu-opt %S/Inputs/launch.mlir --target arc -t zebin | zebin-dump --kernels - | filecheck %s --check-prefix=LAUNCH
// RUN: not xegpu-opt %s -t zebin 2>&1 | filecheck %s --check-prefix=UNCOMPILED

// CHECK: // kernel copy
// CHECK: .grf 64
// CHECK: // kernel double
// CHECK: .grf 64

// ZEBIN-DAG: copy
// ZEBIN-DAG: double

// LAUNCH: start_kernel

// UNCOMPILED: output-formats.mlir:{{.*}}: error: 'builtin.module' op contains no compiled kernel: add --target pvc

gpu.module @first {
  gpu.func @copy(%a: memref<64xf32>, %b: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %0 = xegpu.create_nd_tdesc %a[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %1 = xegpu.create_nd_tdesc %b[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %0 : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    xegpu.store_nd %v, %1 : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
gpu.module @second {
  gpu.func @double(%a: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %0 = xegpu.create_nd_tdesc %a[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %0 : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %w = arith.addf %v, %v : vector<16xf32>
    xegpu.store_nd %w, %0 : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
func.func @host() {
  return
}
