// C = A x (B scaled), f16. Subgroup XeGPU, PVC.
// A subgroup computes 8x16 of C, one matrix instruction for each 16 of K.
// Each column of B has a scale for every 32 rows.
// B is scaled as a plain matrix; it is packed in registers when it is multiplied.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x16xf16>
!desc_row_f16 = !xegpu.tensor_desc<1x16xf16>
!desc_c = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x64xf16>, %b: memref<64x64xf16>, %s: memref<2x64xf16>, %c: memref<32x64xf32>) kernel
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
    %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<32x64xf16> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<64x64xf16> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %result:3 = scf.for %k = %c0 to %c64 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x16xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x16xf16>
      %vb = xegpu.load_nd %tb : !desc_b -> vector<16x16xf16>
      %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
      %group = arith.divui %k, %c32 : index
      %tscales = xegpu.create_nd_tdesc %s[%group, %n] : memref<2x64xf16> -> !desc_row_f16
      %vscales = xegpu.load_nd %tscales : !desc_row_f16 -> vector<1x16xf16>
      %scales = vector.broadcast %vscales : vector<1x16xf16> to vector<16x16xf16>
      %scaled = arith.mulf %vb, %scales : vector<16x16xf16>
      %sum = xegpu.dpas %va, %scaled, %acc
          : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x16xf32>
    }
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<32x64xf32> -> !desc_c
    xegpu.store_nd %result#2, %tc : vector<8x16xf32>, !desc_c
    gpu.return
  }
}
