// Flash attention, forward: softmax(Q K^T / sqrt(d)) V without ever holding the matrix of scores. Each subgroup has
// eight queries and walks over blocks of 16 keys. It carries the largest score so far, the sum of exponentials and the
// weighted sum of values, and scales the last two whenever the largest score grows (online softmax).
!queries = !xetile.tile<8x32xf16>
!block = !xetile.tile<16x32xf16>
!result = !xetile.tile<8x32xf32>
gpu.module @kernels {
  gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>, %o: memref<32x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c48 = arith.constant 48 : index
    %scale = arith.constant dense<0.17677669> : vector<8x16xf32>
    %none = arith.constant dense<0.0> : vector<8x16xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<8x1xf32>
    %no_weight = arith.constant dense<0.0> : vector<8x1xf32>
    %nothing = arith.constant dense<0.0> : vector<8x32xf32>
    %block = gpu.block_id x
    %row = arith.muli %block, %c8 : index
    %tq = xetile.init_tile %q[%row, %c0] : memref<32x32xf16> -> !queries
    %queries = xetile.load_tile %tq : !queries -> vector<8x32xf16>
    %first_k = xetile.init_tile %k[%c0, %c0] : memref<48x32xf16> -> !block
    %first_v = xetile.init_tile %v[%c0, %c0] : memref<48x32xf16> -> !block
    %all:5 = scf.for %j = %c0 to %c48 step %c16
        iter_args(%tk = %first_k, %tv = %first_v, %m = %lowest, %l = %no_weight, %acc = %nothing)
        -> (!block, !block, vector<8x1xf32>, vector<8x1xf32>, vector<8x32xf32>) {
      %keys = xetile.load_tile %tk : !block -> vector<16x32xf16>
      %turned = xetile.transpose %keys, [1, 0] : vector<16x32xf16> -> vector<32x16xf16>
      %products = xetile.tile_mma %queries, %turned, %none
          : vector<8x32xf16>, vector<32x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
      %scores = arith.mulf %products, %scale : vector<8x16xf32>
      %top = xetile.reduction <maximumf>, %scores [1] : vector<8x16xf32> -> vector<8x1xf32>
      %next_m = arith.maximumf %m, %top : vector<8x1xf32>
      %tops = xetile.broadcast %next_m [1] : vector<8x1xf32> -> vector<8x16xf32>
      %d = arith.subf %scores, %tops : vector<8x16xf32>
      %weights = math.exp %d : vector<8x16xf32>
      %growth = arith.subf %m, %next_m : vector<8x1xf32>
      %factor = math.exp %growth : vector<8x1xf32>
      %sum = xetile.reduction <add>, %weights [1] : vector<8x16xf32> -> vector<8x1xf32>
      %old_l = arith.mulf %l, %factor : vector<8x1xf32>
      %next_l = arith.addf %old_l, %sum : vector<8x1xf32>
      %factors = xetile.broadcast %factor [1] : vector<8x1xf32> -> vector<8x32xf32>
      %old_acc = arith.mulf %acc, %factors : vector<8x32xf32>
      %narrow = arith.truncf %weights : vector<8x16xf32> to vector<8x16xf16>
      %values = xetile.load_tile %tv : !block -> vector<16x32xf16>
      %next_acc = xetile.tile_mma %narrow, %values, %old_acc
          : vector<8x16xf16>, vector<16x32xf16>, vector<8x32xf32> -> vector<8x32xf32>
      %next_k = xetile.update_tile_offset %tk, [%c16, %c0] : !block
      %next_v = xetile.update_tile_offset %tv, [%c16, %c0] : !block
      scf.yield %next_k, %next_v, %next_m, %next_l, %next_acc
          : !block, !block, vector<8x1xf32>, vector<8x1xf32>, vector<8x32xf32>
    }
    %sums = xetile.broadcast %all#3 [1] : vector<8x1xf32> -> vector<8x32xf32>
    %result = arith.divf %all#4, %sums : vector<8x32xf32>
    %to = xetile.init_tile %o[%row, %c0] : memref<32x32xf32> -> !result
    xetile.store_tile %result, %to : vector<8x32xf32>, !result
    gpu.return
  }
}
