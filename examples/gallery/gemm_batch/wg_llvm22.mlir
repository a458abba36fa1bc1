// C[i] = A[i] x B[i] for three pairs of matrices, f16.
// Four subgroups compute 32x32 of C. XeGPU of LLVM 22.
// The third dimension of the grid chooses the plane, which is a view of its own.
#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
#b = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 16]>
#c = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
!desc_a = !xegpu.tensor_desc<32x32xf16>
!desc_b = !xegpu.tensor_desc<32x32xf16>
!desc_c = !xegpu.tensor_desc<32x32xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<3x32x32xf16>, %b: memref<3x32x64xf16>, %c: memref<3x32x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 2, 3>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %plane = gpu.block_id z
    %plane_a = memref.subview %a[%plane, 0, 0] [1, 32, 32] [1, 1, 1]
        : memref<3x32x32xf16> to memref<32x32xf16, strided<[32, 1], offset: ?>>
    %plane_b = memref.subview %b[%plane, 0, 0] [1, 32, 64] [1, 1, 1]
        : memref<3x32x64xf16> to memref<32x64xf16, strided<[64, 1], offset: ?>>
    %plane_c = memref.subview %c[%plane, 0, 0] [1, 32, 64] [1, 1, 1]
        : memref<3x32x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
    %ta = xegpu.create_nd_tdesc %plane_a : memref<32x32xf16, strided<[32, 1], offset: ?>> -> !desc_a
    %tb = xegpu.create_nd_tdesc %plane_b : memref<32x64xf16, strided<[64, 1], offset: ?>> -> !desc_b
    %tc = xegpu.create_nd_tdesc %plane_c : memref<32x64xf32, strided<[64, 1], offset: ?>> -> !desc_c
    %zero = arith.constant dense<0.0> : vector<32x32xf32>
    %sum = scf.for %k = %c0 to %c32 step %c32 iter_args(%acc = %zero) -> (vector<32x32xf32>) {
      %va = xegpu.load_nd %ta[%m, %k] <{layout = #a}> : !desc_a -> vector<32x32xf16>
      %vb = xegpu.load_nd %tb[%k, %n] <{layout = #b}> : !desc_b -> vector<32x32xf16>
      %next = xegpu.dpas %va, %vb, %acc {layout_a = #a, layout_b = #b, layout_cd = #c}
          : vector<32x32xf16>, vector<32x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %next : vector<32x32xf32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] <{layout = #c}> : vector<32x32xf32>, !desc_c
    gpu.return
  }
}
