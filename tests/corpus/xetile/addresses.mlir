// Matrices behind plain addresses, row-major and column-major, with a lane map that XeGPU is to keep.
gpu.module @kernels {
  gpu.func @copy(%from: i64, %to: ui64, %h: index, %w: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c1 = arith.constant 1 : index
    %i = index.constant 16
    %in = xetile.init_tile %from[%i, 32], [%h, %w], [%w, 1] : i64 -> !xetile.tile<16x32xf32>
    %turned = xetile.init_tile %from[%i, 32], [%h, %w], [1, %h] : i64 -> !xetile.tile<16x32xf32, #xetile.tile_attr<order = [0, 1]>>
    %out = xetile.init_tile %to[0, 0], [128, 64], [64, 1] : ui64 -> !xetile.tile<16x32xf32, #xetile.tile_attr<sg_map = <wi_layout = [1, 16], wi_data = [1, 1]>>>
    %x = xetile.load_tile %in : !xetile.tile<16x32xf32> -> vector<16x32xf32>
    %y = xetile.load_tile %turned : !xetile.tile<16x32xf32, #xetile.tile_attr<order = [0, 1]>> -> vector<16x32xf32>
    %sum = arith.addf %x, %y : vector<16x32xf32>
    xetile.store_tile %sum, %out : vector<16x32xf32>, !xetile.tile<16x32xf32, #xetile.tile_attr<sg_map = <wi_layout = [1, 16], wi_data = [1, 1]>>>
    gpu.return
  }
}
