// RUN: xegpu-opt %s -p xetile-canonicalization --split-input-file | filecheck %s

// Operations on matrices become those of XeTile, with what users attached to them; the accumulator comes last.
gpu.module @m {
  gpu.func @matrices(%x: memref<64x64xf32>, %number: f32) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
    %v = xetile.load_tile %t : !xetile.tile<8x16xf32> -> vector<8x16xf32>
    %start = arith.constant dense<2.0> : vector<8xf32>
    %max = vector.multi_reduction <maximumf>, %v, %start {note = "kept"} [1] : vector<8x16xf32> to vector<8xf32>
    %column = vector.shape_cast %max : vector<8xf32> to vector<8x1xf32>
    %columns = vector.broadcast %column : vector<8x1xf32> to vector<8x16xf32>
    %row = arith.constant dense<3.0> : vector<16xf32>
    %rows = vector.broadcast %row : vector<16xf32> to vector<8x16xf32>
    %product = vector.multi_reduction <mul>, %v, %number [0, 1] : vector<8x16xf32> to f32
    %numbers = vector.broadcast %product : f32 to vector<8x16xf32>
    %turned = vector.transpose %v, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
    %back = xetile.transpose %turned, [1, 0] : vector<16x8xf32> -> vector<8x16xf32>
    %a = arith.addf %columns, %rows : vector<8x16xf32>
    %b = arith.addf %a, %numbers : vector<8x16xf32>
    %c = arith.addf %b, %back : vector<8x16xf32>
    xetile.store_tile %c, %t : vector<8x16xf32>, !xetile.tile<8x16xf32>
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @matrices
// CHECK: [[MAX:%.*]] = xetile.reduction <maximumf>, %v [1] {note = "kept"} : vector<8x16xf32> -> vector<8x1xf32>
// CHECK-NEXT: [[CAST:%.*]] = vector.shape_cast [[MAX]] : vector<8x1xf32> to vector<8xf32>
// CHECK-NEXT: %max = arith.maximumf [[CAST]], %start : vector<8xf32>
// CHECK: %columns = xetile.broadcast %column [1] : vector<8x1xf32> -> vector<8x16xf32>
// CHECK: [[ROW:%.*]] = vector.shape_cast %row : vector<16xf32> to vector<1x16xf32>
// CHECK-NEXT: %rows = xetile.broadcast [[ROW]] [0] : vector<1x16xf32> -> vector<8x16xf32>
// CHECK-NEXT: [[PRODUCT:%.*]] = xetile.reduction <mul>, %v [0, 1] : vector<8x16xf32> -> vector<1x1xf32>
// CHECK-NEXT: [[NUMBER:%.*]] = vector.extract [[PRODUCT]][0, 0] : f32 from vector<1x1xf32>
// CHECK-NEXT: %product = arith.mulf [[NUMBER]], %number : f32
// CHECK-NEXT: %numbers = vector.broadcast %product : f32 to vector<8x16xf32>
// CHECK-NEXT: %a = arith.addf %columns, %rows : vector<8x16xf32>
// CHECK: %c = arith.addf %b, %v : vector<8x16xf32>

// -----

// Kernels without tiles, and vectors that are no matrices, stay as they are.
gpu.module @m {
  gpu.func @none(%v: vector<8x16xf32>) kernel {
    %turned = vector.transpose %v, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
    gpu.return
  }
  gpu.func @others(%v: vector<2x8x16xf32>, %x: memref<64x64xf32>) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
    %turned = vector.transpose %v, [0, 2, 1] : vector<2x8x16xf32> to vector<2x16x8xf32>
    xetile.prefetch_tile %t : !xetile.tile<8x16xf32>
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @none
// CHECK: vector.transpose %v, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
// CHECK-LABEL: gpu.func @others
// CHECK: vector.transpose %v, [0, 2, 1] : vector<2x8x16xf32> to vector<2x16x8xf32>
