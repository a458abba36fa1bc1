// C[i] = A[i] x B[i] for three pairs of matrices, f16. Subgroup XeGPU, ARC.
// A subgroup computes 8x8 of C, one matrix instruction for each 16 of K.
// The third dimension of the grid chooses the plane that tiles are of.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x8xf16>
!desc_c = !xegpu.tensor_desc<8x8xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<3x32x32xf16>, %b: memref<3x32x64xf16>, %c: memref<3x32x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 8, 3>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c8 : index
    %plane = gpu.block_id z
    %a0 = xegpu.create_nd_tdesc %a[%plane, %m, 0] : memref<3x32x32xf16> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[%plane, 0, %n] : memref<3x32x64xf16> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<8x8xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x8xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x16xf16>
      %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x8x2xf16>
      %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
      %sum = xegpu.dpas %va, %vb, %acc
          : vector<8x16xf16>, vector<8x8x2xf16>, vector<8x8xf32> -> vector<8x8xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x8xf32>
    }
    %tc = xegpu.create_nd_tdesc %c[%plane, %m, %n] : memref<3x32x64xf32> -> !desc_c
    xegpu.store_nd %result#2, %tc : vector<8x8xf32>, !desc_c
    gpu.return
  }
}
