// y = max(x * scale + bias, 0) on bf16, in f32, for a tile of 8x32 in each subgroup: a scale for each column, a bias
// for each row.
!tile = !xetile.tile<8x32xbf16>
!scale = !xetile.tile<1x32xf32>
!bias = !xetile.tile<8x1xf32>
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
    %tx = xetile.init_tile %x[%i, %j] : memref<64x128xbf16> -> !tile
    %ts = xetile.init_tile %scale[%c0, %j] : memref<1x128xf32> -> !scale
    %tb = xetile.init_tile %bias[%i, %c0] : memref<64x1xf32> -> !bias
    %ty = xetile.init_tile %y[%i, %j] : memref<64x128xbf16> -> !tile
    %v = xetile.load_tile %tx : !tile -> vector<8x32xbf16>
    %s = xetile.load_tile %ts : !scale -> vector<1x32xf32>
    %b = xetile.load_tile %tb : !bias -> vector<8x1xf32>
    %wide = arith.extf %v : vector<8x32xbf16> to vector<8x32xf32>
    %scales = xetile.broadcast %s [0] : vector<1x32xf32> -> vector<8x32xf32>
    %biases = xetile.broadcast %b [1] : vector<8x1xf32> -> vector<8x32xf32>
    %product = arith.mulf %wide, %scales : vector<8x32xf32>
    %sum = arith.addf %product, %biases : vector<8x32xf32>
    %cut = arith.maximumf %sum, %zero : vector<8x32xf32>
    %narrow = arith.truncf %cut : vector<8x32xf32> to vector<8x32xbf16>
    xetile.store_tile %narrow, %ty : vector<8x32xbf16>, !tile
    gpu.return
  }
}
