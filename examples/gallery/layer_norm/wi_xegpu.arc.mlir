// Layer normalisation of rows of 64 values in f16, computed in f32: (x - mean) / sqrt(variance + epsilon) * gain +
// shift. Each of 8 work-items has four pairs of neighbouring columns, their gains and their shifts; gpu.subgroup_reduce
// adds up a row.
!tile = !xegpu.tensor_desc<1x64xf16, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>>
!row = !xegpu.tensor_desc<64xf32, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>>
gpu.module @kernels {
  gpu.func @layer_norm(%x: memref<32x64xf16>, %gain: memref<1x64xf32>, %shift: memref<1x64xf32>, %y: memref<32x64xf16>)
      kernel attributes {known_block_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %n = arith.constant 64.0 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %block = gpu.block_id x
    %first = arith.muli %block, %c4 : index
    %tg = xegpu.create_nd_tdesc %gain[0, 0] : memref<1x64xf32> -> !row
    %ts = xegpu.create_nd_tdesc %shift[0, 0] : memref<1x64xf32> -> !row
    %g = xegpu.load_nd %tg : !row -> vector<4x2xf32>
    %s = xegpu.load_nd %ts : !row -> vector<4x2xf32>
    scf.for %k = %c0 to %c4 step %c1 {
      %i = arith.addi %first, %k : index
      %tx = xegpu.create_nd_tdesc %x[%i, 0] : memref<32x64xf16> -> !tile
      %narrow = xegpu.load_nd %tx : !tile -> vector<4x2xf16>
      %v = arith.extf %narrow : vector<4x2xf16> to vector<4x2xf32>
      %zero = arith.constant 0.0 : f32
      %own = vector.multi_reduction <add>, %v, %zero [0, 1] : vector<4x2xf32> to f32
      %sum = gpu.subgroup_reduce add %own : (f32) -> f32
      %mean = arith.divf %sum, %n : f32
      %means = vector.broadcast %mean : f32 to vector<4x2xf32>
      %d = arith.subf %v, %means : vector<4x2xf32>
      %squares = arith.mulf %d, %d : vector<4x2xf32>
      %own_squares = vector.multi_reduction <add>, %squares, %zero [0, 1] : vector<4x2xf32> to f32
      %square_sum = gpu.subgroup_reduce add %own_squares : (f32) -> f32
      %variance = arith.divf %square_sum, %n : f32
      %safe = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %safe : f32
      %factors = vector.broadcast %factor : f32 to vector<4x2xf32>
      %normal = arith.mulf %d, %factors : vector<4x2xf32>
      %result = vector.fma %normal, %g, %s : vector<4x2xf32>
      %w = arith.truncf %result : vector<4x2xf32> to vector<4x2xf16>
      %ty = xegpu.create_nd_tdesc %y[%i, 0] : memref<32x64xf16> -> !tile
      xegpu.store_nd %w, %ty : vector<4x2xf16>, !tile
    }
    gpu.return
  }
}
