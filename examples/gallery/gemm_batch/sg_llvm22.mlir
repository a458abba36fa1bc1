// C[i] = A[i] x B[i] for three pairs of matrices, f16.
// A subgroup computes 8x16 of C. XeGPU of LLVM 22.
// The third dimension of the grid chooses the plane, which is a view of its own.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x16xf16>
!desc_c = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<3x32x32xf16>, %b: memref<3x32x64xf16>, %c: memref<3x32x64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 4, 3>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
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
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
      %va = xegpu.load_nd %ta[%m, %k] : !desc_a -> vector<8x16xf16>
      %vb = xegpu.load_nd %tb[%k, %n] : !desc_b -> vector<16x16xf16>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %next : vector<8x16xf32>
    }
    xegpu.store_nd %sum, %tc[%m, %n] : vector<8x16xf32>, !desc_c
    gpu.return
  }
}
