// C = A x B, i8 inputs and i32 accumulation.
// A subgroup computes 8x16 of C. XeGPU of LLVM 22.
!desc_a = !xegpu.tensor_desc<8x32xi8>
!desc_b = !xegpu.tensor_desc<32x16xi8>
!desc_c = !xegpu.tensor_desc<8x16xi32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<32x64xi8>, %b: memref<64x64xi8>, %c: memref<32x64xi32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %ta = xegpu.create_nd_tdesc %a : memref<32x64xi8> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<64x64xi8> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<32x64xi32> -> !desc_c
    %zero = arith.constant dense<0> : vector<8x16xi32>
    %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (vector<8x16xi32>) {
      %va = xegpu.load_nd %ta[%m, %k] : !desc_a -> vector<8x32xi8>
      %vb = xegpu.load_nd %tb[%k, %n] : !desc_b -> vector<32x16xi8>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<8x32xi8>, vector<32x16xi8>, vector<8x16xi32> -> vector<8x16xi32>
      scf.yield %next : vector<8x16xi32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] : vector<8x16xi32>, !desc_c
    gpu.return
  }
}
