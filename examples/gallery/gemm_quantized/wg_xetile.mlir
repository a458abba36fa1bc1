// C = scale_a * scale_b * ((A - zero) x B), i8 to f32. Work-group XeTile.
// A work-group of 2x2 subgroups computes 32x32 of C; wg_map says which part each subgroup has.
// Rows of A and columns of B have scales; the zero point of A, times the sums of B's columns, comes ready made.
#map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 32]>
#map_b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 16]>
#map_c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_row = #xetile.wg_map<sg_layout = [2, 2], sg_data = [1, 16]>
#map_col = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 1]>
!tile_a = !xetile.tile<32x32xi8, #xetile.tile_attr<wg_map = #map_a>>
!tile_b = !xetile.tile<32x32xi8, #xetile.tile_attr<wg_map = #map_b>>
!tile_row = !xetile.tile<1x32xi32, #xetile.tile_attr<wg_map = #map_row>>
!tile_row_f32 = !xetile.tile<1x32xf32, #xetile.tile_attr<wg_map = #map_row>>
!tile_col_f32 = !xetile.tile<32x1xf32, #xetile.tile_attr<wg_map = #map_col>>
!tile_c_f32 = !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #map_c>>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x64xi8>, %b: memref<64x32xi8>, %zero_point: memref<1x32xi32>,
                 %scale_a: memref<64x1xf32>, %scale_b: memref<1x32xf32>, %c: memref<64x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                  known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %a0 = xetile.init_tile %a[%m, 0] : memref<64x64xi8> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n] : memref<64x32xi8> -> !tile_b
    %zero = arith.constant dense<0> : vector<32x32xi32>
    %result:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<32x32xi32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<32x32xi8>
      %vb = xetile.load_tile %tb : !tile_b -> vector<32x32xi8>
      %na = xetile.update_tile_offset %ta, [%c0, %c32] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c32, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc {wg_map_a = #map_a, wg_map_b = #map_b, wg_map_c = #map_c}
          : vector<32x32xi8>, vector<32x32xi8>, vector<32x32xi32> -> vector<32x32xi32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<32x32xi32>
    }
    %tzeros = xetile.init_tile %zero_point[0, %n] : memref<1x32xi32> -> !tile_row
    %vzeros = xetile.load_tile %tzeros : !tile_row -> vector<1x32xi32>
    %zeros = xetile.broadcast %vzeros [0] {map = #map_c} : vector<1x32xi32> -> vector<32x32xi32>
    %difference = arith.subi %result#2, %zeros : vector<32x32xi32>
    %float = arith.sitofp %difference : vector<32x32xi32> to vector<32x32xf32>
    %tcolumn_scales = xetile.init_tile %scale_b[0, %n] : memref<1x32xf32> -> !tile_row_f32
    %vcolumn_scales = xetile.load_tile %tcolumn_scales : !tile_row_f32 -> vector<1x32xf32>
    %column_scales = xetile.broadcast %vcolumn_scales [0] {map = #map_c} : vector<1x32xf32> -> vector<32x32xf32>
    %trow_scales = xetile.init_tile %scale_a[%m, 0] : memref<64x1xf32> -> !tile_col_f32
    %vrow_scales = xetile.load_tile %trow_scales : !tile_col_f32 -> vector<32x1xf32>
    %row_scales = xetile.broadcast %vrow_scales [1] {map = #map_c} : vector<32x1xf32> -> vector<32x32xf32>
    %by_columns = arith.mulf %float, %column_scales : vector<32x32xf32>
    %by_rows = arith.mulf %by_columns, %row_scales : vector<32x32xf32>
    %tc = xetile.init_tile %c[%m, %n] : memref<64x32xf32> -> !tile_c_f32
    xetile.store_tile %by_rows, %tc : vector<32x32xf32>, !tile_c_f32
    gpu.return
  }
}
