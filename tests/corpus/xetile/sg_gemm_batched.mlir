// Products of a batch: the outer dimension of each memref picks a matrix.
gpu.module @kernels {
  gpu.func @gemm(%a: memref<8x256x128xf16>, %b: memref<8x128x256xf16>, %c: memref<8x256x256xf16>) kernel attributes {VectorComputeFunctionINTEL, gpu.known_grid_size = array<i32: 8, 8, 8>} {
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %batch = gpu.block_id z
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %bx, %c32 : index
    %j = arith.muli %by, %c32 : index
    %at = xetile.init_tile %a[%batch, %i, 0] : memref<8x256x128xf16> -> !xetile.tile<32x128xf16>
    %bt = xetile.init_tile %b[%batch, 0, %j] : memref<8x128x256xf16> -> !xetile.tile<128x32xf16>
    %av = xetile.load_tile %at : !xetile.tile<32x128xf16> -> vector<32x128xf16>
    %bv = xetile.load_tile %bt : !xetile.tile<128x32xf16> -> vector<128x32xf16>
    %product = xetile.tile_mma %av, %bv : vector<32x128xf16>, vector<128x32xf16> -> vector<32x32xf32>
    %limit = arith.constant dense<0.0> : vector<32x32xf32>
    %relu = arith.maximumf %product, %limit fastmath<nnan,nsz> : vector<32x32xf32>
    %narrow = arith.truncf %relu : vector<32x32xf32> to vector<32x32xf16>
    %ct = xetile.init_tile %c[%batch, %i, %j] : memref<8x256x256xf16> -> !xetile.tile<32x32xf16>
    xetile.store_tile %narrow, %ct : vector<32x32xf16>, !xetile.tile<32x32xf16>
    gpu.return
  }
}
