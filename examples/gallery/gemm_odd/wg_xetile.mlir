// C = A x B with sizes that no tile divides (37x53x29), bf16. Work-group XeTile.
// A work-group of 2x2 subgroups computes 32x32 of C; wg_map says which part each subgroup has.
// What lies outside of a matrix is loaded as zero, which adds nothing, and is not stored.
#map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
!tile_a = !xetile.tile<32x16xbf16, #xetile.tile_attr<wg_map = #map_a>>
!tile_b = !xetile.tile<16x32xbf16, #xetile.tile_attr<wg_map = #map_b>>
!tile_c = !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #map_c>>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<37x29xbf16>, %b: memref<29x53xbf16>, %c: memref<37x53xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                  known_grid_size = array<i32: 2, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c29 = arith.constant 29 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %a0 = xetile.init_tile %a[%m, 0] : memref<37x29xbf16> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n] : memref<29x53xbf16> -> !tile_b
    %zero = arith.constant dense<0.0> : vector<32x32xf32>
    %result:3 = scf.for %k = %c0 to %c29 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<32x32xf32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<32x16xbf16>
      %vb = xetile.load_tile %tb : !tile_b -> vector<16x32xbf16>
      %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc {wg_map_a = #map_a, wg_map_b = #map_b, wg_map_c = #map_c}
          : vector<32x16xbf16>, vector<16x32xbf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<32x32xf32>
    }
    %tc = xetile.init_tile %c[%m, %n] : memref<37x53xf32> -> !tile_c
    xetile.store_tile %result#2, %tc : vector<32x32xf32>, !tile_c
    gpu.return
  }
}
