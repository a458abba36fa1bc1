// C += A x B, f16, stream-K: all steps along K of all tiles are one stream. Work-group XeTile.
// A work-group of 2x2 subgroups computes 32x32 of C; wg_map says which part each subgroup has.
// Each group takes an equal part of the stream, wherever in a tile that begins or ends.
// atomic_rmw adds a whole tile.
#map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
!tile_a = !xetile.tile<32x16xf16, #xetile.tile_attr<wg_map = #map_a>>
!tile_b = !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #map_b>>
!tile_c = !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #map_c>>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                  known_grid_size = array<i32: 5, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %group = gpu.block_id x
    %groups = gpu.grid_dim x
    %columns = arith.constant 1 : index
    %steps = arith.constant 6 : index
    %all_steps = arith.constant 12 : index
    %next_group = arith.addi %group, %c1 : index
    %begin_share = arith.muli %group, %all_steps : index
    %begin = arith.divui %begin_share, %groups : index
    %end_share = arith.muli %next_group, %all_steps : index
    %end = arith.divui %end_share, %groups : index
    %first = arith.divui %begin, %steps : index
    %last = arith.ceildivui %end, %steps : index
    scf.for %tile = %first to %last step %c1 {
      %i = arith.divui %tile, %columns : index
      %j = arith.remui %tile, %columns : index
      %m = arith.muli %i, %c32 : index
      %n = arith.muli %j, %c32 : index
      %tile_begin = arith.muli %tile, %steps : index
      %tile_end = arith.addi %tile_begin, %steps : index
      %own_begin = arith.maxui %begin, %tile_begin : index
      %own_end = arith.minui %end, %tile_end : index
      %step0 = arith.subi %own_begin, %tile_begin : index
      %step1 = arith.subi %own_end, %tile_begin : index
      %k0 = arith.muli %step0, %c16 : index
      %k1 = arith.muli %step1, %c16 : index
      %a0 = xetile.init_tile %a[%m, %k0] : memref<64x96xf16> -> !tile_a
      %b0 = xetile.init_tile %b[%k0, %n] : memref<96x32xf16> -> !tile_b
      %zero = arith.constant dense<0.0> : vector<32x32xf32>
      %result:3 = scf.for %k = %k0 to %k1 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!tile_a, !tile_b, vector<32x32xf32>) {
        %va = xetile.load_tile %ta : !tile_a -> vector<32x16xf16>
        %vb = xetile.load_tile %tb : !tile_b -> vector<16x32xf16>
        %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
        %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
        %sum = xetile.tile_mma %va, %vb, %acc {wg_map_a = #map_a, wg_map_b = #map_b, wg_map_c = #map_c}
            : vector<32x16xf16>, vector<16x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
        scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<32x32xf32>
      }
      %tc = xetile.init_tile %c[%m, %n] : memref<64x32xf32> -> !tile_c
      %old = xetile.atomic_rmw addf %result#2, %tc : vector<32x32xf32>, !tile_c -> vector<32x32xf32>
    }
    gpu.return
  }
}
