// A step of heat flow on a grid of 50x60 that is surrounded by zeros: y = x + 0.25 * (above + below + left + right - 4
// * x). Each of 8 work-items has a column of ten values: its eight, and one above and one below. What is left and right
// of them is with the neighbours, which gpu.shuffle asks, but for the first and last work-item, which load the edges
// themselves.
#map = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!read = !xegpu.tensor_desc<10x8xf32, #map>
!write = !xegpu.tensor_desc<8x8xf32, #map>
gpu.module @kernels {
  gpu.func @stencil(%x: memref<50x60xf32>, %y: memref<50x60xf32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 7, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c50 = arith.constant 50 : index
    %c60 = arith.constant 60 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 8 : i32
    %zero = arith.constant 0.0 : f32
    %none = arith.constant dense<0.0> : vector<8xf32>
    %four = arith.constant dense<4.0> : vector<8xf32>
    %quarter = arith.constant dense<0.25> : vector<8xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %lane = gpu.lane_id
    %i = arith.muli %by, %c8 : index
    %j = arith.muli %bx, %c8 : index
    %i_above = arith.subi %i, %c1 : index
    %tx = xegpu.create_nd_tdesc %x[%i_above, %j] : memref<50x60xf32> -> !read
    %ty = xegpu.create_nd_tdesc %y[%i, %j] : memref<50x60xf32> -> !write
    %fragment = xegpu.load_nd %tx : !read -> vector<10x1xf32>
    %column = vector.shape_cast %fragment : vector<10x1xf32> to vector<10xf32>
    %v = vector.extract_strided_slice %column {offsets = [1], sizes = [8], strides = [1]}
        : vector<10xf32> to vector<8xf32>
    %above = vector.extract_strided_slice %column {offsets = [0], sizes = [8], strides = [1]}
        : vector<10xf32> to vector<8xf32>
    %below = vector.extract_strided_slice %column {offsets = [2], sizes = [8], strides = [1]}
        : vector<10xf32> to vector<8xf32>
    %c7 = arith.constant 7 : index
    %is_first = arith.cmpi eq, %lane, %c0 : index
    %is_last = arith.cmpi eq, %lane, %c7 : index
    %at_edge = arith.ori %is_first, %is_last : i1
    %j_left = arith.subi %j, %c1 : index
    %j_right = arith.addi %j, %c8 : index
    %j_edge = arith.select %is_first, %j_left, %j_right : index
    %inside_below = arith.cmpi sge, %j_edge, %c0 : index
    %inside_above = arith.cmpi slt, %j_edge, %c60 : index
    %inside = arith.andi %inside_below, %inside_above : i1
    %loads = arith.andi %at_edge, %inside : i1
    %sides:2 = scf.for %r = %c0 to %c8 step %c1
        iter_args(%lefts = %none, %rights = %none) -> (vector<8xf32>, vector<8xf32>) {
      %row = arith.addi %i, %r : index
      %in_grid = arith.cmpi slt, %row, %c50 : index
      %reads = arith.andi %loads, %in_grid : i1
      %edge = scf.if %reads -> (f32) {
        %e = memref.load %x[%row, %j_edge] : memref<50x60xf32>
        scf.yield %e : f32
      } else {
        scf.yield %zero : f32
      }
      %own = vector.extract %v[%r] : f32 from vector<8xf32>
      %from_left, %has_left = gpu.shuffle up %own, %one, %width : f32
      %from_right, %has_right = gpu.shuffle down %own, %one, %width : f32
      %left = arith.select %has_left, %from_left, %edge : f32
      %right = arith.select %has_right, %from_right, %edge : f32
      %next_lefts = vector.insert %left, %lefts[%r] : f32 into vector<8xf32>
      %next_rights = vector.insert %right, %rights[%r] : f32 into vector<8xf32>
      scf.yield %next_lefts, %next_rights : vector<8xf32>, vector<8xf32>
    }
    %vertical = arith.addf %above, %below : vector<8xf32>
    %horizontal = arith.addf %sides#0, %sides#1 : vector<8xf32>
    %around = arith.addf %vertical, %horizontal : vector<8xf32>
    %four_times = arith.mulf %four, %v : vector<8xf32>
    %flow = arith.subf %around, %four_times : vector<8xf32>
    %change = arith.mulf %quarter, %flow : vector<8xf32>
    %new = arith.addf %v, %change : vector<8xf32>
    %result = vector.shape_cast %new : vector<8xf32> to vector<8x1xf32>
    xegpu.store_nd %result, %ty : vector<8x1xf32>, !write
    gpu.return
  }
}
