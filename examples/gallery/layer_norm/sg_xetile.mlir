// Layer normalisation of rows of 64 values in f16, computed in f32: (x - mean) / sqrt(variance + epsilon) * gain +
// shift. Each subgroup has eight rows. Gains and shifts are one row, which broadcast repeats.
!tile = !xetile.tile<8x64xf16>
!row = !xetile.tile<1x64xf32>
gpu.module @kernels {
  gpu.func @layer_norm(%x: memref<32x64xf16>, %gain: memref<1x64xf32>, %shift: memref<1x64xf32>, %y: memref<32x64xf16>)
      kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                         known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %n = arith.constant dense<64.0> : vector<8x1xf32>
    %epsilon = arith.constant dense<1.0e-5> : vector<8x1xf32>
    %block = gpu.block_id x
    %i = arith.muli %block, %c8 : index
    %tx = xetile.init_tile %x[%i, %c0] : memref<32x64xf16> -> !tile
    %tg = xetile.init_tile %gain[%c0, %c0] : memref<1x64xf32> -> !row
    %ts = xetile.init_tile %shift[%c0, %c0] : memref<1x64xf32> -> !row
    %ty = xetile.init_tile %y[%i, %c0] : memref<32x64xf16> -> !tile
    %narrow = xetile.load_tile %tx : !tile -> vector<8x64xf16>
    %v = arith.extf %narrow : vector<8x64xf16> to vector<8x64xf32>
    %sum = xetile.reduction <add>, %v [1] : vector<8x64xf32> -> vector<8x1xf32>
    %mean = arith.divf %sum, %n : vector<8x1xf32>
    %means = xetile.broadcast %mean [1] : vector<8x1xf32> -> vector<8x64xf32>
    %d = arith.subf %v, %means : vector<8x64xf32>
    %squares = arith.mulf %d, %d : vector<8x64xf32>
    %square_sum = xetile.reduction <add>, %squares [1] : vector<8x64xf32> -> vector<8x1xf32>
    %variance = arith.divf %square_sum, %n : vector<8x1xf32>
    %safe = arith.addf %variance, %epsilon : vector<8x1xf32>
    %factor = math.rsqrt %safe : vector<8x1xf32>
    %factors = xetile.broadcast %factor [1] : vector<8x1xf32> -> vector<8x64xf32>
    %normal = arith.mulf %d, %factors : vector<8x64xf32>
    %g = xetile.load_tile %tg : !row -> vector<1x64xf32>
    %s = xetile.load_tile %ts : !row -> vector<1x64xf32>
    %gains = xetile.broadcast %g [0] : vector<1x64xf32> -> vector<8x64xf32>
    %shifts = xetile.broadcast %s [0] : vector<1x64xf32> -> vector<8x64xf32>
    %scaled = arith.mulf %normal, %gains : vector<8x64xf32>
    %shifted = arith.addf %scaled, %shifts : vector<8x64xf32>
    %result = arith.truncf %shifted : vector<8x64xf32> to vector<8x64xf16>
    xetile.store_tile %result, %ty : vector<8x64xf16>, !tile
    gpu.return
  }
}
