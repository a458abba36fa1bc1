// Softmax of 8 rows of 64 values in each subgroup. No size here is a size of the machine: xetile-blocking cuts the
// tile.
!tile = !xetile.tile<8x64xf32>
gpu.module @kernels {
  gpu.func @softmax(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 2, 1, 1>,
                  known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %subgroup = gpu.global_id x
    %row = arith.muli %subgroup, %c8 : index
    %tx = xetile.init_tile %x[%row, %c0] : memref<64x64xf32> -> !tile
    %v = xetile.load_tile %tx : !tile -> vector<8x64xf32>
    %max = xetile.reduction <maximumf>, %v [1] : vector<8x64xf32> -> vector<8x1xf32>
    %maxima = xetile.broadcast %max [1] : vector<8x1xf32> -> vector<8x64xf32>
    %d = arith.subf %v, %maxima : vector<8x64xf32>
    %e = math.exp %d : vector<8x64xf32>
    %sum = xetile.reduction <add>, %e [1] : vector<8x64xf32> -> vector<8x1xf32>
    %sums = xetile.broadcast %sum [1] : vector<8x1xf32> -> vector<8x64xf32>
    %p = arith.divf %e, %sums : vector<8x64xf32>
    %ty = xetile.init_tile %y[%row, %c0] : memref<64x64xf32> -> !tile
    xetile.store_tile %p, %ty : vector<8x64xf32>, !tile
    gpu.return
  }
}
