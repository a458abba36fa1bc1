// y[to[k]] = 2 * x[from[k]], where negative indices stand for "nowhere": what comes from nowhere is 1, what goes
// nowhere is dropped. A subgroup has a tile of 8x16 indices. Of scattered tiles, each element has an address and a mask
// of its own.
!indices = !xetile.tile<8x16xi32>
!elements = !xetile.tile<8x16xf32, #xetile.tile_attr<scattered = true>>
gpu.module @kernels {
  gpu.func @gather_scatter(%from: memref<8x64xi32>, %to: memref<8x64xi32>, %x: memref<700xf32>,
                           %y: memref<600xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 2, 1, 1>,
                  known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0> : vector<8x16xi32>
    %two = arith.constant dense<2.0> : vector<8x16xf32>
    %subgroup = gpu.global_id x
    %j = arith.muli %subgroup, %c16 : index
    %t_from = xetile.init_tile %from[%c0, %j] : memref<8x64xi32> -> !indices
    %t_to = xetile.init_tile %to[%c0, %j] : memref<8x64xi32> -> !indices
    %origin = xetile.load_tile %t_from : !indices -> vector<8x16xi32>
    %target = xetile.load_tile %t_to : !indices -> vector<8x16xi32>
    %comes = arith.cmpi sge, %origin, %zero : vector<8x16xi32>
    %goes = arith.cmpi sge, %target, %zero : vector<8x16xi32>
    %origins = arith.index_cast %origin : vector<8x16xi32> to vector<8x16xindex>
    %targets = arith.index_cast %target : vector<8x16xi32> to vector<8x16xindex>
    %tx = xetile.init_tile %x, %origins : memref<700xf32>, vector<8x16xindex> -> !elements
    %v = xetile.load %tx, %comes {padding = 0.5 : f32} : !elements, vector<8x16xi1> -> vector<8x16xf32>
    %w = arith.mulf %v, %two : vector<8x16xf32>
    %ty = xetile.init_tile %y, %targets : memref<600xf32>, vector<8x16xindex> -> !elements
    xetile.store %w, %ty, %goes : vector<8x16xf32>, !elements, vector<8x16xi1>
    gpu.return
  }
}
