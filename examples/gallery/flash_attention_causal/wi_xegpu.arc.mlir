// Flash attention in which query i sees the keys up to i (causal): hidden scores become negative infinity, whose
// exponential is zero. A work-item has the scores of two keys, 2l and 2l + 1 of its block: it compares their numbers
// with those of the queries.
#a = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>
#b = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]>
#c = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
#turned = #xegpu.sg_map<wi_layout = [8, 1], wi_data = [1, 2]>
!queries = !xegpu.tensor_desc<8x16xf16, #a>
!keys = !xegpu.tensor_desc<8x16xf16, #turned>
!values = !xegpu.tensor_desc<16x8xf16, #b>
!result = !xegpu.tensor_desc<8x8xf32, #c>
gpu.module @kernels {
  gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>, %o: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %scale = arith.constant dense<0.17677669> : vector<8x2xf32>
    %empty = arith.constant dense<0.0> : vector<8x2xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<8x1xf32>
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %block = gpu.block_id x
    %row = arith.muli %block, %c8 : index
    %end = arith.addi %row, %c8 : index
    %lane = gpu.lane_id
    %infinity = arith.constant dense<0xFF800000> : vector<8x2xf32>
    %query_step = vector.step : vector<8xindex>
    %rows = vector.broadcast %row : index to vector<8xindex>
    %query = arith.addi %rows, %query_step : vector<8xindex>
    %query_column = vector.shape_cast %query : vector<8xindex> to vector<8x1xindex>
    %query_numbers = vector.broadcast %query_column : vector<8x1xindex> to vector<8x2xindex>
    %pair_of_lane = arith.muli %lane, %c2 : index
    %odd_step = vector.step : vector<2xindex>
    %odd = vector.broadcast %odd_step : vector<2xindex> to vector<8x2xindex>
    %pairs = memref.reinterpret_cast %k to offset: [0], sizes: [24, 64], strides: [64, 1]
        : memref<48x32xf16> to memref<24x64xf16>
    %tq0 = xegpu.create_nd_tdesc %q[%row, 0] : memref<32x32xf16> -> !queries
    %tq1 = xegpu.create_nd_tdesc %q[%row, 16] : memref<32x32xf16> -> !queries
    %q0 = xegpu.load_nd %tq0 : !queries -> vector<8x2xf16>
    %q1 = xegpu.load_nd %tq1 : !queries -> vector<8x2xf16>
    %all:6 = scf.for %j = %c0 to %end step %c16
        iter_args(%m = %lowest, %l = %zero, %acc0 = %zero, %acc1 = %zero, %acc2 = %zero, %acc3 = %zero)
        -> (vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>) {
      %pair = arith.divui %j, %c2 : index
      %teven0 = xegpu.create_nd_tdesc %pairs[%pair, 0] : memref<24x64xf16> -> !keys
      %teven1 = xegpu.create_nd_tdesc %pairs[%pair, 16] : memref<24x64xf16> -> !keys
      %todd0 = xegpu.create_nd_tdesc %pairs[%pair, 32] : memref<24x64xf16> -> !keys
      %todd1 = xegpu.create_nd_tdesc %pairs[%pair, 48] : memref<24x64xf16> -> !keys
      %even0 = xegpu.load_nd %teven0 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x2xf16>
      %even1 = xegpu.load_nd %teven1 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x2xf16>
      %odd0 = xegpu.load_nd %todd0 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x2xf16>
      %odd1 = xegpu.load_nd %todd1 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x2xf16>
      %half_even = xegpu.dpas %q0, %even0 {sg_map_a = #a, sg_map_b = #b, sg_map_c = #c}
          : vector<8x2xf16>, vector<8x2xf16> -> vector<8x1xf32>
      %products_even = xegpu.dpas %q1, %even1, %half_even {sg_map_a = #a, sg_map_b = #b, sg_map_c = #c}
          : vector<8x2xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      %half_odd = xegpu.dpas %q0, %odd0 {sg_map_a = #a, sg_map_b = #b, sg_map_c = #c}
          : vector<8x2xf16>, vector<8x2xf16> -> vector<8x1xf32>
      %products_odd = xegpu.dpas %q1, %odd1, %half_odd {sg_map_a = #a, sg_map_b = #b, sg_map_c = #c}
          : vector<8x2xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      %evens = vector.insert_strided_slice %products_even, %empty {offsets = [0, 0], strides = [1, 1]}
          : vector<8x1xf32> into vector<8x2xf32>
      %products = vector.insert_strided_slice %products_odd, %evens {offsets = [0, 1], strides = [1, 1]}
          : vector<8x1xf32> into vector<8x2xf32>
      %all_scores = arith.mulf %products, %scale : vector<8x2xf32>
      %key_pair = arith.addi %j, %pair_of_lane : index
      %key_pairs = vector.broadcast %key_pair : index to vector<8x2xindex>
      %key_numbers = arith.addi %key_pairs, %odd : vector<8x2xindex>
      %hidden = arith.cmpi ugt, %key_numbers, %query_numbers : vector<8x2xindex>
      %scores = arith.select %hidden, %infinity, %all_scores : vector<8x2xi1>, vector<8x2xf32>
      %next_m = scf.for %i = %c0 to %c8 step %c1 iter_args(%maxima = %m) -> (vector<8x1xf32>) {
        %own = vector.extract %scores[%i] : vector<2xf32> from vector<8x2xf32>
        %score = vector.reduction <maximumf>, %own : vector<2xf32> into f32
        %old = vector.extract %maxima[%i, 0] : f32 from vector<8x1xf32>
        %top = gpu.subgroup_reduce maximumf %score : (f32) -> f32
        %max = arith.maximumf %old, %top : f32
        %next = vector.insert %max, %maxima[%i, 0] : f32 into vector<8x1xf32>
        scf.yield %next : vector<8x1xf32>
      }
      %tops = vector.broadcast %next_m : vector<8x1xf32> to vector<8x2xf32>
      %d = arith.subf %scores, %tops : vector<8x2xf32>
      %weights = math.exp %d : vector<8x2xf32>
      %growth = arith.subf %m, %next_m : vector<8x1xf32>
      %factor = math.exp %growth : vector<8x1xf32>
      %old_l = arith.mulf %l, %factor : vector<8x1xf32>
      %next_l = scf.for %i = %c0 to %c8 step %c1 iter_args(%sums = %old_l) -> (vector<8x1xf32>) {
        %own = vector.extract %weights[%i] : vector<2xf32> from vector<8x2xf32>
        %weight = vector.reduction <add>, %own : vector<2xf32> into f32
        %old = vector.extract %sums[%i, 0] : f32 from vector<8x1xf32>
        %sum = gpu.subgroup_reduce add %weight : (f32) -> f32
        %new = arith.addf %old, %sum : f32
        %next = vector.insert %new, %sums[%i, 0] : f32 into vector<8x1xf32>
        scf.yield %next : vector<8x1xf32>
      }
      %narrow = arith.truncf %weights : vector<8x2xf32> to vector<8x2xf16>
      %old0 = arith.mulf %acc0, %factor : vector<8x1xf32>
      %tv0 = xegpu.create_nd_tdesc %v[%j, 0] : memref<48x32xf16> -> !values
      %values0 = xegpu.load_nd %tv0 <{packed}> : !values -> vector<8x2xf16>
      %next0 = xegpu.dpas %narrow, %values0, %old0 {sg_map_a = #a, sg_map_b = #b, sg_map_c = #c}
          : vector<8x2xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      %old1 = arith.mulf %acc1, %factor : vector<8x1xf32>
      %tv1 = xegpu.create_nd_tdesc %v[%j, 8] : memref<48x32xf16> -> !values
      %values1 = xegpu.load_nd %tv1 <{packed}> : !values -> vector<8x2xf16>
      %next1 = xegpu.dpas %narrow, %values1, %old1 {sg_map_a = #a, sg_map_b = #b, sg_map_c = #c}
          : vector<8x2xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      %old2 = arith.mulf %acc2, %factor : vector<8x1xf32>
      %tv2 = xegpu.create_nd_tdesc %v[%j, 16] : memref<48x32xf16> -> !values
      %values2 = xegpu.load_nd %tv2 <{packed}> : !values -> vector<8x2xf16>
      %next2 = xegpu.dpas %narrow, %values2, %old2 {sg_map_a = #a, sg_map_b = #b, sg_map_c = #c}
          : vector<8x2xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      %old3 = arith.mulf %acc3, %factor : vector<8x1xf32>
      %tv3 = xegpu.create_nd_tdesc %v[%j, 24] : memref<48x32xf16> -> !values
      %values3 = xegpu.load_nd %tv3 <{packed}> : !values -> vector<8x2xf16>
      %next3 = xegpu.dpas %narrow, %values3, %old3 {sg_map_a = #a, sg_map_b = #b, sg_map_c = #c}
          : vector<8x2xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      scf.yield %next_m, %next_l, %next0, %next1, %next2, %next3
          : vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>, vector<8x1xf32>
    }
    %result0 = arith.divf %all#2, %all#1 : vector<8x1xf32>
    %to0 = xegpu.create_nd_tdesc %o[%row, 0] : memref<32x32xf32> -> !result
    xegpu.store_nd %result0, %to0 : vector<8x1xf32>, !result
    %result1 = arith.divf %all#3, %all#1 : vector<8x1xf32>
    %to1 = xegpu.create_nd_tdesc %o[%row, 8] : memref<32x32xf32> -> !result
    xegpu.store_nd %result1, %to1 : vector<8x1xf32>, !result
    %result2 = arith.divf %all#4, %all#1 : vector<8x1xf32>
    %to2 = xegpu.create_nd_tdesc %o[%row, 16] : memref<32x32xf32> -> !result
    xegpu.store_nd %result2, %to2 : vector<8x1xf32>, !result
    %result3 = arith.divf %all#5, %all#1 : vector<8x1xf32>
    %to3 = xegpu.create_nd_tdesc %o[%row, 24] : memref<32x32xf32> -> !result
    xegpu.store_nd %result3, %to3 : vector<8x1xf32>, !result
    gpu.return
  }
}
