// Attention in which query i sees the keys up to i (causal), of eight queries by a subgroup. Hidden scores become
// negative infinity, whose exponential is zero; the loop ends with the last key that any query sees. XeGPU of LLVM 22,
// PVC.
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>, %o: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c8 : index
    %c16 = arith.constant 16 : index
    %end = arith.addi %row, %c8 : index
    %scale = arith.constant dense<0.17677669> : vector<8x16xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<8xf32>
    %no_weight = arith.constant dense<0.0> : vector<8xf32>
    %nothing = arith.constant dense<0.0> : vector<8x32xf32>
    %infinity = arith.constant dense<0xFF800000> : vector<8x16xf32>
    %query_step = vector.step : vector<8xindex>
    %key_step = vector.step : vector<16xindex>
    %rows = vector.broadcast %row : index to vector<8xindex>
    %query = arith.addi %rows, %query_step : vector<8xindex>
    %query_column = vector.shape_cast %query : vector<8xindex> to vector<8x1xindex>
    %query_numbers = vector.broadcast %query_column : vector<8x1xindex> to vector<8x16xindex>
    %tq = xegpu.create_nd_tdesc %q : memref<32x32xf16> -> !xegpu.tensor_desc<8x32xf16>
    %tk = xegpu.create_nd_tdesc %k : memref<48x32xf16> -> !xegpu.tensor_desc<16x32xf16>
    %tv = xegpu.create_nd_tdesc %v : memref<48x32xf16> -> !xegpu.tensor_desc<16x32xf16>
    %to = xegpu.create_nd_tdesc %o : memref<32x32xf32> -> !xegpu.tensor_desc<8x32xf32>
    %queries = xegpu.load_nd %tq[%row, 0] : !xegpu.tensor_desc<8x32xf16> -> vector<8x32xf16>
    %all:3 = scf.for %j = %c0 to %end step %c16 iter_args(%m = %lowest, %l = %no_weight, %acc = %nothing)
        -> (vector<8xf32>, vector<8xf32>, vector<8x32xf32>) {
      %keys = xegpu.load_nd %tk[%j, 0] : !xegpu.tensor_desc<16x32xf16> -> vector<16x32xf16>
      %turned = vector.transpose %keys, [1, 0] : vector<16x32xf16> to vector<32x16xf16>
      %products = xegpu.dpas %queries, %turned
          : vector<8x32xf16>, vector<32x16xf16> -> vector<8x16xf32>
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
      %factors = vector.broadcast %factor_column : vector<8x1xf32> to vector<8x32xf32>
      %old = arith.mulf %acc, %factors : vector<8x32xf32>
      %narrow = arith.truncf %weights : vector<8x16xf32> to vector<8x16xf16>
      %values = xegpu.load_nd %tv[%j, 0] : !xegpu.tensor_desc<16x32xf16> -> vector<16x32xf16>
      %next = xegpu.dpas %narrow, %values, %old
          : vector<8x16xf16>, vector<16x32xf16>, vector<8x32xf32> -> vector<8x32xf32>
      scf.yield %next_m, %next_l, %next : vector<8xf32>, vector<8xf32>, vector<8x32xf32>
    }
    %sum = vector.shape_cast %all#1 : vector<8xf32> to vector<8x1xf32>
    %sums = vector.broadcast %sum : vector<8x1xf32> to vector<8x32xf32>
    %result = arith.divf %all#2, %sums : vector<8x32xf32>
    xegpu.store_nd %result, %to[%row, 0] : vector<8x32xf32>, !xegpu.tensor_desc<8x32xf32>
    gpu.return
  }
}
