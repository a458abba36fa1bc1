// C = relu(A x B + bias), rounded to f16. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
// The bias is a row, repeated for all rows of C; what follows the product costs no trip to memory.
!tile_a = !xetile.tile<16x16xf16>
!tile_b = !xetile.tile<16x16xf16>
!tile_row = !xetile.tile<1x16xf32>
!tile_c_f16 = !xetile.tile<16x16xf16>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x32xf16>, %b: memref<32x64xf16>, %bias: memref<1x64xf32>, %c: memref<32x64xf16>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 2, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c16 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xetile.init_tile %a[%m, 0] : memref<32x32xf16> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n] : memref<32x64xf16> -> !tile_b
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<16x16xf32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<16x16xf16>
      %vb = xetile.load_tile %tb : !tile_b -> vector<16x16xf16>
      %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc
          : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xf32>
    }
    %tbias_rows = xetile.init_tile %bias[0, %n] : memref<1x64xf32> -> !tile_row
    %vbias_rows = xetile.load_tile %tbias_rows : !tile_row -> vector<1x16xf32>
    %bias_rows = xetile.broadcast %vbias_rows [0] : vector<1x16xf32> -> vector<16x16xf32>
    %sum_bias = arith.addf %result#2, %bias_rows : vector<16x16xf32>
    %relu = arith.maximumf %sum_bias, %zero : vector<16x16xf32>
    %half = arith.truncf %relu : vector<16x16xf32> to vector<16x16xf16>
    %tc = xetile.init_tile %c[%m, %n] : memref<32x64xf16> -> !tile_c_f16
    xetile.store_tile %half, %tc : vector<16x16xf16>, !tile_c_f16
    gpu.return
  }
}
