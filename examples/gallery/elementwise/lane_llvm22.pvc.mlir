// y = max(x * scale + bias, 0) on bf16, in f32: 16 work-items hold a column of eight values each. A column has one
// scale, so each work-item has its own; the biases of the rows are the same for all. XeGPU of LLVM 22, PVC.
!tile = !xegpu.tensor_desc<8x16xbf16>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @elementwise(%x: memref<64x128xbf16>, %scale: memref<1x128xf32>, %bias: memref<64x1xf32>,
                        %y: memref<64x128xbf16>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 8, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c8 : index
    %j = arith.muli %bx, %c16 : index
    %lane = gpu.lane_id
    %column = arith.addi %j, %lane : index
    %tx = xegpu.create_nd_tdesc %x : memref<64x128xbf16> -> !tile
    %ty = xegpu.create_nd_tdesc %y : memref<64x128xbf16> -> !tile
    %v = xegpu.load_nd %tx[%i, %j] : !tile -> vector<8xbf16>
    %own = memref.load %scale[%c0, %column] : memref<1x128xf32>
    %scales = vector.broadcast %own : f32 to vector<8xf32>
    %biases = scf.for %r = %c0 to %c8 step %c1 iter_args(%all = %zero) -> (vector<8xf32>) {
      %row = arith.addi %i, %r : index
      %b = memref.load %bias[%row, %c0] : memref<64x1xf32>
      %next = vector.insert %b, %all[%r] : f32 into vector<8xf32>
      scf.yield %next : vector<8xf32>
    }
    %wide = arith.extf %v : vector<8xbf16> to vector<8xf32>
    %product = arith.mulf %wide, %scales : vector<8xf32>
    %sum = arith.addf %product, %biases : vector<8xf32>
    %cut = arith.maximumf %sum, %zero : vector<8xf32>
    %narrow = arith.truncf %cut : vector<8xf32> to vector<8xbf16>
    xegpu.store_nd %narrow, %ty[%i, %j] : vector<8xbf16>, !tile
    gpu.return
  }
}
