// C = gelu(A x B), in its form with tanh.
// A subgroup computes 8x16 of C. XeGPU of LLVM 22.
// x / 2 (1 + tanh(sqrt(2 / pi) x (1 + 0.044715 x²))) of each element.
!desc_a = !xegpu.tensor_desc<8x16xbf16>
!desc_b = !xegpu.tensor_desc<16x16xbf16>
!desc_c = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 8, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %ta = xegpu.create_nd_tdesc %a : memref<64x32xbf16> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<32x32xbf16> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<64x32xf32> -> !desc_c
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
      %va = xegpu.load_nd %ta[%m, %k] : !desc_a -> vector<8x16xbf16>
      %vb = xegpu.load_nd %tb[%k, %n] : !desc_b -> vector<16x16xbf16>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<8x16xbf16>, vector<16x16xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %next : vector<8x16xf32>
    }
    %one = arith.constant dense<1.0> : vector<8x16xf32>
    %half = arith.constant dense<0.5> : vector<8x16xf32>
    %cubic = arith.constant dense<0.044715> : vector<8x16xf32>
    %root = arith.constant dense<0.797884583> : vector<8x16xf32>
    %square = arith.mulf %sum, %sum : vector<8x16xf32>
    %bend = arith.mulf %square, %cubic : vector<8x16xf32>
    %factor = arith.addf %bend, %one : vector<8x16xf32>
    %scaled = arith.mulf %sum, %root : vector<8x16xf32>
    %inner = arith.mulf %scaled, %factor : vector<8x16xf32>
    %tanh = math.tanh %inner : vector<8x16xf32>
    %gate = arith.addf %tanh, %one : vector<8x16xf32>
    %halved = arith.mulf %sum, %half : vector<8x16xf32>
    %result = arith.mulf %halved, %gate : vector<8x16xf32>
    xegpu.store_nd %result, %tc[%m, %n] : vector<8x16xf32>, !desc_c
    gpu.return
  }
}
