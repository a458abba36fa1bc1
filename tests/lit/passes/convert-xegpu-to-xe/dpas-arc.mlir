// RUN: xegpu-opt %s -p 'convert-xegpu-to-xe{target=arc}' | filecheck %s

// The matrix engine of ARC has eight columns. There are no messages for blocks: rows come by gathers, in registers of 32 bytes.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @product
  // CHECK-SAME: simd_size = 1 : i32, target = "arc"
  // CHECK-NOT: block2d
  // CHECK: xe.load {{.*}}exec_size = 16 : i32, message = #xe.message<{{.*}}size = d16u32>
  // CHECK: xe.dpas({{.*}} {exec_size = 8 : i32, reads = [#xe.read<f>, #xe.read<hf>, #xe.read<hf>], repeat = 8 : i32, write = #xe.write<f>} -> !xe.grf<256, 32>
  // CHECK: xe.store {{.*}}exec_size = 8 : i32, message = #xe.message<{{.*}}size = d32>
  // CHECK-NOT: block2d
  // CHECK: xe.eot
  gpu.func @product(%a: memref<8x16xf16>, %b: memref<16x8xf16>, %c: memref<8x8xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x8xf16> -> !xegpu.tensor_desc<16x8xf16>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x8xf32> -> !xegpu.tensor_desc<8x8xf32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x8xf16> -> vector<8x8x2xf16>
    %vc = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<8x8x2xf16> -> vector<8x8xf32>
    xegpu.store_nd %vc, %tc : vector<8x8xf32>, !xegpu.tensor_desc<8x8xf32>
    gpu.return
  }
}
