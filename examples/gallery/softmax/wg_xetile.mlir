// Softmax of 32 rows of 64 values. Eight subgroups share the tile, four by two: the two that share rows exchange the
// largest value and the sum of each row, which xetile-wg-to-sg sees to.
#map = #xetile.wg_map<sg_layout = [4, 2], sg_data = [8, 32]>
!tile = !xetile.tile<32x64xf32, #xetile.tile_attr<wg_map = #map>>
gpu.module @kernels {
  gpu.func @softmax(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 8, 1, 1>,
                  known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c32 : index
    %tx = xetile.init_tile %x[%row, %c0] : memref<64x64xf32> -> !tile
    %v = xetile.load_tile %tx : !tile -> vector<32x64xf32>
    %max = xetile.reduction <maximumf>, %v [1] : vector<32x64xf32> -> vector<32x1xf32>
    %maxima = xetile.broadcast %max [1] : vector<32x1xf32> -> vector<32x64xf32>
    %d = arith.subf %v, %maxima : vector<32x64xf32>
    %e = math.exp %d : vector<32x64xf32>
    %sum = xetile.reduction <add>, %e [1] : vector<32x64xf32> -> vector<32x1xf32>
    %sums = xetile.broadcast %sum [1] : vector<32x1xf32> -> vector<32x64xf32>
    %p = arith.divf %e, %sums : vector<32x64xf32>
    %ty = xetile.init_tile %y[%row, %c0] : memref<64x64xf32> -> !tile
    xetile.store_tile %p, %ty : vector<32x64xf32>, !tile
    gpu.return
  }
}
