// Blocks that arrive transposed: by elements of 32 bits, by pairs of 16, and in registers.
gpu.module @kernels {
  gpu.func @loads(%f: memref<64x64xf32>, %h: memref<64x64xf16>, %out: memref<64x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %ft = xegpu.create_nd_tdesc %f[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<16x8xf32>
    %turned = xegpu.load_nd %ft <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
    %ht = xegpu.create_nd_tdesc %h[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %pairs = xegpu.load_nd %ht <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
    %a = arith.constant dense<1.0> : vector<8x16xf16>
    %product = xegpu.dpas %a, %pairs, %turned : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
    %again = vector.transpose %product, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
    %to = xegpu.create_nd_tdesc %out[16, 8] : memref<64x64xf32> -> !xegpu.tensor_desc<16x8xf32>
    xegpu.store_nd %again, %to : vector<16x8xf32>, !xegpu.tensor_desc<16x8xf32>
    gpu.return
  }
}
