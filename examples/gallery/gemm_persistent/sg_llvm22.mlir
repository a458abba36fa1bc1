// C = A x B by five work-groups, each of which takes one block of C after the other, f16.
// A subgroup computes 8x16 of C. XeGPU of LLVM 22.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x16xf16>
!desc_c = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<64x32xf16>, %b: memref<32x64xf16>, %c: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 5, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %first = gpu.block_id x
    %groups = gpu.grid_dim x
    %columns = arith.constant 4 : index
    %blocks = arith.constant 32 : index
    scf.for %block = %first to %blocks step %groups {
      %i = arith.divui %block, %columns : index
      %j = arith.remui %block, %columns : index
      %m = arith.muli %i, %c8 : index
      %n = arith.muli %j, %c16 : index
      %ta = xegpu.create_nd_tdesc %a : memref<64x32xf16> -> !desc_a
      %tb = xegpu.create_nd_tdesc %b : memref<32x64xf16> -> !desc_b
      %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !desc_c
      %zero = arith.constant dense<0.0> : vector<8x16xf32>
      %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
        %va = xegpu.load_nd %ta[%m, %k] : !desc_a -> vector<8x16xf16>
        %vb = xegpu.load_nd %tb[%k, %n] : !desc_b -> vector<16x16xf16>
        %next = xegpu.dpas %va, %vb, %acc
            : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
        scf.yield %next : vector<8x16xf32>
      }
      xegpu.store_nd %sum, %tc[%m, %n] : vector<8x16xf32>, !desc_c
    }
    gpu.return
  }
}
