// Flash attention in which query i sees the keys up to i (causal): hidden scores become negative infinity, whose
// exponential is zero. A work-group has 16 queries; its loop ends with the last key that any of them sees. Query and
// key numbers are computed from vector.step, and each subgroup computes its own.
#queries = #xetile.wg_map<sg_layout = [2, 1], sg_data = [8, 32]>
#block = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 32]>
#keys = #xetile.wg_map<sg_layout = [2, 1], sg_data = [32, 16]>
#scores = #xetile.wg_map<sg_layout = [2, 1], sg_data = [8, 16]>
!queries = !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #queries>>
!block = !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #block>>
!result = !xetile.tile<16x32xf32, #xetile.tile_attr<wg_map = #queries>>
gpu.module @kernels {
  gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>, %o: memref<32x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 2, 1, 1>,
                  known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %scale = arith.constant dense<0.17677669> : vector<16x16xf32>
    %none = arith.constant dense<0.0> : vector<16x16xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<16x1xf32>
    %no_weight = arith.constant dense<0.0> : vector<16x1xf32>
    %nothing = arith.constant dense<0.0> : vector<16x32xf32>
    %block = gpu.block_id x
    %row = arith.muli %block, %c16 : index
    %end = arith.addi %row, %c16 : index
    %infinity = arith.constant dense<0xFF800000> : vector<16x16xf32>
    %query_step = vector.step : vector<16xindex>
    %key_step = vector.step : vector<16xindex>
    %rows = vector.broadcast %row : index to vector<16xindex>
    %query = arith.addi %rows, %query_step : vector<16xindex>
    %query_column = vector.shape_cast %query : vector<16xindex> to vector<16x1xindex>
    %query_numbers = vector.broadcast %query_column : vector<16x1xindex> to vector<16x16xindex>
    %tq = xetile.init_tile %q[%row, %c0] : memref<32x32xf16> -> !queries
    %queries = xetile.load_tile %tq : !queries -> vector<16x32xf16>
    %first_k = xetile.init_tile %k[%c0, %c0] : memref<48x32xf16> -> !block
    %first_v = xetile.init_tile %v[%c0, %c0] : memref<48x32xf16> -> !block
    %all:5 = scf.for %j = %c0 to %end step %c16
        iter_args(%tk = %first_k, %tv = %first_v, %m = %lowest, %l = %no_weight, %acc = %nothing)
        -> (!block, !block, vector<16x1xf32>, vector<16x1xf32>, vector<16x32xf32>) {
      %keys = xetile.load_tile %tk : !block -> vector<16x32xf16>
      %turned = xetile.transpose %keys, [1, 0] : vector<16x32xf16> -> vector<32x16xf16>
      %products = xetile.tile_mma %queries, %turned, %none {wg_map_a = #queries, wg_map_b = #keys, wg_map_c = #scores}
          : vector<16x32xf16>, vector<32x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
      %all_scores = arith.mulf %products, %scale : vector<16x16xf32>
      %js = vector.broadcast %j : index to vector<16xindex>
      %key = arith.addi %js, %key_step : vector<16xindex>
      %key_numbers = vector.broadcast %key : vector<16xindex> to vector<16x16xindex>
      %hidden = arith.cmpi ugt, %key_numbers, %query_numbers : vector<16x16xindex>
      %scores = arith.select %hidden, %infinity, %all_scores : vector<16x16xi1>, vector<16x16xf32>
      %top = xetile.reduction <maximumf>, %scores [1] : vector<16x16xf32> -> vector<16x1xf32>
      %next_m = arith.maximumf %m, %top : vector<16x1xf32>
      %tops = xetile.broadcast %next_m [1] : vector<16x1xf32> -> vector<16x16xf32>
      %d = arith.subf %scores, %tops : vector<16x16xf32>
      %weights = math.exp %d : vector<16x16xf32>
      %growth = arith.subf %m, %next_m : vector<16x1xf32>
      %factor = math.exp %growth : vector<16x1xf32>
      %sum = xetile.reduction <add>, %weights [1] : vector<16x16xf32> -> vector<16x1xf32>
      %old_l = arith.mulf %l, %factor : vector<16x1xf32>
      %next_l = arith.addf %old_l, %sum : vector<16x1xf32>
      %factors = xetile.broadcast %factor [1] : vector<16x1xf32> -> vector<16x32xf32>
      %old_acc = arith.mulf %acc, %factors : vector<16x32xf32>
      %narrow = arith.truncf %weights : vector<16x16xf32> to vector<16x16xf16>
      %values = xetile.load_tile %tv : !block -> vector<16x32xf16>
      %next_acc = xetile.tile_mma %narrow, %values, %old_acc
          {wg_map_a = #scores, wg_map_b = #block, wg_map_c = #queries}
          : vector<16x16xf16>, vector<16x32xf16>, vector<16x32xf32> -> vector<16x32xf32>
      %next_k = xetile.update_tile_offset %tk, [%c16, %c0] : !block
      %next_v = xetile.update_tile_offset %tv, [%c16, %c0] : !block
      scf.yield %next_k, %next_v, %next_m, %next_l, %next_acc
          : !block, !block, vector<16x1xf32>, vector<16x1xf32>, vector<16x32xf32>
    }
    %sums = xetile.broadcast %all#3 [1] : vector<16x1xf32> -> vector<16x32xf32>
    %result = arith.divf %all#4, %sums : vector<16x32xf32>
    %to = xetile.init_tile %o[%row, %c0] : memref<32x32xf32> -> !result
    xetile.store_tile %result, %to : vector<16x32xf32>, !result
    gpu.return
  }
}
