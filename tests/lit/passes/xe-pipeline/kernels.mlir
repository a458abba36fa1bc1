// RUN: xegpu-opt %s -p xe-pipeline{target=pvc} | filecheck %s
// RUN: xegpu-opt %s -p 'xe-pipeline{target=arc}' | filecheck %s --check-prefix=ARC
// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc grf_count=256}' | filecheck %s --check-prefix=LARGE
// RUN: xegpu-opt %s -p 'xe-pipeline{target=arc}' -t xe-asm | filecheck %s --check-prefix=ASM

// Every kernel of every module is compiled, functions of the host stay.
// CHECK: gpu.module @first
// CHECK: xe.kernel @copy attributes {{{.*}}grf_count = 128 : i32{{.*}}target = "pvc"
// CHECK: xe.load{{.*}} -> !xe.grf<64, 64 at
// CHECK: xe.kernel @fill attributes {{{.*}}simd_size = 16 : i32{{.*}}target = "pvc"
// CHECK: gpu.module @second
// CHECK: xe.kernel @double attributes {{{.*}}grf_count = 128 : i32
// CHECK: func.func @host

// ARC: xe.kernel @copy attributes {{{.*}}grf_count = 128 : i32{{.*}}target = "arc"
// ARC: ^bb0(%{{.*}}: !xe.grf<32, 32 at 0>
// ARC: xe.load{{.*}} -> !xe.grf<64, 32 at
// ARC: xe.kernel @fill attributes {{{.*}}simd_size = 8 : i32{{.*}}target = "arc"
// ARC: xe.kernel @double attributes {{{.*}}target = "arc"

// LARGE: xe.kernel @copy attributes {{{.*}}grf_count = 256 : i32
// LARGE: xe.kernel @fill attributes {{{.*}}grf_count = 256 : i32
// LARGE: xe.kernel @double attributes {{{.*}}grf_count = 256 : i32

// ASM: // kernel copy
// ASM: .grf 32
// ASM: load.ugm.d32x16t.a64 (1|M0) r{{[0-9]+}}:2 flat[r
// ASM: store.ugm.d32x16t.a64 (1|M0) flat[r{{[0-9]+}}]:1 r{{[0-9]+}}:2
// ASM: eot
// ASM: // kernel fill
// ASM: store.ugm.d32.a64 (8|M0)
// ASM: // kernel double
gpu.module @first {
  gpu.func @copy(%a: memref<64xf32>, %b: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %0 = xegpu.create_nd_tdesc %a[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %1 = xegpu.create_nd_tdesc %b[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %0 : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    xegpu.store_nd %v, %1 : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
  gpu.func @fill(%a: memref<64xf32>, %s: f32) kernel {
    %i = gpu.global_id x
    memref.store %s, %a[%i] : memref<64xf32>
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
