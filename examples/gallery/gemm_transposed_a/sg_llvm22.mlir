// C = Aᵀ x B: A is stored as K x M, bf16.
// A subgroup computes 8x16 of C. XeGPU of LLVM 22.
// Blocks of A are loaded as they lie in memory and transposed as values.
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
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %tat = xegpu.create_nd_tdesc %a : memref<32x64xbf16> -> !xegpu.tensor_desc<16x8xbf16>
    %tb = xegpu.create_nd_tdesc %b : memref<32x32xbf16> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<64x32xf32> -> !desc_c
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
      %vat = xegpu.load_nd %tat[%k, %m] : !xegpu.tensor_desc<16x8xbf16> -> vector<16x8xbf16>
      %va = vector.transpose %vat, [1, 0] : vector<16x8xbf16> to vector<8x16xbf16>
      %vb = xegpu.load_nd %tb[%k, %n] : !desc_b -> vector<16x16xbf16>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<8x16xbf16>, vector<16x16xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %next : vector<8x16xf32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] : vector<8x16xf32>, !desc_c
    gpu.return
  }
}
