// C = A x B of any size, f16.
// A subgroup computes 8x16 of C. XeGPU of LLVM 22.
// Sizes come with the arrays; a grid that covers C is launched. Blocks cross the edges as they like.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x16xf16>
!desc_c = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %depth = memref.dim %a, %c1 : memref<?x?xf16>
    %ta = xegpu.create_nd_tdesc %a : memref<?x?xf16> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<?x?xf16> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<?x?xf32> -> !desc_c
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %sum = scf.for %k = %c0 to %depth step %c16 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
      %va = xegpu.load_nd %ta[%m, %k] : !desc_a -> vector<8x16xf16>
      %vb = xegpu.load_nd %tb[%k, %n] : !desc_b -> vector<16x16xf16>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %next : vector<8x16xf32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] : vector<8x16xf32>, !desc_c
    gpu.return
  }
}
