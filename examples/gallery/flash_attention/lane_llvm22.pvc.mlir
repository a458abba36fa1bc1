// Attention: a work-item has the scores of one key for eight queries, and two columns of the result. C of the first
// product is A of the second one, element for element; maxima and sums of rows cross lanes. Keys are loaded as dwords,
// transposed: a pair of elements of a key is one number of B. XeGPU of LLVM 22, PVC.
!queries = !xegpu.tensor_desc<8x16xf16>
!keys = !xegpu.tensor_desc<16x8xi32>
!values = !xegpu.tensor_desc<16x16xf16>
!result = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @attention(%q: memref<32x32xf16>, %k: memref<48x32xf16>, %v: memref<48x32xf16>, %o: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %scale = arith.constant dense<0.17677669> : vector<8xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<8xf32>
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %block = gpu.block_id x
    %row = arith.muli %block, %c8 : index
    %end = arith.constant 48 : index
    %start = memref.extract_aligned_pointer_as_index %k : memref<48x32xf16> -> index
    %address = arith.index_cast %start : index to i64
    %tq = xegpu.create_nd_tdesc %q : memref<32x32xf16> -> !queries
    %tk = xegpu.create_nd_tdesc %address, shape : [48, 16], strides : [16, 1] : i64 -> !keys
    %tv = xegpu.create_nd_tdesc %v : memref<48x32xf16> -> !values
    %to = xegpu.create_nd_tdesc %o : memref<32x32xf32> -> !result
    %q0 = xegpu.load_nd %tq[%row, 0] : !queries -> vector<8xf16>
    %q1 = xegpu.load_nd %tq[%row, 16] : !queries -> vector<8xf16>
    %all:4 = scf.for %j = %c0 to %end step %c16 iter_args(%m = %lowest, %l = %zero, %acc0 = %zero, %acc1 = %zero)
        -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
      %pairs0 = xegpu.load_nd %tk[%j, 0] <{transpose = array<i64: 1, 0>}> : !keys -> vector<8xi32>
      %pairs1 = xegpu.load_nd %tk[%j, 8] <{transpose = array<i64: 1, 0>}> : !keys -> vector<8xi32>
      %keys0 = vector.bitcast %pairs0 : vector<8xi32> to vector<16xf16>
      %keys1 = vector.bitcast %pairs1 : vector<8xi32> to vector<16xf16>
      %half = xegpu.dpas %q0, %keys0 : vector<8xf16>, vector<16xf16> -> vector<8xf32>
      %products = xegpu.dpas %q1, %keys1, %half : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
      %scores = arith.mulf %products, %scale : vector<8xf32>
      %next_m = scf.for %i = %c0 to %c8 step %c1 iter_args(%maxima = %m) -> (vector<8xf32>) {
        %score = vector.extract %scores[%i] : f32 from vector<8xf32>
        %old = vector.extract %maxima[%i] : f32 from vector<8xf32>
        %top = gpu.subgroup_reduce maximumf %score : (f32) -> f32
        %max = arith.maximumf %old, %top : f32
        %next = vector.insert %max, %maxima[%i] : f32 into vector<8xf32>
        scf.yield %next : vector<8xf32>
      }
      %d = arith.subf %scores, %next_m : vector<8xf32>
      %weights = math.exp %d : vector<8xf32>
      %growth = arith.subf %m, %next_m : vector<8xf32>
      %factor = math.exp %growth : vector<8xf32>
      %old_l = arith.mulf %l, %factor : vector<8xf32>
      %next_l = scf.for %i = %c0 to %c8 step %c1 iter_args(%sums = %old_l) -> (vector<8xf32>) {
        %weight = vector.extract %weights[%i] : f32 from vector<8xf32>
        %old = vector.extract %sums[%i] : f32 from vector<8xf32>
        %sum = gpu.subgroup_reduce add %weight : (f32) -> f32
        %new = arith.addf %old, %sum : f32
        %next = vector.insert %new, %sums[%i] : f32 into vector<8xf32>
        scf.yield %next : vector<8xf32>
      }
      %old0 = arith.mulf %acc0, %factor : vector<8xf32>
      %old1 = arith.mulf %acc1, %factor : vector<8xf32>
      %narrow = arith.truncf %weights : vector<8xf32> to vector<8xf16>
      %values0 = xegpu.load_nd %tv[%j, 0] <{packed}> : !values -> vector<16xf16>
      %values1 = xegpu.load_nd %tv[%j, 16] <{packed}> : !values -> vector<16xf16>
      %next0 = xegpu.dpas %narrow, %values0, %old0 : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
      %next1 = xegpu.dpas %narrow, %values1, %old1 : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
      scf.yield %next_m, %next_l, %next0, %next1 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
    }
    %result0 = arith.divf %all#2, %all#1 : vector<8xf32>
    %result1 = arith.divf %all#3, %all#1 : vector<8xf32>
    xegpu.store_nd %result0, %to[%row, 0] : vector<8xf32>, !result
    xegpu.store_nd %result1, %to[%row, 16] : vector<8xf32>, !result
    gpu.return
  }
}
