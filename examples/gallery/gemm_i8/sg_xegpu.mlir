// C = A x B, i8 inputs and i32 accumulation. Subgroup XeGPU, PVC.
// A subgroup computes 8x16 of C, one matrix instruction for each 32 of K.
// B is loaded packed: 4 rows of it in each 32-bit word.
!desc_a = !xegpu.tensor_desc<8x32xi8>
!desc_b = !xegpu.tensor_desc<32x16xi8>
!desc_c = !xegpu.tensor_desc<8x16xi32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x64xi8>, %b: memref<64x64xi8>, %c: memref<32x64xi32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<32x64xi8> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<64x64xi8> -> !desc_b
    %zero = arith.constant dense<0> : vector<8x16xi32>
    %result:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x16xi32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x32xi8>
      %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x16x4xi8>
      %na = xegpu.update_nd_offset %ta, [0, 32] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [32, 0] : !desc_b
      %sum = xegpu.dpas %va, %vb, %acc
          : vector<8x32xi8>, vector<8x16x4xi8>, vector<8x16xi32> -> vector<8x16xi32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x16xi32>
    }
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<32x64xi32> -> !desc_c
    xegpu.store_nd %result#2, %tc : vector<8x16xi32>, !desc_c
    gpu.return
  }
}
