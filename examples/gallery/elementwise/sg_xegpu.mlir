// y = max(x * scale + bias, 0) on bf16, in f32, for 8x32 values in each subgroup. Scales come as a 1-D block, which
// vector.broadcast repeats for each row; biases, too, and a shape_cast stands them upright.
!tile = !xegpu.tensor_desc<8x32xbf16>
!scale = !xegpu.tensor_desc<32xf32>
!bias = !xegpu.tensor_desc<8xf32>
gpu.module @kernels {
  gpu.func @elementwise(%x: memref<64x128xbf16>, %scale: memref<1x128xf32>, %bias: memref<64x1xf32>,
                        %y: memref<64x128xbf16>)
      kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                         known_grid_size = array<i32: 4, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : vector<8x32xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c8 : index
    %j = arith.muli %bx, %c32 : index
    %biases_in_a_row = memref.reinterpret_cast %bias to offset: [0], sizes: [64], strides: [1]
        : memref<64x1xf32> to memref<64xf32>
    %tx = xegpu.create_nd_tdesc %x[%i, %j] : memref<64x128xbf16> -> !tile
    %ts = xegpu.create_nd_tdesc %scale[0, %j] : memref<1x128xf32> -> !scale
    %tb = xegpu.create_nd_tdesc %biases_in_a_row[%i] : memref<64xf32> -> !bias
    %ty = xegpu.create_nd_tdesc %y[%i, %j] : memref<64x128xbf16> -> !tile
    %v = xegpu.load_nd %tx : !tile -> vector<8x32xbf16>
    %s = xegpu.load_nd %ts : !scale -> vector<32xf32>
    %b = xegpu.load_nd %tb : !bias -> vector<8xf32>
    %wide = arith.extf %v : vector<8x32xbf16> to vector<8x32xf32>
    %scales = vector.broadcast %s : vector<32xf32> to vector<8x32xf32>
    %column = vector.shape_cast %b : vector<8xf32> to vector<8x1xf32>
    %biases = vector.broadcast %column : vector<8x1xf32> to vector<8x32xf32>
    %product = arith.mulf %wide, %scales : vector<8x32xf32>
    %sum = arith.addf %product, %biases : vector<8x32xf32>
    %cut = arith.maximumf %sum, %zero : vector<8x32xf32>
    %narrow = arith.truncf %cut : vector<8x32xf32> to vector<8x32xbf16>
    xegpu.store_nd %narrow, %ty : vector<8x32xbf16>, !tile
    gpu.return
  }
}
