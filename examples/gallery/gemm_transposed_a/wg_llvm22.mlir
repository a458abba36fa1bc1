// C = Aᵀ x B: A is stored as K x M, bf16. Four subgroups compute 32x32 of C. XeGPU of LLVM 22. Blocks of A are
// loaded as they lie in memory and transposed as values; `order` lets a subgroup load what it multiplies.
#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
#b = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 16]>
#c = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
#at = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 16], order = [0, 1]>
!desc_a = !xegpu.tensor_desc<32x32xbf16>
!desc_b = !xegpu.tensor_desc<32x32xbf16>
!desc_c = !xegpu.tensor_desc<32x32xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<32x64xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %tat = xegpu.create_nd_tdesc %a : memref<32x64xbf16> -> !xegpu.tensor_desc<32x32xbf16>
    %tb = xegpu.create_nd_tdesc %b : memref<32x32xbf16> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<64x32xf32> -> !desc_c
    %zero = arith.constant dense<0.0> : vector<32x32xf32>
    %sum = scf.for %k = %c0 to %c32 step %c32 iter_args(%acc = %zero) -> (vector<32x32xf32>) {
      %vat = xegpu.load_nd %tat[%k, %m] <{layout = #at}> : !xegpu.tensor_desc<32x32xbf16> -> vector<32x32xbf16>
      %va = vector.transpose %vat, [1, 0] : vector<32x32xbf16> to vector<32x32xbf16>
      %vb = xegpu.load_nd %tb[%k, %n] <{layout = #b}> : !desc_b -> vector<32x32xbf16>
      %next = xegpu.dpas %va, %vb, %acc {layout_a = #a, layout_b = #b, layout_cd = #c}
          : vector<32x32xbf16>, vector<32x32xbf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %next : vector<32x32xf32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] <{layout = #c}> : vector<32x32xf32>, !desc_c
    gpu.return
  }
}
