// C = scale_a * scale_b * ((A - zero) x B), i8 to f32. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
// Rows of A and columns of B have scales; the zero point of A, times the sums of B's columns, comes ready made.
!tile_a = !xetile.tile<16x32xi8>
!tile_b = !xetile.tile<32x16xi8>
!tile_row = !xetile.tile<1x16xi32>
!tile_row_f32 = !xetile.tile<1x16xf32>
!tile_col_f32 = !xetile.tile<16x1xf32>
!tile_c_f32 = !xetile.tile<16x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x64xi8>, %b: memref<64x32xi8>, %zero_point: memref<1x32xi32>,
                 %scale_a: memref<64x1xf32>, %scale_b: memref<1x32xf32>, %c: memref<64x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c16 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xetile.init_tile %a[%m, 0] : memref<64x64xi8> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n] : memref<64x32xi8> -> !tile_b
    %zero = arith.constant dense<0> : vector<16x16xi32>
    %result:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<16x16xi32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<16x32xi8>
      %vb = xetile.load_tile %tb : !tile_b -> vector<32x16xi8>
      %na = xetile.update_tile_offset %ta, [%c0, %c32] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c32, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc
          : vector<16x32xi8>, vector<32x16xi8>, vector<16x16xi32> -> vector<16x16xi32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xi32>
    }
    %tzeros = xetile.init_tile %zero_point[0, %n] : memref<1x32xi32> -> !tile_row
    %vzeros = xetile.load_tile %tzeros : !tile_row -> vector<1x16xi32>
    %zeros = xetile.broadcast %vzeros [0] : vector<1x16xi32> -> vector<16x16xi32>
    %difference = arith.subi %result#2, %zeros : vector<16x16xi32>
    %float = arith.sitofp %difference : vector<16x16xi32> to vector<16x16xf32>
    %tcolumn_scales = xetile.init_tile %scale_b[0, %n] : memref<1x32xf32> -> !tile_row_f32
    %vcolumn_scales = xetile.load_tile %tcolumn_scales : !tile_row_f32 -> vector<1x16xf32>
    %column_scales = xetile.broadcast %vcolumn_scales [0] : vector<1x16xf32> -> vector<16x16xf32>
    %trow_scales = xetile.init_tile %scale_a[%m, 0] : memref<64x1xf32> -> !tile_col_f32
    %vrow_scales = xetile.load_tile %trow_scales : !tile_col_f32 -> vector<16x1xf32>
    %row_scales = xetile.broadcast %vrow_scales [1] : vector<16x1xf32> -> vector<16x16xf32>
    %by_columns = arith.mulf %float, %column_scales : vector<16x16xf32>
    %by_rows = arith.mulf %by_columns, %row_scales : vector<16x16xf32>
    %tc = xetile.init_tile %c[%m, %n] : memref<64x32xf32> -> !tile_c_f32
    xetile.store_tile %by_rows, %tc : vector<16x16xf32>, !tile_c_f32
    gpu.return
  }
}
