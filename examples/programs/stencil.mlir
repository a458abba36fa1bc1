// Heat flow on a grid of 50x60, six steps of it: a subgroup kernel in XeGPU, launched in a loop of the host.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: a kernel that is launched again and again. The two grids change places by `iter_args`, so each step
// reads what the one before has written, and nothing is copied in between. The host works on a grid with a border of
// zeros, of which `memref.subview` shows the inner part. Numbers are rounded in the same order on both sides, so not
// one of 3000 may differ: that is what `verifyMemrefF32` counts.
!tile = !xegpu.tensor_desc<8x16xf32>
module attributes {gpu.container_module} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %low = arith.constant -10.0 : f32
    %high = arith.constant 90.0 : f32
    %whole = arith.constant true
    %x = gpu.alloc host_shared () : memref<50x60xf32>
    %y = gpu.alloc host_shared () : memref<50x60xf32>
    %any_x = memref.cast %x : memref<50x60xf32> to memref<*xf32>
    call @fillResource1DRandomF32(%any_x, %low, %high, %whole) : (memref<*xf32>, f32, f32, i1) -> ()
    %expected = memref.alloc() : memref<50x60xf32>
    memref.copy %x, %expected : memref<50x60xf32> to memref<50x60xf32>

    %last:2 = scf.for %step = %c0 to %c6 step %c1 iter_args(%from = %x, %to = %y)
        -> (memref<50x60xf32>, memref<50x60xf32>) {
      gpu.launch_func @kernels::@stencil blocks in (%c4, %c7, %c1) threads in (%c1, %c1, %c1)
          args(%from : memref<50x60xf32>, %to : memref<50x60xf32>)
      func.call @step_on_the_host(%expected) : (memref<50x60xf32>) -> ()
      scf.yield %to, %from : memref<50x60xf32>, memref<50x60xf32>
    }

    %found = memref.cast %last#0 : memref<50x60xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<50x60xf32> to memref<*xf32>
    %errors = call @verifyMemrefF32(%found, %any_expected) : (memref<*xf32>, memref<*xf32>) -> i64
    // CHECK: different: 0
    vector.print str "different: "
    vector.print %errors : i64
    memref.dealloc %expected : memref<50x60xf32>
    gpu.dealloc %x : memref<50x60xf32>
    gpu.dealloc %y : memref<50x60xf32>
    return
  }

  func.func @step_on_the_host(%grid: memref<50x60xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c50 = arith.constant 50 : index
    %c60 = arith.constant 60 : index
    %zero = arith.constant 0.0 : f32
    %four = arith.constant 4.0 : f32
    %quarter = arith.constant 0.25 : f32
    %old = memref.alloca() : memref<52x62xf32>
    linalg.fill ins(%zero : f32) outs(%old : memref<52x62xf32>)
    %inside = memref.subview %old[1, 1] [50, 60] [1, 1]
        : memref<52x62xf32> to memref<50x60xf32, strided<[62, 1], offset: 63>>
    memref.copy %grid, %inside : memref<50x60xf32> to memref<50x60xf32, strided<[62, 1], offset: 63>>
    scf.parallel (%i, %j) = (%c0, %c0) to (%c50, %c60) step (%c1, %c1) {
      %i_below = arith.addi %i, %c2 : index
      %j_right = arith.addi %j, %c2 : index
      %i_here = arith.addi %i, %c1 : index
      %j_here = arith.addi %j, %c1 : index
      %v = memref.load %old[%i_here, %j_here] : memref<52x62xf32>
      %above = memref.load %old[%i, %j_here] : memref<52x62xf32>
      %below = memref.load %old[%i_below, %j_here] : memref<52x62xf32>
      %left = memref.load %old[%i_here, %j] : memref<52x62xf32>
      %right = memref.load %old[%i_here, %j_right] : memref<52x62xf32>
      %vertical = arith.addf %above, %below : f32
      %horizontal = arith.addf %left, %right : f32
      %around = arith.addf %vertical, %horizontal : f32
      %four_times = arith.mulf %four, %v : f32
      %flow = arith.subf %around, %four_times : f32
      %change = arith.mulf %quarter, %flow : f32
      %new = arith.addf %v, %change : f32
      memref.store %new, %grid[%i, %j] : memref<50x60xf32>
    }
    return
  }

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
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @verifyMemrefF32(memref<*xf32>, memref<*xf32>) -> i64 attributes {llvm.emit_c_interface}
}
