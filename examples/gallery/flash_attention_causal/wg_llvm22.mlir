// Attention in which query i sees the keys up to i (causal), by a work-group of four subgroups, each with eight
// queries. Hidden scores become negative infinity, whose exponential is zero; each subgroup computes the numbers of its
// own queries and keys. XeGPU of LLVM 22.
#q = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>
#k = #xegpu.layout<sg_layout = [4, 1], sg_data = [16, 32]>
#kt = #xegpu.layout<sg_layout = [4, 1], sg_data = [32, 16]>
#s = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 16]>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>, %o: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %row = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %scale = arith.constant dense<0.17677669> : vector<32x16xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<32xf32>
    %no_weight = arith.constant dense<0.0> : vector<32xf32>
    %nothing = arith.constant dense<0.0> : vector<32x32xf32>
    %infinity = arith.constant dense<0xFF800000> : vector<32x16xf32>
    %query_step = vector.step : vector<32xindex>
    %key_step = vector.step : vector<16xindex>
    %rows = vector.broadcast %row : index to vector<32xindex>
    %query = arith.addi %rows, %query_step : vector<32xindex>
    %query_column = vector.shape_cast %query : vector<32xindex> to vector<32x1xindex>
    %query_numbers = vector.broadcast %query_column : vector<32x1xindex> to vector<32x16xindex>
    %tq = xegpu.create_nd_tdesc %q : memref<32x32xf16> -> !xegpu.tensor_desc<32x32xf16>
    %tk = xegpu.create_nd_tdesc %k : memref<48x32xf16> -> !xegpu.tensor_desc<16x32xf16>
    %tv = xegpu.create_nd_tdesc %v : memref<48x32xf16> -> !xegpu.tensor_desc<16x32xf16>
    %to = xegpu.create_nd_tdesc %o : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %queries = xegpu.load_nd %tq[%row, 0] <{layout = #q}> : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    %all:3 = scf.for %j = %c0 to %c32 step %c16 iter_args(%m = %lowest, %l = %no_weight, %acc = %nothing)
        -> (vector<32xf32>, vector<32xf32>, vector<32x32xf32>) {
      %keys = xegpu.load_nd %tk[%j, 0] <{layout = #k}> : !xegpu.tensor_desc<16x32xf16> -> vector<16x32xf16>
      %turned = vector.transpose %keys, [1, 0] : vector<16x32xf16> to vector<32x16xf16>
      %products = xegpu.dpas %queries, %turned {layout_a = #q, layout_b = #kt, layout_cd = #s}
          : vector<32x32xf16>, vector<32x16xf16> -> vector<32x16xf32>
      %all_scores = arith.mulf %products, %scale : vector<32x16xf32>
      %js = vector.broadcast %j : index to vector<16xindex>
      %key = arith.addi %js, %key_step : vector<16xindex>
      %key_numbers = vector.broadcast %key : vector<16xindex> to vector<32x16xindex>
      %hidden = arith.cmpi ugt, %key_numbers, %query_numbers : vector<32x16xindex>
      %scores = arith.select %hidden, %infinity, %all_scores : vector<32x16xi1>, vector<32x16xf32>
      %next_m = vector.multi_reduction <maximumf>, %scores, %m [1] : vector<32x16xf32> to vector<32xf32>
      %top = vector.shape_cast %next_m : vector<32xf32> to vector<32x1xf32>
      %tops = vector.broadcast %top : vector<32x1xf32> to vector<32x16xf32>
      %d = arith.subf %scores, %tops : vector<32x16xf32>
      %weights = math.exp %d : vector<32x16xf32>
      %growth = arith.subf %m, %next_m : vector<32xf32>
      %factor = math.exp %growth : vector<32xf32>
      %old_l = arith.mulf %l, %factor : vector<32xf32>
      %next_l = vector.multi_reduction <add>, %weights, %old_l [1] : vector<32x16xf32> to vector<32xf32>
      %factor_column = vector.shape_cast %factor : vector<32xf32> to vector<32x1xf32>
      %factors = vector.broadcast %factor_column : vector<32x1xf32> to vector<32x32xf32>
      %old = arith.mulf %acc, %factors : vector<32x32xf32>
      %narrow = arith.truncf %weights : vector<32x16xf32> to vector<32x16xf16>
      %values = xegpu.load_nd %tv[%j, 0] <{layout = #k}> : !xegpu.tensor_desc<16x32xf16> -> vector<16x32xf16>
      %next = xegpu.dpas %narrow, %values, %old {layout_a = #s, layout_b = #k, layout_cd = #q}
          : vector<32x16xf16>, vector<16x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %next_m, %next_l, %next : vector<32xf32>, vector<32xf32>, vector<32x32xf32>
    }
    %sum = vector.shape_cast %all#1 : vector<32xf32> to vector<32x1xf32>
    %sums = vector.broadcast %sum : vector<32x1xf32> to vector<32x32xf32>
    %result = arith.divf %all#2, %sums : vector<32x32xf32>
    xegpu.store_nd %result, %to[%row, 0] <{layout = #q}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}
