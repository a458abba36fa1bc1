// Flash attention, forward: softmax(Q K^T / sqrt(d)) V without ever holding the matrix of scores. Matrix instructions
// have eight columns here: 16 keys are two blocks of scores, which insert_strided_slice joins to operand A of the
// second product, and 32 columns of values are four, which a loop walks over.
!queries = !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
!keys = !xegpu.tensor_desc<8x16xf16>
!values = !xegpu.tensor_desc<16x8xf16>
!result = !xegpu.tensor_desc<8x8xf32>
gpu.module @kernels {
  gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>, %o: memref<32x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c48 = arith.constant 48 : index
    %scale = arith.constant dense<0.17677669> : vector<8x16xf32>
    %empty = arith.constant dense<0.0> : vector<8x16xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<8xf32>
    %no_weight = arith.constant dense<0.0> : vector<8xf32>
    %nothing = arith.constant dense<0.0> : vector<4x8x8xf32>
    %block = gpu.block_id x
    %row = arith.muli %block, %c8 : index
    %tq = xegpu.create_nd_tdesc %q[%row, 0] : memref<32x32xf16> -> !queries
    %queries = xegpu.load_nd %tq : !queries -> vector<2x8x16xf16>
    %q0 = vector.extract %queries[0] : vector<8x16xf16> from vector<2x8x16xf16>
    %q1 = vector.extract %queries[1] : vector<8x16xf16> from vector<2x8x16xf16>
    %all:3 = scf.for %j = %c0 to %c48 step %c16 iter_args(%m = %lowest, %l = %no_weight, %acc = %nothing)
        -> (vector<8xf32>, vector<8xf32>, vector<4x8x8xf32>) {
      %second = arith.addi %j, %c8 : index
      %tk00 = xegpu.create_nd_tdesc %k[%j, 0] : memref<48x32xf16> -> !keys
      %tk01 = xegpu.create_nd_tdesc %k[%j, 16] : memref<48x32xf16> -> !keys
      %tk10 = xegpu.create_nd_tdesc %k[%second, 0] : memref<48x32xf16> -> !keys
      %tk11 = xegpu.create_nd_tdesc %k[%second, 16] : memref<48x32xf16> -> !keys
      %k00 = xegpu.load_nd %tk00 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x8x2xf16>
      %k01 = xegpu.load_nd %tk01 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x8x2xf16>
      %k10 = xegpu.load_nd %tk10 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x8x2xf16>
      %k11 = xegpu.load_nd %tk11 <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !keys -> vector<8x8x2xf16>
      %half0 = xegpu.dpas %q0, %k00 : vector<8x16xf16>, vector<8x8x2xf16> -> vector<8x8xf32>
      %half1 = xegpu.dpas %q0, %k10 : vector<8x16xf16>, vector<8x8x2xf16> -> vector<8x8xf32>
      %products0 = xegpu.dpas %q1, %k01, %half0
          : vector<8x16xf16>, vector<8x8x2xf16>, vector<8x8xf32> -> vector<8x8xf32>
      %products1 = xegpu.dpas %q1, %k11, %half1
          : vector<8x16xf16>, vector<8x8x2xf16>, vector<8x8xf32> -> vector<8x8xf32>
      %left = vector.insert_strided_slice %products0, %empty {offsets = [0, 0], strides = [1, 1]}
          : vector<8x8xf32> into vector<8x16xf32>
      %products = vector.insert_strided_slice %products1, %left {offsets = [0, 8], strides = [1, 1]}
          : vector<8x8xf32> into vector<8x16xf32>
      %scores = arith.mulf %products, %scale : vector<8x16xf32>
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
      %factors = vector.broadcast %factor_column : vector<8x1xf32> to vector<4x8x8xf32>
      %old = arith.mulf %acc, %factors : vector<4x8x8xf32>
      %narrow = arith.truncf %weights : vector<8x16xf32> to vector<8x16xf16>
      %next = scf.for %n = %c0 to %c4 step %c1 iter_args(%blocks = %old) -> (vector<4x8x8xf32>) {
        %column = arith.muli %n, %c8 : index
        %tv = xegpu.create_nd_tdesc %v[%j, %column] : memref<48x32xf16> -> !values
        %values = xegpu.load_nd %tv <{packed}> : !values -> vector<8x8x2xf16>
        %before = vector.extract %blocks[%n] : vector<8x8xf32> from vector<4x8x8xf32>
        %after = xegpu.dpas %narrow, %values, %before
            : vector<8x16xf16>, vector<8x8x2xf16>, vector<8x8xf32> -> vector<8x8xf32>
        %updated = vector.insert %after, %blocks[%n] : vector<8x8xf32> into vector<4x8x8xf32>
        scf.yield %updated : vector<4x8x8xf32>
      }
      scf.yield %next_m, %next_l, %next : vector<8xf32>, vector<8xf32>, vector<4x8x8xf32>
    }
    %sum = vector.shape_cast %all#1 : vector<8xf32> to vector<8x1xf32>
    %sums = vector.broadcast %sum : vector<8x1xf32> to vector<4x8x8xf32>
    %results = arith.divf %all#2, %sums : vector<4x8x8xf32>
    scf.for %n = %c0 to %c4 step %c1 {
      %column = arith.muli %n, %c8 : index
      %to = xegpu.create_nd_tdesc %o[%row, %column] : memref<32x32xf32> -> !result
      %result = vector.extract %results[%n] : vector<8x8xf32> from vector<4x8x8xf32>
      xegpu.store_nd %result, %to : vector<8x8xf32>, !result
    }
    gpu.return
  }
}
