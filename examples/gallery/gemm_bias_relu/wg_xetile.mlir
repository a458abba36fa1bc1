// C = relu(A x B + bias), rounded to f16. Work-group XeTile.
// A work-group of 2x2 subgroups computes 32x32 of C; wg_map says which part each subgroup has.
// The bias is a row, repeated for all rows of C; what follows the product costs no trip to memory.
#map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_row = #xetile.wg_map<sg_layout = [2, 2], sg_data = [1, 16]>
!tile_a = !xetile.tile<32x16xf16, #xetile.tile_attr<wg_map = #map_a>>
!tile_b = !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #map_b>>
!tile_row = !xetile.tile<1x32xf32, #xetile.tile_attr<wg_map = #map_row>>
!tile_c_f16 = !xetile.tile<32x32xf16, #xetile.tile_attr<wg_map = #map_c>>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x32xf16>, %b: memref<32x64xf16>, %bias: memref<1x64xf32>, %c: memref<32x64xf16>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                  known_grid_size = array<i32: 1, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %a0 = xetile.init_tile %a[%m, 0] : memref<32x32xf16> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n] : memref<32x64xf16> -> !tile_b
    %zero = arith.constant dense<0.0> : vector<32x32xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<32x32xf32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<32x16xf16>
      %vb = xetile.load_tile %tb : !tile_b -> vector<16x32xf16>
      %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc {wg_map_a = #map_a, wg_map_b = #map_b, wg_map_c = #map_c}
          : vector<32x16xf16>, vector<16x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<32x32xf32>
    }
    %tbias_rows = xetile.init_tile %bias[0, %n] : memref<1x64xf32> -> !tile_row
    %vbias_rows = xetile.load_tile %tbias_rows : !tile_row -> vector<1x32xf32>
    %bias_rows = xetile.broadcast %vbias_rows [0] {map = #map_c} : vector<1x32xf32> -> vector<32x32xf32>
    %sum_bias = arith.addf %result#2, %bias_rows : vector<32x32xf32>
    %relu = arith.maximumf %sum_bias, %zero : vector<32x32xf32>
    %half = arith.truncf %relu : vector<32x32xf32> to vector<32x32xf16>
    %tc = xetile.init_tile %c[%m, %n] : memref<32x64xf16> -> !tile_c_f16
    xetile.store_tile %half, %tc : vector<32x32xf16>, !tile_c_f16
    gpu.return
  }
}
