// y = max(x * scale + bias, 0) on bf16, in f32the 8 work-items hold a column of 8 values each. A column has one scale,
// so each work-item has its own; the biases of the rows are scalars, the same for all.
#map = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!tile = !xegpu.tensor_desc<8x8xbf16, #map>
!scale = !xegpu.tensor_desc<8xf32, #map>
gpu.module @kernels {
  gpu.func @elementwise(%x: memref<64x128xbf16>, %scale: memref<1x128xf32>, %bias: memref<64x1xf32>,
                        %y: memref<64x128xbf16>)
      kernel attributes {known_block_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 16, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c8 : index
    %j = arith.muli %bx, %c8 : index
    %tx = xegpu.create_nd_tdesc %x[%i, %j] : memref<64x128xbf16> -> !tile
    %ts = xegpu.create_nd_tdesc %scale[0, %j] : memref<1x128xf32> -> !scale
    %ty = xegpu.create_nd_tdesc %y[%i, %j] : memref<64x128xbf16> -> !tile
    %v = xegpu.load_nd %tx : !tile -> vector<8x1xbf16>
    %s = xegpu.load_nd %ts : !scale -> vector<1x1xf32>
    %own = vector.extract %s[0, 0] : f32 from vector<1x1xf32>
    %scales = vector.broadcast %own : f32 to vector<8x1xf32>
    %biases = scf.for %r = %c0 to %c8 step %c1 iter_args(%all = %zero) -> (vector<8x1xf32>) {
      %row = arith.addi %i, %r : index
      %b = memref.load %bias[%row, %c0] : memref<64x1xf32>
      %next = vector.insert %b, %all[%r, 0] : f32 into vector<8x1xf32>
      scf.yield %next : vector<8x1xf32>
    }
    %wide = arith.extf %v : vector<8x1xbf16> to vector<8x1xf32>
    %product = arith.mulf %wide, %scales : vector<8x1xf32>
    %sum = arith.addf %product, %biases : vector<8x1xf32>
    %cut = arith.maximumf %sum, %zero : vector<8x1xf32>
    %narrow = arith.truncf %cut : vector<8x1xf32> to vector<8x1xbf16>
    xegpu.store_nd %narrow, %ty : vector<8x1xbf16>, !tile
    gpu.return
  }
}
