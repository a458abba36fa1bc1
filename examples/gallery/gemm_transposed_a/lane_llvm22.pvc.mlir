// C = Aᵀ x B: A is stored as K x M, bf16.
// Each of 16 work-items computes a column of 8x16 of C. XeGPU of LLVM 22, PVC.
// A work-item multiplies one step of K, whose eight rows of A are neighbours in memory: each loads its own.
!desc_a = !xegpu.tensor_desc<8x16xbf16>
!desc_b = !xegpu.tensor_desc<16x16xbf16>
!desc_c = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<32x64xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 8, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %lane = gpu.lane_id
    %true = arith.constant true
    %start = memref.extract_aligned_pointer_as_index %a : memref<32x64xbf16> -> index
    %base = arith.index_cast %start : index to i64
    %tb = xegpu.create_nd_tdesc %b : memref<32x32xbf16> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<64x32xf32> -> !desc_c
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (vector<8xf32>) {
      %step = arith.addi %k, %lane : index
      %row = arith.muli %step, %c64 : index
      %offset = arith.addi %row, %m : index
      %va = xegpu.load %base[%offset], %true <{chunk_size = 8}> : i64, index, i1 -> vector<8xbf16>
      %vb = xegpu.load_nd %tb[%k, %n] <{packed}> : !desc_b -> vector<16xbf16>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
      scf.yield %next : vector<8xf32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] : vector<8xf32>, !desc_c
    gpu.return
  }
}
