// A step of heat flow on a grid of 50x60 that is surrounded by zeros: y = x + 0.25 * (above + below + left + right - 4
// * x). Four subgroups share a block of 16x32; neighbours are blocks that start one row or column off. What lies
// outside reads as zero. XeGPU of LLVM 22.
#map = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 16]>
!block = !xegpu.tensor_desc<16x32xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @stencil(%x: memref<50x60xf32>, %y: memref<50x60xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 4, 1>} {
    %c1 = arith.constant 1 : index
    %rows = arith.constant 16 : index
    %columns = arith.constant 32 : index
    %four = arith.constant dense<4.0> : vector<16x32xf32>
    %quarter = arith.constant dense<0.25> : vector<16x32xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %rows : index
    %j = arith.muli %bx, %columns : index
    %i_above = arith.subi %i, %c1 : index
    %i_below = arith.addi %i, %c1 : index
    %j_left = arith.subi %j, %c1 : index
    %j_right = arith.addi %j, %c1 : index
    %tx = xegpu.create_nd_tdesc %x : memref<50x60xf32> -> !block
    %ty = xegpu.create_nd_tdesc %y : memref<50x60xf32> -> !block
    %v = xegpu.load_nd %tx[%i, %j] <{layout = #map}> : !block -> vector<16x32xf32>
    %above = xegpu.load_nd %tx[%i_above, %j] <{layout = #map}> : !block -> vector<16x32xf32>
    %below = xegpu.load_nd %tx[%i_below, %j] <{layout = #map}> : !block -> vector<16x32xf32>
    %left = xegpu.load_nd %tx[%i, %j_left] <{layout = #map}> : !block -> vector<16x32xf32>
    %right = xegpu.load_nd %tx[%i, %j_right] <{layout = #map}> : !block -> vector<16x32xf32>
    %vertical = arith.addf %above, %below : vector<16x32xf32>
    %horizontal = arith.addf %left, %right : vector<16x32xf32>
    %around = arith.addf %vertical, %horizontal : vector<16x32xf32>
    %four_times = arith.mulf %four, %v : vector<16x32xf32>
    %flow = arith.subf %around, %four_times : vector<16x32xf32>
    %change = arith.mulf %quarter, %flow : vector<16x32xf32>
    %new = arith.addf %v, %change : vector<16x32xf32>
    xegpu.store_nd %new, %ty[%i, %j] <{layout = #map}> : vector<16x32xf32>, !block
    gpu.return
  }
}
