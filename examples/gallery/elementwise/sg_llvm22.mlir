// y = max(x * scale + bias, 0) on bf16, with a scale for each column and a bias for each row.
// A subgroup has 8x32 elements. XeGPU of LLVM 22.
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @elementwise(%x: memref<64x128xbf16>, %scale: memref<1x128xf32>, %bias: memref<64x1xf32>,
                        %y: memref<64x128xbf16>)
      kernel attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 8, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<8x32xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%by]
    %j = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%bx]
    %row = memref.collapse_shape %scale [[0, 1]] : memref<1x128xf32> into memref<128xf32>
    %column = memref.collapse_shape %bias [[0, 1]] : memref<64x1xf32> into memref<64xf32>
    %tx = xegpu.create_nd_tdesc %x : memref<64x128xbf16> -> !xegpu.tensor_desc<8x32xbf16>
    %ty = xegpu.create_nd_tdesc %y : memref<64x128xbf16> -> !xegpu.tensor_desc<8x32xbf16>
    %v = xegpu.load_nd %tx[%i, %j] : !xegpu.tensor_desc<8x32xbf16> -> vector<8x32xbf16>
    %ts = xegpu.create_nd_tdesc %row : memref<128xf32> -> !xegpu.tensor_desc<32xf32>
    %s = xegpu.load_nd %ts[%j] : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %tb = xegpu.create_nd_tdesc %column : memref<64xf32> -> !xegpu.tensor_desc<8xf32>
    %b = xegpu.load_nd %tb[%i] : !xegpu.tensor_desc<8xf32> -> vector<8xf32>
    %wide = arith.extf %v : vector<8x32xbf16> to vector<8x32xf32>
    %scales = vector.broadcast %s : vector<32xf32> to vector<8x32xf32>
    %biases_column = vector.shape_cast %b : vector<8xf32> to vector<8x1xf32>
    %biases = vector.broadcast %biases_column : vector<8x1xf32> to vector<8x32xf32>
    %product = arith.mulf %wide, %scales : vector<8x32xf32>
    %sum = arith.addf %product, %biases : vector<8x32xf32>
    %cut = arith.maximumf %sum, %zero : vector<8x32xf32>
    %narrow = arith.truncf %cut : vector<8x32xf32> to vector<8x32xbf16>
    xegpu.store_nd %narrow, %ty[%i, %j] : vector<8x32xbf16>, !xegpu.tensor_desc<8x32xbf16>
    gpu.return
  }
}
