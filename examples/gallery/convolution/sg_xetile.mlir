// A 3x3 convolution as a product, without a matrix of patches (implicit GEMM): for each place of the filter, a row of
// the image that is shifted by it, 16 pixels of 16 channels, times 16x32 weights. Columns beside the image read as
// zero; rows above and below it are left out. 14 columns make no difference: two pixels of the tile are computed of
// zeros, and not stored.
!image = !xetile.tile<16x16xf16>
!weights = !xetile.tile<16x32xf16>
!result = !xetile.tile<16x32xf32>
gpu.module @kernels {
  gpu.func @convolution(%x: memref<6x14x16xf16>, %w: memref<3x3x16x32xf16>, %y: memref<6x14x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 6, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %zero = arith.constant dense<0.0> : vector<16x32xf32>
    %row = gpu.block_id x
    %above = arith.subi %row, %c1 : index
    %sum = scf.for %r = %c0 to %c3 step %c1 iter_args(%rows = %zero) -> (vector<16x32xf32>) {
      %i = arith.addi %above, %r : index
      %is_inside = arith.cmpi ult, %i, %c6 : index
      %with_row = scf.if %is_inside -> (vector<16x32xf32>) {
        %with_columns = scf.for %s = %c0 to %c3 step %c1 iter_args(%acc = %rows) -> (vector<16x32xf32>) {
          %j = arith.subi %s, %c1 : index
          %tx = xetile.init_tile %x[%i, %j, %c0] : memref<6x14x16xf16> -> !image
          %tw = xetile.init_tile %w[%r, %s, %c0, %c0] : memref<3x3x16x32xf16> -> !weights
          %a = xetile.load_tile %tx : !image -> vector<16x16xf16>
          %b = xetile.load_tile %tw : !weights -> vector<16x32xf16>
          %next = xetile.tile_mma %a, %b, %acc
              : vector<16x16xf16>, vector<16x32xf16>, vector<16x32xf32> -> vector<16x32xf32>
          scf.yield %next : vector<16x32xf32>
        }
        scf.yield %with_columns : vector<16x32xf32>
      } else {
        scf.yield %rows : vector<16x32xf32>
      }
      scf.yield %with_row : vector<16x32xf32>
    }
    %ty = xetile.init_tile %y[%row, %c0, %c0] : memref<6x14x32xf32> -> !result
    xetile.store_tile %sum, %ty : vector<16x32xf32>, !result
    gpu.return
  }
}
