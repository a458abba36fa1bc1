// A 3x3 convolution as a product, without a matrix of patches (implicit GEMM): for each place of the filter, a row of
// the image that is shifted by it, times the weights. The row and the weights are views; pixels beside the image read
// as zero, rows above and below it are left out. A subgroup has eight pixels of a row, and 16 filters. XeGPU of LLVM
// 22, PVC.
!image = !xegpu.tensor_desc<8x16xf16>
!weights = !xegpu.tensor_desc<16x16xf16>
!result = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @convolution(%x: memref<6x14x16xf16>, %w: memref<3x3x16x32xf16>, %y: memref<6x14x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 6, 2, 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %pixels = arith.constant 8 : index
    %filters = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %row = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %pixel = arith.muli %by, %pixels : index
    %filter = arith.muli %bz, %filters : index
    %above = arith.subi %row, %c1 : index
    %before = arith.subi %pixel, %c1 : index
    %sum = scf.for %r = %c0 to %c3 step %c1 iter_args(%rows = %zero) -> (vector<8x16xf32>) {
      %i = arith.addi %above, %r : index
      %is_inside = arith.cmpi ult, %i, %c6 : index
      %with_row = scf.if %is_inside -> (vector<8x16xf32>) {
        %image = memref.subview %x[%i, 0, 0] [1, 14, 16] [1, 1, 1]
            : memref<6x14x16xf16> to memref<14x16xf16, strided<[16, 1], offset: ?>>
        %tx = xegpu.create_nd_tdesc %image : memref<14x16xf16, strided<[16, 1], offset: ?>> -> !image
        %with_columns = scf.for %s = %c0 to %c3 step %c1 iter_args(%acc = %rows) -> (vector<8x16xf32>) {
          %j = arith.addi %before, %s : index
          %place = memref.subview %w[%r, %s, 0, 0] [1, 1, 16, 32] [1, 1, 1, 1]
              : memref<3x3x16x32xf16> to memref<16x32xf16, strided<[32, 1], offset: ?>>
          %tw = xegpu.create_nd_tdesc %place : memref<16x32xf16, strided<[32, 1], offset: ?>> -> !weights
          %a = xegpu.load_nd %tx[%j, 0] : !image -> vector<8x16xf16>
          %b = xegpu.load_nd %tw[0, %filter] : !weights -> vector<16x16xf16>
          %next = xegpu.dpas %a, %b, %acc
              : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
          scf.yield %next : vector<8x16xf32>
        }
        scf.yield %with_columns : vector<8x16xf32>
      } else {
        scf.yield %rows : vector<8x16xf32>
      }
      scf.yield %with_row : vector<8x16xf32>
    }
    %own = memref.subview %y[%row, 0, 0] [1, 14, 32] [1, 1, 1]
        : memref<6x14x32xf32> to memref<14x32xf32, strided<[32, 1], offset: ?>>
    %ty = xegpu.create_nd_tdesc %own : memref<14x32xf32, strided<[32, 1], offset: ?>> -> !result
    xegpu.store_nd %sum, %ty[%pixel, %filter] : vector<8x16xf32>, !result
    gpu.return
  }
}
