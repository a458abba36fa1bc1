// Flash attention in which query i sees the keys up to i (causal): hidden scores become negative infinity, whose
// exponential is zero. The loop ends with the last key that any of the eight queries sees. Query and key numbers are
// computed from vector.step.
!queries = !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
!keys = !xegpu.tensor_desc<16x16xf16>
!values = !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
!result = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels {
  gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>, %o: memref<32x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %scale = arith.constant dense<0.17677669> : vector<8x16xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<8xf32>
    %no_weight = arith.constant dense<0.0> : vector<8xf32>
    %nothing = arith.constant dense<0.0> : vector<8x16xf32>
    %block = gpu.block_id x
    %row = arith.muli %block, %c8 : index
    %end = arith.addi %row, %c8 : index
    %infinity = arith.constant dense<0xFF800000> : vector<8x16xf32>
    %query_step = vector.step : vector<8xindex>
    %key_step = vector.step : vector<16xindex>
    %rows = vector.broadcast %row : index to vector<8xindex>
    %query = arith.addi %rows, %query_step : vector<8xindex>
    %query_column = vector.shape_cast %query : vector<8xindex> to vector<8x1xindex>
    %query_numbers = vector.broadcast %query_column : vector<8x1xindex> to vector<8x16xindex>
    %tq = xegpu.create_nd_tdesc %q[%row, 0] : memref<32x32xf16> -> !queries
    %queries = xegpu.load_nd %tq : !queries -> vector<2x8x16xf16>
    %q0 = vector.extract %queries[0] : vector<8x16xf16> from vector<2x8x16xf16>
    %q1 = vector.extract %queries[1] : vector<8x16xf16> from vector<2x8x16xf16>
    %tk = xegpu.create_nd_tdesc %k[0, 0] : memref<48x32xf16> -> !keys
    %tv = xegpu.create_nd_tdesc %v[0, 0] : memref<48x32xf16> -> !values
    %all:6 = scf.for %j = %c0 to %end step %c16
        iter_args(%k0 = %tk, %v0 = %tv, %m = %lowest, %l = %no_weight, %acc0 = %nothing, %acc1 = %nothing)
        -> (!keys, !values, vector<8xf32>, vector<8xf32>, vector<8x16xf32>, vector<8x16xf32>) {
      %k1 = xegpu.update_nd_offset %k0, [0, 16] : !keys
      %keys0 = xegpu.load_nd %k0 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x16x2xf16>
      %keys1 = xegpu.load_nd %k1 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x16x2xf16>
      %half = xegpu.dpas %q0, %keys0 : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
      %products = xegpu.dpas %q1, %keys1, %half
          : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      %all_scores = arith.mulf %products, %scale : vector<8x16xf32>
      %js = vector.broadcast %j : index to vector<16xindex>
      %key = arith.addi %js, %key_step : vector<16xindex>
      %key_numbers = vector.broadcast %key : vector<16xindex> to vector<8x16xindex>
      %hidden = arith.cmpi ugt, %key_numbers, %query_numbers : vector<8x16xindex>
      %scores = arith.select %hidden, %infinity, %all_scores : vector<8x16xi1>, vector<8x16xf32>
      %next_m = vector.multi_reduction <maximumf>, %scores, %m [1] : vector<8x16xf32> to vector<8xf32>
      %top = vector.shape_cast %next_m : vector<8xf32> to vector<8x1xf32>
      %tops = vector.broadcast %top : vector<8x1xf32> to vector<8x16xf32>
      %d = arith.subf %scores, %tops : vector<8x16xf32>
      %weights = math.exp %d : vector<8x16xf32>
      %growth = arith.subf %m, %next_m : vector<8xf32>
      %factor = math.exp %growth : vector<8xf32>
      %old_l = arith.mulf %l, %factor : vector<8xf32>
      %next_l = vector.multi_reduction <add>, %weights, %old_l [1] : vector<8x16xf32> to vector<8xf32>
      %factor_column = vector.shape_cast %factor : vector<8xf32> to vector<8x1xf32>
      %factors = vector.broadcast %factor_column : vector<8x1xf32> to vector<8x16xf32>
      %old0 = arith.mulf %acc0, %factors : vector<8x16xf32>
      %old1 = arith.mulf %acc1, %factors : vector<8x16xf32>
      %narrow = arith.truncf %weights : vector<8x16xf32> to vector<8x16xf16>
      %values = xegpu.load_nd %v0 <{packed}> : !values -> vector<2x8x16x2xf16>
      %values0 = vector.extract %values[0] : vector<8x16x2xf16> from vector<2x8x16x2xf16>
      %values1 = vector.extract %values[1] : vector<8x16x2xf16> from vector<2x8x16x2xf16>
      %next0 = xegpu.dpas %narrow, %values0, %old0
          : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      %next1 = xegpu.dpas %narrow, %values1, %old1
          : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      %next_k = xegpu.update_nd_offset %k0, [16, 0] : !keys
      %next_v = xegpu.update_nd_offset %v0, [16, 0] : !values
      scf.yield %next_k, %next_v, %next_m, %next_l, %next0, %next1
          : !keys, !values, vector<8xf32>, vector<8xf32>, vector<8x16xf32>, vector<8x16xf32>
    }
    %sum = vector.shape_cast %all#3 : vector<8xf32> to vector<8x1xf32>
    %sums = vector.broadcast %sum : vector<8x1xf32> to vector<8x16xf32>
    %result0 = arith.divf %all#4, %sums : vector<8x16xf32>
    %result1 = arith.divf %all#5, %sums : vector<8x16xf32>
    %to0 = xegpu.create_nd_tdesc %o[%row, 0] : memref<32x32xf32> -> !result
    %to1 = xegpu.create_nd_tdesc %o[%row, 16] : memref<32x32xf32> -> !result
    xegpu.store_nd %result0, %to0 : vector<8x16xf32>, !result
    xegpu.store_nd %result1, %to1 : vector<8x16xf32>, !result
    gpu.return
  }
}
