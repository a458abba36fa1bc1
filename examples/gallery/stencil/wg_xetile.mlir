// A step of heat flow on a grid of 50x60 that is surrounded by zeros: y = x + 0.25 * (above + below + left + right - 4
// * x). Four subgroups share a tile of 16x32; neighbours are tiles that start one row or column off, and each subgroup
// loads of them what its own part of the result needs.
#map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [8, 16]>
!tile = !xetile.tile<16x32xf32, #xetile.tile_attr<wg_map = #map>>
gpu.module @kernels {
  gpu.func @stencil(%x: memref<50x60xf32>, %y: memref<50x60xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                  known_grid_size = array<i32: 2, 4, 1>} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %four = arith.constant dense<4.0> : vector<16x32xf32>
    %quarter = arith.constant dense<0.25> : vector<16x32xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c16 : index
    %j = arith.muli %bx, %c32 : index
    %i_above = arith.subi %i, %c1 : index
    %i_below = arith.addi %i, %c1 : index
    %j_left = arith.subi %j, %c1 : index
    %j_right = arith.addi %j, %c1 : index
    %tx = xetile.init_tile %x[%i, %j] : memref<50x60xf32> -> !tile
    %t_above = xetile.init_tile %x[%i_above, %j] : memref<50x60xf32> -> !tile
    %t_below = xetile.init_tile %x[%i_below, %j] : memref<50x60xf32> -> !tile
    %t_left = xetile.init_tile %x[%i, %j_left] : memref<50x60xf32> -> !tile
    %t_right = xetile.init_tile %x[%i, %j_right] : memref<50x60xf32> -> !tile
    %ty = xetile.init_tile %y[%i, %j] : memref<50x60xf32> -> !tile
    %v = xetile.load_tile %tx : !tile -> vector<16x32xf32>
    %above = xetile.load_tile %t_above : !tile -> vector<16x32xf32>
    %below = xetile.load_tile %t_below : !tile -> vector<16x32xf32>
    %left = xetile.load_tile %t_left : !tile -> vector<16x32xf32>
    %right = xetile.load_tile %t_right : !tile -> vector<16x32xf32>
    %vertical = arith.addf %above, %below : vector<16x32xf32>
    %horizontal = arith.addf %left, %right : vector<16x32xf32>
    %around = arith.addf %vertical, %horizontal : vector<16x32xf32>
    %four_times = arith.mulf %four, %v : vector<16x32xf32>
    %flow = arith.subf %around, %four_times : vector<16x32xf32>
    %change = arith.mulf %quarter, %flow : vector<16x32xf32>
    %new = arith.addf %v, %change : vector<16x32xf32>
    xetile.store_tile %new, %ty : vector<16x32xf32>, !tile
    gpu.return
  }
}
