// Layer normalisation of rows of 64 values in f16, computed in f32: (x - mean) / sqrt(variance + epsilon) * gain +
// shift. Two loads bring eight rows of a subgroup: four blocks of 8x16 in registers, a sum over two dimensions for each
// row.
!blocks = !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
!block = !xegpu.tensor_desc<8x16xf16>
!row = !xegpu.tensor_desc<64xf32>
gpu.module @kernels {
  gpu.func @layer_norm(%x: memref<32x64xf16>, %gain: memref<1x64xf32>, %shift: memref<1x64xf32>, %y: memref<32x64xf16>)
      kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 2, 1, 1>,
                         known_grid_size = array<i32: 2, 1, 1>} {
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %n = arith.constant dense<64.0> : vector<8xf32>
    %epsilon = arith.constant dense<1.0e-5> : vector<8xf32>
    %all = arith.constant dense<0.0> : vector<4x8x16xf32>
    %subgroup = gpu.global_id x
    %i = arith.muli %subgroup, %c8 : index
    %left = xegpu.create_nd_tdesc %x[%i, 0] : memref<32x64xf16> -> !blocks
    %right = xegpu.create_nd_tdesc %x[%i, 32] : memref<32x64xf16> -> !blocks
    %narrow_left = xegpu.load_nd %left : !blocks -> vector<2x8x16xf16>
    %narrow_right = xegpu.load_nd %right : !blocks -> vector<2x8x16xf16>
    %v_left = arith.extf %narrow_left : vector<2x8x16xf16> to vector<2x8x16xf32>
    %v_right = arith.extf %narrow_right : vector<2x8x16xf16> to vector<2x8x16xf32>
    %half = vector.insert_strided_slice %v_left, %all {offsets = [0, 0, 0], strides = [1, 1, 1]}
        : vector<2x8x16xf32> into vector<4x8x16xf32>
    %v = vector.insert_strided_slice %v_right, %half {offsets = [2, 0, 0], strides = [1, 1, 1]}
        : vector<2x8x16xf32> into vector<4x8x16xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [0, 2] : vector<4x8x16xf32> to vector<8xf32>
    %mean = arith.divf %sum, %n : vector<8xf32>
    %mean_column = vector.shape_cast %mean : vector<8xf32> to vector<8x1xf32>
    %means = vector.broadcast %mean_column : vector<8x1xf32> to vector<4x8x16xf32>
    %d = arith.subf %v, %means : vector<4x8x16xf32>
    %squares = arith.mulf %d, %d : vector<4x8x16xf32>
    %square_sum = vector.multi_reduction <add>, %squares, %zero [0, 2] : vector<4x8x16xf32> to vector<8xf32>
    %variance = arith.divf %square_sum, %n : vector<8xf32>
    %safe = arith.addf %variance, %epsilon : vector<8xf32>
    %factor = math.rsqrt %safe : vector<8xf32>
    %factor_column = vector.shape_cast %factor : vector<8xf32> to vector<8x1xf32>
    %factors = vector.broadcast %factor_column : vector<8x1xf32> to vector<4x8x16xf32>
    %normal = arith.mulf %d, %factors : vector<4x8x16xf32>
    %tg = xegpu.create_nd_tdesc %gain[0, 0] : memref<1x64xf32> -> !row
    %ts = xegpu.create_nd_tdesc %shift[0, 0] : memref<1x64xf32> -> !row
    %g = xegpu.load_nd %tg : !row -> vector<64xf32>
    %s = xegpu.load_nd %ts : !row -> vector<64xf32>
    %g_blocks = vector.shape_cast %g : vector<64xf32> to vector<4x1x16xf32>
    %s_blocks = vector.shape_cast %s : vector<64xf32> to vector<4x1x16xf32>
    %gains = vector.broadcast %g_blocks : vector<4x1x16xf32> to vector<4x8x16xf32>
    %shifts = vector.broadcast %s_blocks : vector<4x1x16xf32> to vector<4x8x16xf32>
    %result = vector.fma %normal, %gains, %shifts : vector<4x8x16xf32>
    %narrow = arith.truncf %result : vector<4x8x16xf32> to vector<4x8x16xf16>
    %r0 = vector.extract %narrow[0] : vector<8x16xf16> from vector<4x8x16xf16>
    %r1 = vector.extract %narrow[1] : vector<8x16xf16> from vector<4x8x16xf16>
    %r2 = vector.extract %narrow[2] : vector<8x16xf16> from vector<4x8x16xf16>
    %r3 = vector.extract %narrow[3] : vector<8x16xf16> from vector<4x8x16xf16>
    %t0 = xegpu.create_nd_tdesc %y[%i, 0] : memref<32x64xf16> -> !block
    %t1 = xegpu.create_nd_tdesc %y[%i, 16] : memref<32x64xf16> -> !block
    %t2 = xegpu.create_nd_tdesc %y[%i, 32] : memref<32x64xf16> -> !block
    %t3 = xegpu.create_nd_tdesc %y[%i, 48] : memref<32x64xf16> -> !block
    xegpu.store_nd %r0, %t0 : vector<8x16xf16>, !block
    xegpu.store_nd %r1, %t1 : vector<8x16xf16>, !block
    xegpu.store_nd %r2, %t2 : vector<8x16xf16>, !block
    xegpu.store_nd %r3, %t3 : vector<8x16xf16>, !block
    gpu.return
  }
}
