// Layer normalisation of rows of 64 values in f16, computed in f32: (x - mean) / sqrt(variance + epsilon) * gain +
// shift. Four subgroups share 16 rows, each half the columns of eight rows: sums of rows are sums of two halves. XeGPU
// of LLVM 22, PVC.
#map = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 32]>
!tile = !xegpu.tensor_desc<16x64xf16>
!row = !xegpu.tensor_desc<64xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @layer_norm(%x: memref<32x64xf16>, %gain: memref<1x64xf32>, %shift: memref<1x64xf32>, %y: memref<32x64xf16>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %rows = arith.constant 16 : index
    %n = arith.constant dense<64.0> : vector<16xf32>
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %epsilon = arith.constant dense<1.0e-5> : vector<16xf32>
    %block = gpu.block_id x
    %i = arith.muli %block, %rows : index
    %gains_of_columns = memref.collapse_shape %gain [[0, 1]] : memref<1x64xf32> into memref<64xf32>
    %shifts_of_columns = memref.collapse_shape %shift [[0, 1]] : memref<1x64xf32> into memref<64xf32>
    %tx = xegpu.create_nd_tdesc %x : memref<32x64xf16> -> !tile
    %tg = xegpu.create_nd_tdesc %gains_of_columns : memref<64xf32> -> !row
    %ts = xegpu.create_nd_tdesc %shifts_of_columns : memref<64xf32> -> !row
    %ty = xegpu.create_nd_tdesc %y : memref<32x64xf16> -> !tile
    %narrow = xegpu.load_nd %tx[%i, 0] <{layout = #map}> : !tile -> vector<16x64xf16>
    %v = arith.extf %narrow : vector<16x64xf16> to vector<16x64xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<16x64xf32> to vector<16xf32>
    %mean = arith.divf %sum, %n : vector<16xf32>
    %mean_column = vector.shape_cast %mean : vector<16xf32> to vector<16x1xf32>
    %means = vector.broadcast %mean_column : vector<16x1xf32> to vector<16x64xf32>
    %d = arith.subf %v, %means : vector<16x64xf32>
    %squares = arith.mulf %d, %d : vector<16x64xf32>
    %square_sum = vector.multi_reduction <add>, %squares, %zero [1] : vector<16x64xf32> to vector<16xf32>
    %variance = arith.divf %square_sum, %n : vector<16xf32>
    %safe = arith.addf %variance, %epsilon : vector<16xf32>
    %factor = math.rsqrt %safe : vector<16xf32>
    %factor_column = vector.shape_cast %factor : vector<16xf32> to vector<16x1xf32>
    %factors = vector.broadcast %factor_column : vector<16x1xf32> to vector<16x64xf32>
    %normal = arith.mulf %d, %factors : vector<16x64xf32>
    %g = xegpu.load_nd %tg[0] : !row -> vector<64xf32>
    %s = xegpu.load_nd %ts[0] : !row -> vector<64xf32>
    %gains = vector.broadcast %g : vector<64xf32> to vector<16x64xf32>
    %shifts = vector.broadcast %s : vector<64xf32> to vector<16x64xf32>
    %scaled = arith.mulf %normal, %gains : vector<16x64xf32>
    %shifted = arith.addf %scaled, %shifts : vector<16x64xf32>
    %result = arith.truncf %shifted : vector<16x64xf32> to vector<16x64xf16>
    xegpu.store_nd %result, %ty[%i, 0] <{layout = #map}> : vector<16x64xf16>, !tile
    gpu.return
  }
}
