// Rows picked by a table of indices: scattered tiles with a mask for the end of the table.
#scattered = #xetile.tile_attr<scattered = true>
gpu.module @kernels {
  gpu.func @embed(%table: memref<65536xf32>, %out: memref<4096xf32>, %first: vector<1x16xindex>, %count: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %step = arith.constant dense<64> : vector<1x16xindex>
    %mask = vector.create_mask %c1, %count : vector<1x16xi1>
    %places = arith.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]> : vector<1x16xindex>
    %from = xetile.init_tile %table, %first : memref<65536xf32>, vector<1x16xindex> -> !xetile.tile<1x16xf32, #scattered>
    %to = xetile.init_tile %out, %places : memref<4096xf32>, vector<1x16xindex> -> !xetile.tile<1x16xf32, #scattered>
    %c0 = arith.constant 0 : index
    %ends:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%source = %from, %target = %to) -> (!xetile.tile<1x16xf32, #scattered>, !xetile.tile<1x16xf32, #scattered>) {
      %value = xetile.load %source, %mask {l1_hint = #xetile.cache_hint<cached>, padding = 1.000000e+00 : f32} : !xetile.tile<1x16xf32, #scattered>, vector<1x16xi1> -> vector<1x16xf32>
      xetile.store %value, %target, %mask {l1_hint = #xetile.cache_hint<write_through>} : vector<1x16xf32>, !xetile.tile<1x16xf32, #scattered>, vector<1x16xi1>
      %source_next = xetile.update_tile_offset %source, %step : !xetile.tile<1x16xf32, #scattered>, vector<1x16xindex>
      %target_next = xetile.update_tile_offset %target, %step : !xetile.tile<1x16xf32, #scattered>, vector<1x16xindex>
      scf.yield %source_next, %target_next : !xetile.tile<1x16xf32, #scattered>, !xetile.tile<1x16xf32, #scattered>
    }
    gpu.return
  }
}
