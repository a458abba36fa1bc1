// C = relu(A x B + bias), rounded to f16. Subgroup XeGPU, PVC.
// A subgroup computes 8x16 of C, one matrix instruction for each 16 of K.
// The bias is a row, repeated for all rows of C; what follows the product costs no trip to memory.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x16xf16>
!desc_row = !xegpu.tensor_desc<1x16xf32>
!desc_c_f16 = !xegpu.tensor_desc<8x16xf16>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x32xf16>, %b: memref<32x64xf16>, %bias: memref<1x64xf32>, %c: memref<32x64xf16>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<32x32xf16> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<32x64xf16> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x16xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x16xf16>
      %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x16x2xf16>
      %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
      %sum = xegpu.dpas %va, %vb, %acc
          : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x16xf32>
    }
    %tbias_rows = xegpu.create_nd_tdesc %bias[0, %n] : memref<1x64xf32> -> !desc_row
    %vbias_rows = xegpu.load_nd %tbias_rows : !desc_row -> vector<1x16xf32>
    %bias_rows = vector.broadcast %vbias_rows : vector<1x16xf32> to vector<8x16xf32>
    %sum_bias = arith.addf %result#2, %bias_rows : vector<8x16xf32>
    %relu = arith.maximumf %sum_bias, %zero : vector<8x16xf32>
    %half = arith.truncf %relu : vector<8x16xf32> to vector<8x16xf16>
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<32x64xf16> -> !desc_c_f16
    xegpu.store_nd %half, %tc : vector<8x16xf16>, !desc_c_f16
    gpu.return
  }
}
