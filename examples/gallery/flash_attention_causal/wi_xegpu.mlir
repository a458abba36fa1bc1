// Flash attention in which query i sees the keys up to i (causal): hidden scores become negative infinity, whose
// exponential is zero. A work-item has the scores of one key: it compares the key's number with those of the queries,
// which all work-items know.
#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#turned = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>
!queries = !xegpu.tensor_desc<8x16xf16, #a>
!keys = !xegpu.tensor_desc<16x16xf16, #turned>
!values = !xegpu.tensor_desc<16x16xf16, #b>
!result = !xegpu.tensor_desc<8x16xf32, #a>
gpu.module @kernels {
  gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>, %o: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %scale = arith.constant dense<0.17677669> : vector<8x1xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<8x1xf32>
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %block = gpu.block_id x
    %row = arith.muli %block, %c8 : index
    %end = arith.addi %row, %c8 : index
    %lane = gpu.lane_id
    %infinity = arith.constant dense<0xFF800000> : vector<8x1xf32>
    %query_step = vector.step : vector<8xindex>
    %rows = vector.broadcast %row : index to vector<8xindex>
    %query = arith.addi %rows, %query_step : vector<8xindex>
    %query_column = vector.shape_cast %query : vector<8xindex> to vector<8x1xindex>
    %tq0 = xegpu.create_nd_tdesc %q[%row, 0] : memref<32x32xf16> -> !queries
    %tq1 = xegpu.create_nd_tdesc %q[%row, 16] : memref<32x32xf16> -> !queries
    %q0 = xegpu.load_nd %tq0 : !queries -> vector<8x1xf16>
    %q1 = xegpu.load_nd %tq1 : !queries -> vector<8x1xf16>
    %all:4 = scf.for %j = %c0 to %end step %c16 iter_args(%m = %lowest, %l = %zero, %acc0 = %zero, %acc1 = %zero)
        -> (vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>) {
      %tk0 = xegpu.create_nd_tdesc %k[%j, 0] : memref<48x32xf16> -> !keys
      %tk1 = xegpu.create_nd_tdesc %k[%j, 16] : memref<48x32xf16> -> !keys
      %keys0 = xegpu.load_nd %tk0 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x2xf16>
      %keys1 = xegpu.load_nd %tk1 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x2xf16>
      %half = xegpu.dpas %q0, %keys0 {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a}
          : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
      %products = xegpu.dpas %q1, %keys1, %half {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a}
          : vector<8x1xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      %all_scores = arith.mulf %products, %scale : vector<8x1xf32>
      %key = arith.addi %j, %lane : index
      %key_numbers = vector.broadcast %key : index to vector<8x1xindex>
      %hidden = arith.cmpi ugt, %key_numbers, %query_column : vector<8x1xindex>
      %scores = arith.select %hidden, %infinity, %all_scores : vector<8x1xi1>, vector<8x1xf32>
      %next_m = scf.for %i = %c0 to %c8 step %c1 iter_args(%maxima = %m) -> (vector<8x1xf32>) {
        %score = vector.extract %scores[%i, 0] : f32 from vector<8x1xf32>
        %old = vector.extract %maxima[%i, 0] : f32 from vector<8x1xf32>
        %top = gpu.subgroup_reduce maximumf %score : (f32) -> f32
        %max = arith.maximumf %old, %top : f32
        %next = vector.insert %max, %maxima[%i, 0] : f32 into vector<8x1xf32>
        scf.yield %next : vector<8x1xf32>
      }
      %d = arith.subf %scores, %next_m : vector<8x1xf32>
      %weights = math.exp %d : vector<8x1xf32>
      %growth = arith.subf %m, %next_m : vector<8x1xf32>
      %factor = math.exp %growth : vector<8x1xf32>
      %old_l = arith.mulf %l, %factor : vector<8x1xf32>
      %next_l = scf.for %i = %c0 to %c8 step %c1 iter_args(%sums = %old_l) -> (vector<8x1xf32>) {
        %weight = vector.extract %weights[%i, 0] : f32 from vector<8x1xf32>
        %old = vector.extract %sums[%i, 0] : f32 from vector<8x1xf32>
        %sum = gpu.subgroup_reduce add %weight : (f32) -> f32
        %new = arith.addf %old, %sum : f32
        %next = vector.insert %new, %sums[%i, 0] : f32 into vector<8x1xf32>
        scf.yield %next : vector<8x1xf32>
      }
      %old0 = arith.mulf %acc0, %factor : vector<8x1xf32>
      %old1 = arith.mulf %acc1, %factor : vector<8x1xf32>
      %narrow = arith.truncf %weights : vector<8x1xf32> to vector<8x1xf16>
      %tv0 = xegpu.create_nd_tdesc %v[%j, 0] : memref<48x32xf16> -> !values
      %tv1 = xegpu.create_nd_tdesc %v[%j, 16] : memref<48x32xf16> -> !values
      %values0 = xegpu.load_nd %tv0 <{packed}> : !values -> vector<8x2xf16>
      %values1 = xegpu.load_nd %tv1 <{packed}> : !values -> vector<8x2xf16>
      %next0 = xegpu.dpas %narrow, %values0, %old0 {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a}
          : vector<8x1xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      %next1 = xegpu.dpas %narrow, %values1, %old1 {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a}
          : vector<8x1xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      scf.yield %next_m, %next_l, %next0, %next1 : vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>
    }
    %result0 = arith.divf %all#2, %all#1 : vector<8x1xf32>
    %result1 = arith.divf %all#3, %all#1 : vector<8x1xf32>
    %to0 = xegpu.create_nd_tdesc %o[%row, 0] : memref<32x32xf32> -> !result
    %to1 = xegpu.create_nd_tdesc %o[%row, 16] : memref<32x32xf32> -> !result
    xegpu.store_nd %result0, %to0 : vector<8x1xf32>, !result
    xegpu.store_nd %result1, %to1 : vector<8x1xf32>, !result
    gpu.return
  }
}
