// One subgroup makes 32 x 64 elements; tiles of A and B are fetched to the caches three steps ahead.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm(%a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16>, %c: memref<4096x4096xf32>) kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 8, 4, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c96 = arith.constant 96 : index
      %c256 = arith.constant 256 : index
      %c4096 = arith.constant 4096 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %id = gpu.subgroup_id : index
      %row = arith.divui %id, %c4 : index
      %column = arith.remui %id, %c4 : index
      %group_m = arith.muli %bx, %c256 : index
      %group_n = arith.muli %by, %c256 : index
      %sub_m = arith.muli %row, %c32 : index
      %sub_n = arith.muli %column, %c64 : index
      %m = arith.addi %group_m, %sub_m : index
      %n = arith.addi %group_n, %sub_n : index
      %c_tile = xetile.init_tile %c[%m, %n] : memref<4096x4096xf32> -> !xetile.tile<32x64xf32>
      %start = arith.constant dense<0.000000e+00> : vector<32x64xf32>
      %a0 = xetile.init_tile %a[%m, %c0] : memref<4096x4096xbf16> -> !xetile.tile<32x32xbf16>
      %b0 = xetile.init_tile %b[%c0, %n] : memref<4096x4096xbf16> -> !xetile.tile<32x64xbf16>
      %a_ahead0 = xetile.init_tile %a[%m, 96] : memref<4096x4096xbf16> -> !xetile.tile<32x32xbf16>
      %b_ahead0 = xetile.init_tile %b[%c96, %n] : memref<4096x4096xbf16> -> !xetile.tile<32x64xbf16>
      %5:5 = scf.for %k = %c0 to %c4096 step %c32 iter_args(%at = %a0, %bt = %b0, %sum = %start, %ap = %a_ahead0, %bp = %b_ahead0) -> (!xetile.tile<32x32xbf16>, !xetile.tile<32x64xbf16>, vector<32x64xf32>, !xetile.tile<32x32xbf16>, !xetile.tile<32x64xbf16>) {
        xetile.prefetch_tile %ap {l1_hint = #xetile.cache_hint<cached>, l2_hint = #xetile.cache_hint<cached>} : !xetile.tile<32x32xbf16>
        xetile.prefetch_tile %bp {l1_hint = #xetile.cache_hint<cached>, l2_hint = #xetile.cache_hint<uncached>, l3_hint = #xetile.cache_hint<cached>} : !xetile.tile<32x64xbf16>
        %av = xetile.load_tile %at {l1_hint = #xetile.cache_hint<streaming>} : !xetile.tile<32x32xbf16> -> vector<32x32xbf16>
        %bv = xetile.load_tile %bt : !xetile.tile<32x64xbf16> -> vector<32x64xbf16>
        %next = xetile.tile_mma %av, %bv, %sum : vector<32x32xbf16>, vector<32x64xbf16>, vector<32x64xf32> -> vector<32x64xf32>
        %at1 = xetile.update_tile_offset %at, [%c0, %c32] : !xetile.tile<32x32xbf16>
        %bt1 = xetile.update_tile_offset %bt, [%c32, %c0] : !xetile.tile<32x64xbf16>
        %ap1 = xetile.update_tile_offset %ap, [%c0, %c32] : !xetile.tile<32x32xbf16>
        %bp1 = xetile.update_tile_offset %bp, [%c32, %c0] : !xetile.tile<32x64xbf16>
        scf.yield %at1, %bt1, %next, %ap1, %bp1 : !xetile.tile<32x32xbf16>, !xetile.tile<32x64xbf16>, vector<32x64xf32>, !xetile.tile<32x32xbf16>, !xetile.tile<32x64xbf16>
      } {prefetch_distance = 3 : i64}
      xetile.store_tile %5#2, %c_tile {l1_hint = #xetile.cache_hint<write_back>} : vector<32x64xf32>, !xetile.tile<32x64xf32>
      gpu.return
    }
  }
}
