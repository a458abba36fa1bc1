// C = gelu(A x B), in its form with tanh. Subgroup XeGPU, PVC.
// A subgroup computes 8x16 of C, one matrix instruction for each 16 of K.
// x / 2 (1 + tanh(sqrt(2 / pi) x (1 + 0.044715 x²))) of each element; math functions are computed in f32.
!desc_a = !xegpu.tensor_desc<8x16xbf16>
!desc_b = !xegpu.tensor_desc<16x16xbf16>
!desc_c = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 8, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<64x32xbf16> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<32x32xbf16> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x16xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x16xbf16>
      %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x16x2xbf16>
      %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
      %sum = xegpu.dpas %va, %vb, %acc
          : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x16xf32>
    }
    %one = arith.constant dense<1.0> : vector<8x16xf32>
    %half = arith.constant dense<0.5> : vector<8x16xf32>
    %cubic = arith.constant dense<0.044715> : vector<8x16xf32>
    %root = arith.constant dense<0.797884583> : vector<8x16xf32>
    %square = arith.mulf %result#2, %result#2 : vector<8x16xf32>
    %bend = arith.mulf %square, %cubic : vector<8x16xf32>
    %factor = arith.addf %bend, %one : vector<8x16xf32>
    %scaled = arith.mulf %result#2, %root : vector<8x16xf32>
    %inner = arith.mulf %scaled, %factor : vector<8x16xf32>
    %tanh = math.tanh %inner : vector<8x16xf32>
    %gate = arith.addf %tanh, %one : vector<8x16xf32>
    %halved = arith.mulf %result#2, %half : vector<8x16xf32>
    %gelu = arith.mulf %halved, %gate : vector<8x16xf32>
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<64x32xf32> -> !desc_c
    xegpu.store_nd %gelu, %tc : vector<8x16xf32>, !desc_c
    gpu.return
  }
}
