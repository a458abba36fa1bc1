// C = A x B of any size, f16.
// Four subgroups compute 32x32 of C. XeGPU of LLVM 22.
// Sizes come with the arrays; a grid that covers C is launched. Blocks cross the edges as they like.
#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
#b = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
#c = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
!desc_a = !xegpu.tensor_desc<32x16xf16>
!desc_b = !xegpu.tensor_desc<16x32xf16>
!desc_c = !xegpu.tensor_desc<32x32xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %depth = memref.dim %a, %c1 : memref<?x?xf16>
    %ta = xegpu.create_nd_tdesc %a : memref<?x?xf16> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<?x?xf16> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<?x?xf32> -> !desc_c
    %zero = arith.constant dense<0.0> : vector<32x32xf32>
    %sum = scf.for %k = %c0 to %depth step %c16 iter_args(%acc = %zero) -> (vector<32x32xf32>) {
      %va = xegpu.load_nd %ta[%m, %k] <{layout = #a}> : !desc_a -> vector<32x16xf16>
      %vb = xegpu.load_nd %tb[%k, %n] <{layout = #b}> : !desc_b -> vector<16x32xf16>
      %next = xegpu.dpas %va, %vb, %acc {layout_a = #a, layout_b = #b, layout_cd = #c}
          : vector<32x16xf16>, vector<16x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %next : vector<32x32xf32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] <{layout = #c}> : vector<32x32xf32>, !desc_c
    gpu.return
  }
}
