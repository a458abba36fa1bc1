// y[to[k]] = 2 * x[from[k]], where negative indices stand for "nowhere": what comes from nowhere is 1, what goes
// nowhere is dropped. Four subgroups share the indices. Scattered tiles have a wg_map like others; an address and a
// mask go with each element.
#map = #xetile.wg_map<sg_layout = [4, 1], sg_data = [2, 32]>
!indices = !xetile.tile<8x32xi32, #xetile.tile_attr<wg_map = #map>>
!elements = !xetile.tile<8x32xf32, #xetile.tile_attr<wg_map = #map, scattered = true>>
gpu.module @kernels {
  gpu.func @gather_scatter(%from: memref<8x64xi32>, %to: memref<8x64xi32>, %x: memref<700xf32>,
                           %y: memref<600xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                  known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0> : vector<8x32xi32>
    %two = arith.constant dense<2.0> : vector<8x32xf32>
    %block = gpu.block_id x
    %j = arith.muli %block, %c32 : index
    %t_from = xetile.init_tile %from[%c0, %j] : memref<8x64xi32> -> !indices
    %t_to = xetile.init_tile %to[%c0, %j] : memref<8x64xi32> -> !indices
    %origin = xetile.load_tile %t_from : !indices -> vector<8x32xi32>
    %target = xetile.load_tile %t_to : !indices -> vector<8x32xi32>
    %comes = arith.cmpi sge, %origin, %zero : vector<8x32xi32>
    %goes = arith.cmpi sge, %target, %zero : vector<8x32xi32>
    %origins = arith.index_cast %origin : vector<8x32xi32> to vector<8x32xindex>
    %targets = arith.index_cast %target : vector<8x32xi32> to vector<8x32xindex>
    %tx = xetile.init_tile %x, %origins : memref<700xf32>, vector<8x32xindex> -> !elements
    %v = xetile.load %tx, %comes {padding = 0.5 : f32} : !elements, vector<8x32xi1> -> vector<8x32xf32>
    %w = arith.mulf %v, %two : vector<8x32xf32>
    %ty = xetile.init_tile %y, %targets : memref<600xf32>, vector<8x32xindex> -> !elements
    xetile.store %w, %ty, %goes : vector<8x32xf32>, !elements, vector<8x32xi1>
    gpu.return
  }
}
