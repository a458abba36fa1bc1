// y = max(x * scale + bias, 0) on bf16, in f32: a scale for each column, a bias for each row. Subgroups that share
// columns share their scales, those that share rows their biases: the parts of wg_map wrap around.
#map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 32]>
#row = #xetile.wg_map<sg_layout = [2, 2], sg_data = [1, 32]>
#column = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 1]>
!tile = !xetile.tile<32x64xbf16, #xetile.tile_attr<wg_map = #map>>
!scale = !xetile.tile<1x64xf32, #xetile.tile_attr<wg_map = #row>>
!bias = !xetile.tile<32x1xf32, #xetile.tile_attr<wg_map = #column>>
gpu.module @kernels {
  gpu.func @elementwise(%x: memref<64x128xbf16>, %scale: memref<1x128xf32>, %bias: memref<64x1xf32>,
                        %y: memref<64x128xbf16>)
      kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                         known_grid_size = array<i32: 2, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<32x64xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c32 : index
    %j = arith.muli %bx, %c64 : index
    %tx = xetile.init_tile %x[%i, %j] : memref<64x128xbf16> -> !tile
    %ts = xetile.init_tile %scale[%c0, %j] : memref<1x128xf32> -> !scale
    %tb = xetile.init_tile %bias[%i, %c0] : memref<64x1xf32> -> !bias
    %ty = xetile.init_tile %y[%i, %j] : memref<64x128xbf16> -> !tile
    %v = xetile.load_tile %tx : !tile -> vector<32x64xbf16>
    %s = xetile.load_tile %ts : !scale -> vector<1x64xf32>
    %b = xetile.load_tile %tb : !bias -> vector<32x1xf32>
    %wide = arith.extf %v : vector<32x64xbf16> to vector<32x64xf32>
    %scales = xetile.broadcast %s [0] : vector<1x64xf32> -> vector<32x64xf32>
    %biases = xetile.broadcast %b [1] : vector<32x1xf32> -> vector<32x64xf32>
    %product = arith.mulf %wide, %scales : vector<32x64xf32>
    %sum = arith.addf %product, %biases : vector<32x64xf32>
    %cut = arith.maximumf %sum, %zero : vector<32x64xf32>
    %narrow = arith.truncf %cut : vector<32x64xf32> to vector<32x64xbf16>
    xetile.store_tile %narrow, %ty : vector<32x64xbf16>, !tile
    gpu.return
  }
}
