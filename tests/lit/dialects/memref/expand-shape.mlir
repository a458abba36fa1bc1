// The spelling of older releases, whose result has the sizes.
// RUN: XEGPU_ROUNDTRIP
func.func @f(%m: memref<64xf32>) {
  // CHECK: memref.expand_shape %m [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %r = memref.expand_shape %m [[0, 1]] : memref<64xf32> into memref<8x8xf32>
  return
}
