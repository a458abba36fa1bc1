// Layer normalisation of rows of 64 values in f16, computed in f32: (x - mean) / sqrt(variance + epsilon) * gain +
// shift. Four subgroups share 16 rows, each half the columns of eight rows: sums of rows are sums of two halves.
#map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [8, 32]>
#row = #xetile.wg_map<sg_layout = [2, 2], sg_data = [1, 32]>
!tile = !xetile.tile<16x64xf16, #xetile.tile_attr<wg_map = #map>>
!row = !xetile.tile<1x64xf32, #xetile.tile_attr<wg_map = #row>>
gpu.module @kernels {
  gpu.func @layer_norm(%x: memref<32x64xf16>, %gain: memref<1x64xf32>, %shift: memref<1x64xf32>, %y: memref<32x64xf16>)
      kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                         known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %n = arith.constant dense<64.0> : vector<16x1xf32>
    %epsilon = arith.constant dense<1.0e-5> : vector<16x1xf32>
    %block = gpu.block_id x
    %i = arith.muli %block, %c16 : index
    %tx = xetile.init_tile %x[%i, %c0] : memref<32x64xf16> -> !tile
    %tg = xetile.init_tile %gain[%c0, %c0] : memref<1x64xf32> -> !row
    %ts = xetile.init_tile %shift[%c0, %c0] : memref<1x64xf32> -> !row
    %ty = xetile.init_tile %y[%i, %c0] : memref<32x64xf16> -> !tile
    %narrow = xetile.load_tile %tx : !tile -> vector<16x64xf16>
    %v = arith.extf %narrow : vector<16x64xf16> to vector<16x64xf32>
    %sum = xetile.reduction <add>, %v [1] : vector<16x64xf32> -> vector<16x1xf32>
    %mean = arith.divf %sum, %n : vector<16x1xf32>
    %means = xetile.broadcast %mean [1] : vector<16x1xf32> -> vector<16x64xf32>
    %d = arith.subf %v, %means : vector<16x64xf32>
    %squares = arith.mulf %d, %d : vector<16x64xf32>
    %square_sum = xetile.reduction <add>, %squares [1] : vector<16x64xf32> -> vector<16x1xf32>
    %variance = arith.divf %square_sum, %n : vector<16x1xf32>
    %safe = arith.addf %variance, %epsilon : vector<16x1xf32>
    %factor = math.rsqrt %safe : vector<16x1xf32>
    %factors = xetile.broadcast %factor [1] : vector<16x1xf32> -> vector<16x64xf32>
    %normal = arith.mulf %d, %factors : vector<16x64xf32>
    %g = xetile.load_tile %tg : !row -> vector<1x64xf32>
    %s = xetile.load_tile %ts : !row -> vector<1x64xf32>
    %gains = xetile.broadcast %g [0] : vector<1x64xf32> -> vector<16x64xf32>
    %shifts = xetile.broadcast %s [0] : vector<1x64xf32> -> vector<16x64xf32>
    %scaled = arith.mulf %normal, %gains : vector<16x64xf32>
    %shifted = arith.addf %scaled, %shifts : vector<16x64xf32>
    %result = arith.truncf %shifted : vector<16x64xf32> to vector<16x64xf16>
    xetile.store_tile %result, %ty : vector<16x64xf16>, !tile
    gpu.return
  }
}
