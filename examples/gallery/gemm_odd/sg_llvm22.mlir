// C = A x B with sizes that no block divides (37x53x29), bf16.
// A subgroup computes 8x16 of C. XeGPU of LLVM 22.
// What lies outside of a matrix is loaded as zero, which adds nothing, and is not stored.
!desc_a = !xegpu.tensor_desc<8x16xbf16>
!desc_b = !xegpu.tensor_desc<16x16xbf16>
!desc_c = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<37x29xbf16>, %b: memref<29x53xbf16>, %c: memref<37x53xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 5, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c29 = arith.constant 29 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %ta = xegpu.create_nd_tdesc %a : memref<37x29xbf16> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<29x53xbf16> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<37x53xf32> -> !desc_c
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %sum = scf.for %k = %c0 to %c29 step %c16 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
      %va = xegpu.load_nd %ta[%m, %k] : !desc_a -> vector<8x16xbf16>
      %vb = xegpu.load_nd %tb[%k, %n] : !desc_b -> vector<16x16xbf16>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<8x16xbf16>, vector<16x16xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %next : vector<8x16xf32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] : vector<8x16xf32>, !desc_c
    gpu.return
  }
}
