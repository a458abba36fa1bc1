// RUN: XEGPU_INVALID

func.func @f(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error@+1 {{expected 3 indexing maps, but got 0}}
  linalg.matmul indexing_maps = [] ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @f(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error@+1 {{takes two operands and one result}}
  linalg.matmul ins(%a : memref<4x5xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @f(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  // expected-error@+1 {{takes two operands and one result}}
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>)
  return
}

// -----

func.func @f(%a: memref<4x5xf16>, %b: memref<5x6xf16>, %c: memref<4x6xbf16>) {
  // expected-error@+1 {{cannot convert f16 to bf16, which has as many bits}}
  linalg.matmul ins(%a, %b : memref<4x5xf16>, memref<5x6xf16>) outs(%c : memref<4x6xbf16>)
  return
}

// -----

func.func @f(%a: memref<4x5xf32>, %b: memref<4x6xf32>, %c: memref<4x6xf32>) {
  // expected-error@+1 {{dimension #1 to be 5, but found 6}}
  linalg.matmul_transpose_b ins(%a, %b : memref<4x5xf32>, memref<4x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @f(%a: memref<4x5xindex>, %b: memref<4x6xf32>, %c: memref<4x6xf32>) {
  // expected-error@+1 {{takes elements of integer or floating-point type, not index}}
  linalg.matmul_transpose_b ins(%a, %b : memref<4x5xindex>, memref<4x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @f(%a: memref<4x5xf32>, %b: memref<4x6xf32>, %c: memref<4x6xf32>) {
  // expected-error@+1 {{expected an array of affine maps}}
  linalg.matmul indexing_maps = [3, 4, 5] ins(%a, %b : memref<4x5xf32>, memref<4x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @f(%a: memref<1x4x4x2xf16>, %c: memref<1x2x2x4xf32>) {
  // expected-error@+1 {{takes an image, a filter and one result}}
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a : memref<1x4x4x2xf16>) outs(%c : memref<1x2x2x4xf32>)
  return
}

// -----

func.func @f(%a: memref<4xi32>) {
  // expected-error@+1 {{'linalg.elemwise_unary' op has no 'exp' of i32}}
  linalg.elemwise_unary ins(%a : memref<4xi32>) outs(%a : memref<4xi32>)
  return
}

// -----

func.func @f(%a: memref<4xf32>) {
  // expected-error@+1 {{'linalg.elemwise_binary' op expected 2 operands and one result, got 2 values}}
  linalg.elemwise_binary ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  return
}
