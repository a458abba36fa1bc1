// A step of heat flow on a grid of 50x60 that is surrounded by zeros: y = x + 0.25 * (above + below + left + right - 4
// * x). Neighbours are blocks that start one row or column off; boundary checks make what lies outside of the grid zero
// and keep stores inside.
!tile = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels {
  gpu.func @stencil(%x: memref<50x60xf32>, %y: memref<50x60xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 7, 1>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %four = arith.constant dense<4.0> : vector<8x16xf32>
    %quarter = arith.constant dense<0.25> : vector<8x16xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c8 : index
    %j = arith.muli %bx, %c16 : index
    %i_above = arith.subi %i, %c1 : index
    %i_below = arith.addi %i, %c1 : index
    %j_left = arith.subi %j, %c1 : index
    %j_right = arith.addi %j, %c1 : index
    %tx = xegpu.create_nd_tdesc %x[%i, %j] : memref<50x60xf32> -> !tile
    %t_above = xegpu.create_nd_tdesc %x[%i_above, %j] : memref<50x60xf32> -> !tile
    %t_below = xegpu.create_nd_tdesc %x[%i_below, %j] : memref<50x60xf32> -> !tile
    %t_left = xegpu.create_nd_tdesc %x[%i, %j_left] : memref<50x60xf32> -> !tile
    %t_right = xegpu.create_nd_tdesc %x[%i, %j_right] : memref<50x60xf32> -> !tile
    %ty = xegpu.create_nd_tdesc %y[%i, %j] : memref<50x60xf32> -> !tile
    %v = xegpu.load_nd %tx : !tile -> vector<8x16xf32>
    %above = xegpu.load_nd %t_above : !tile -> vector<8x16xf32>
    %below = xegpu.load_nd %t_below : !tile -> vector<8x16xf32>
    %left = xegpu.load_nd %t_left : !tile -> vector<8x16xf32>
    %right = xegpu.load_nd %t_right : !tile -> vector<8x16xf32>
    %vertical = arith.addf %above, %below : vector<8x16xf32>
    %horizontal = arith.addf %left, %right : vector<8x16xf32>
    %around = arith.addf %vertical, %horizontal : vector<8x16xf32>
    %four_times = arith.mulf %four, %v : vector<8x16xf32>
    %flow = arith.subf %around, %four_times : vector<8x16xf32>
    %change = arith.mulf %quarter, %flow : vector<8x16xf32>
    %new = arith.addf %v, %change : vector<8x16xf32>
    xegpu.store_nd %new, %ty : vector<8x16xf32>, !tile
    gpu.return
  }
}
