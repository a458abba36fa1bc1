// C = gelu(A x B), in its form with tanh.
// Four subgroups compute 32x32 of C. XeGPU of LLVM 22.
// x / 2 (1 + tanh(sqrt(2 / pi) x (1 + 0.044715 x²))) of each element.
#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
#b = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 16]>
#c = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
!desc_a = !xegpu.tensor_desc<32x32xbf16>
!desc_b = !xegpu.tensor_desc<32x32xbf16>
!desc_c = !xegpu.tensor_desc<32x32xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %ta = xegpu.create_nd_tdesc %a : memref<64x32xbf16> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<32x32xbf16> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<64x32xf32> -> !desc_c
    %zero = arith.constant dense<0.0> : vector<32x32xf32>
    %sum = scf.for %k = %c0 to %c32 step %c32 iter_args(%acc = %zero) -> (vector<32x32xf32>) {
      %va = xegpu.load_nd %ta[%m, %k] <{layout = #a}> : !desc_a -> vector<32x32xbf16>
      %vb = xegpu.load_nd %tb[%k, %n] <{layout = #b}> : !desc_b -> vector<32x32xbf16>
      %next = xegpu.dpas %va, %vb, %acc {layout_a = #a, layout_b = #b, layout_cd = #c}
          : vector<32x32xbf16>, vector<32x32xbf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %next : vector<32x32xf32>
    }
    %one = arith.constant dense<1.0> : vector<32x32xf32>
    %half = arith.constant dense<0.5> : vector<32x32xf32>
    %cubic = arith.constant dense<0.044715> : vector<32x32xf32>
    %root = arith.constant dense<0.797884583> : vector<32x32xf32>
    %square = arith.mulf %sum, %sum : vector<32x32xf32>
    %bend = arith.mulf %square, %cubic : vector<32x32xf32>
    %factor = arith.addf %bend, %one : vector<32x32xf32>
    %scaled = arith.mulf %sum, %root : vector<32x32xf32>
    %inner = arith.mulf %scaled, %factor : vector<32x32xf32>
    %tanh = math.tanh %inner : vector<32x32xf32>
    %gate = arith.addf %tanh, %one : vector<32x32xf32>
    %halved = arith.mulf %sum, %half : vector<32x32xf32>
    %result = arith.mulf %halved, %gate : vector<32x32xf32>
    xegpu.store_nd %result, %tc[%m, %n] <{layout = #c}> : vector<32x32xf32>, !desc_c
    gpu.return
  }
}
