// C = A x B, i8 inputs and i32 accumulation.
// Four subgroups compute 32x32 of C. XeGPU of LLVM 22.
#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
#b = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 16]>
#c = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
!desc_a = !xegpu.tensor_desc<32x32xi8>
!desc_b = !xegpu.tensor_desc<32x32xi8>
!desc_c = !xegpu.tensor_desc<32x32xi32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<32x64xi8>, %b: memref<64x64xi8>, %c: memref<32x64xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %ta = xegpu.create_nd_tdesc %a : memref<32x64xi8> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<64x64xi8> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<32x64xi32> -> !desc_c
    %zero = arith.constant dense<0> : vector<32x32xi32>
    %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (vector<32x32xi32>) {
      %va = xegpu.load_nd %ta[%m, %k] <{layout = #a}> : !desc_a -> vector<32x32xi8>
      %vb = xegpu.load_nd %tb[%k, %n] <{layout = #b}> : !desc_b -> vector<32x32xi8>
      %next = xegpu.dpas %va, %vb, %acc {layout_a = #a, layout_b = #b, layout_cd = #c}
          : vector<32x32xi8>, vector<32x32xi8>, vector<32x32xi32> -> vector<32x32xi32>
      scf.yield %next : vector<32x32xi32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] <{layout = #c}> : vector<32x32xi32>, !desc_c
    gpu.return
  }
}
