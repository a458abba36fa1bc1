// Softmax of rows, each row within one subgroup.
#map = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 64]>
#row = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 1]>
!tile = !xetile.tile<256x64xf32, #xetile.tile_attr<wg_map = #map>>
gpu.module @kernels {
  gpu.func @softmax(%x: memref<1024x64xf32>, %y: memref<1024x64xf32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %lowest = arith.constant {map = #row} dense<0xFF800000> : vector<256xf32>
    %zero = arith.constant {map = #row} dense<0.0> : vector<256xf32>
    %block = gpu.block_id x
    %m = arith.muli %block, %c256 : index
    %in = xetile.init_tile %x[%m, %c0] : memref<1024x64xf32> -> !tile
    %value = xetile.load_tile %in : !tile -> vector<256x64xf32>
    %max = vector.multi_reduction <maximumf>, %value, %lowest {map = #row} [1] : vector<256x64xf32> to vector<256xf32>
    %max_column = vector.shape_cast %max {map = #row} : vector<256xf32> to vector<256x1xf32>
    %max_all = vector.broadcast %max_column {map = #map} : vector<256x1xf32> to vector<256x64xf32>
    %shifted = arith.subf %value, %max_all {map = #map} : vector<256x64xf32>
    %power = math.exp %shifted {map = #map} : vector<256x64xf32>
    %sum = vector.multi_reduction <add>, %power, %zero {map = #row} [1] : vector<256x64xf32> to vector<256xf32>
    %sum_column = vector.shape_cast %sum {map = #row} : vector<256xf32> to vector<256x1xf32>
    %sum_all = vector.broadcast %sum_column {map = #map} : vector<256x1xf32> to vector<256x64xf32>
    %quotient = arith.divf %power, %sum_all {map = #map} : vector<256x64xf32>
    %out = xetile.init_tile %y[%m, %c0] : memref<1024x64xf32> -> !tile
    xetile.store_tile %quotient, %out : vector<256x64xf32>, !tile
    gpu.return
  }
}
