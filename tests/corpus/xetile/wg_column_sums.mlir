// Sums of columns across subgroups: local sums first, then the partial sums change hands by convert_layout.
#whole = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 32]>
#partial = #xetile.wg_map<sg_layout = [8, 4], sg_data = [1, 32]>
#columns = #xetile.wg_map<sg_layout = [1, 32], sg_data = [8, 4]>
#sums = #xetile.wg_map<sg_layout = [1, 32], sg_data = [1, 4]>
gpu.module @kernels {
  gpu.func @column_sums(%x: memref<256x128xf32>, %y: memref<1x128xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %zero_parts = arith.constant {map = #partial} dense<0.0> : vector<8x128xf32>
    %zero_sums = arith.constant {map = #sums} dense<0.0> : vector<128xf32>
    %tile = xetile.init_tile %x[%c0, %c0] : memref<256x128xf32> -> !xetile.tile<256x128xf32, #xetile.tile_attr<wg_map = #whole>>
    %value = xetile.load_tile %tile : !xetile.tile<256x128xf32, #xetile.tile_attr<wg_map = #whole>> -> vector<256x128xf32>
    %split = vector.shape_cast %value {map = #whole} : vector<256x128xf32> to vector<8x32x128xf32>
    %parts = vector.multi_reduction <add>, %split, %zero_parts {map = #partial} [1] : vector<8x32x128xf32> to vector<8x128xf32>
    %moved = xetile.convert_layout %parts {wg_map_result = #columns, wg_map_source = #partial} : vector<8x128xf32>
    %sum = vector.multi_reduction <add>, %moved, %zero_sums {map = #sums} [0] : vector<8x128xf32> to vector<128xf32>
    %row = vector.shape_cast %sum {map = #sums} : vector<128xf32> to vector<1x128xf32>
    %out = xetile.init_tile %y[0, 0] : memref<1x128xf32> -> !xetile.tile<1x128xf32, #xetile.tile_attr<wg_map = #sums>>
    xetile.store_tile %row, %out : vector<1x128xf32>, !xetile.tile<1x128xf32, #xetile.tile_attr<wg_map = #sums>>
    gpu.return
  }
}
