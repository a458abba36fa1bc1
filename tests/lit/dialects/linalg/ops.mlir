// Products of named operations whose result has another type than their operands.
// RUN: XEGPU_ROUNDTRIP

// CHECK-LABEL: func.func @products
func.func @products(%a0: memref<f16>, %a1: memref<?xf16>, %a2: memref<?x?xf16>, %a3: memref<?x?x?xf16>, %c0: memref<f32>, %c1: memref<?xf32>, %c2: memref<?x?xf32>, %c3: memref<?x?x?xf32>) {
  // CHECK: linalg.matmul ins(%a2, %a2 : memref<?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  linalg.matmul ins(%a2, %a2 : memref<?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  // CHECK-NEXT: linalg.matmul_transpose_a ins(%a2, %a2 : memref<?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  linalg.matmul_transpose_a ins(%a2, %a2 : memref<?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  // CHECK-NEXT: linalg.matmul_transpose_b ins(%a2, %a2 : memref<?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  linalg.matmul_transpose_b ins(%a2, %a2 : memref<?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  // CHECK-NEXT: linalg.batch_matmul ins(%a3, %a3 : memref<?x?x?xf16>, memref<?x?x?xf16>) outs(%c3 : memref<?x?x?xf32>)
  linalg.batch_matmul ins(%a3, %a3 : memref<?x?x?xf16>, memref<?x?x?xf16>) outs(%c3 : memref<?x?x?xf32>)
  // CHECK-NEXT: linalg.batch_matmul_transpose_a ins(%a3, %a3 : memref<?x?x?xf16>, memref<?x?x?xf16>) outs(%c3 : memref<?x?x?xf32>)
  linalg.batch_matmul_transpose_a ins(%a3, %a3 : memref<?x?x?xf16>, memref<?x?x?xf16>) outs(%c3 : memref<?x?x?xf32>)
  // CHECK-NEXT: linalg.batch_matmul_transpose_b ins(%a3, %a3 : memref<?x?x?xf16>, memref<?x?x?xf16>) outs(%c3 : memref<?x?x?xf32>)
  linalg.batch_matmul_transpose_b ins(%a3, %a3 : memref<?x?x?xf16>, memref<?x?x?xf16>) outs(%c3 : memref<?x?x?xf32>)
  // CHECK-NEXT: linalg.batch_reduce_matmul ins(%a3, %a3 : memref<?x?x?xf16>, memref<?x?x?xf16>) outs(%c2 : memref<?x?xf32>)
  linalg.batch_reduce_matmul ins(%a3, %a3 : memref<?x?x?xf16>, memref<?x?x?xf16>) outs(%c2 : memref<?x?xf32>)
  // CHECK-NEXT: linalg.matvec ins(%a2, %a1 : memref<?x?xf16>, memref<?xf16>) outs(%c1 : memref<?xf32>)
  linalg.matvec ins(%a2, %a1 : memref<?x?xf16>, memref<?xf16>) outs(%c1 : memref<?xf32>)
  // CHECK-NEXT: linalg.vecmat ins(%a1, %a2 : memref<?xf16>, memref<?x?xf16>) outs(%c1 : memref<?xf32>)
  linalg.vecmat ins(%a1, %a2 : memref<?xf16>, memref<?x?xf16>) outs(%c1 : memref<?xf32>)
  // CHECK-NEXT: linalg.batch_matvec ins(%a3, %a2 : memref<?x?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  linalg.batch_matvec ins(%a3, %a2 : memref<?x?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  // CHECK-NEXT: linalg.dot ins(%a1, %a1 : memref<?xf16>, memref<?xf16>) outs(%c0 : memref<f32>)
  linalg.dot ins(%a1, %a1 : memref<?xf16>, memref<?xf16>) outs(%c0 : memref<f32>)
  // CHECK-NEXT: linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a2, %a2 : memref<?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a2, %a2 : memref<?x?xf16>, memref<?x?xf16>) outs(%c2 : memref<?x?xf32>)
  return
}

// CHECK-LABEL: func.func @convolution
func.func @convolution(%image: memref<1x?x?x2xf16>, %filter: memref<3x3x2x4xf16>, %map: memref<1x?x?x4xf32>) {
  // CHECK: linalg.conv_2d_nhwc_hwcf
  // CHECK-SAME: ins(%image, %filter : memref<1x?x?x2xf16>, memref<3x3x2x4xf16>) outs(%map : memref<1x?x?x4xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%image, %filter : memref<1x?x?x2xf16>, memref<3x3x2x4xf16>) outs(%map : memref<1x?x?x4xf32>)
  return
}

// The elementwise operations of LLVM 19.
// CHECK-LABEL: func.func @elemwise
func.func @elemwise(%a: memref<?x?xf16>, %x: f32, %c: memref<?x?xf32>) {
  // CHECK-NEXT: linalg.elemwise_unary ins(%a : memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  linalg.elemwise_unary ins(%a : memref<?x?xf16>) outs(%c : memref<?x?xf32>)
  // CHECK-NEXT: linalg.elemwise_binary {cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.binary_fn<mul>} ins(%a, %x : memref<?x?xf16>, f32) outs(%c : memref<?x?xf32>)
  linalg.elemwise_binary {cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.binary_fn<mul>} ins(%a, %x : memref<?x?xf16>, f32) outs(%c : memref<?x?xf32>)
  return
}
