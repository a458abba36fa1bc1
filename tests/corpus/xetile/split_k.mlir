// Several groups share one block of the result and add their part of it atomically.
gpu.module @kernels {
  gpu.func @split_k(%a: memref<64x512xf16>, %b: memref<512x64xf16>, %c: memref<64x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c64 = arith.constant 64 : index
    %part = gpu.block_id x
    %k = arith.muli %part, %c64 : index
    %at = xetile.init_tile %a[0, %k] : memref<64x512xf16> -> !xetile.tile<64x64xf16>
    %bt = xetile.init_tile %b[%k, 0] : memref<512x64xf16> -> !xetile.tile<64x64xf16>
    %av = xetile.load_tile %at : !xetile.tile<64x64xf16> -> vector<64x64xf16>
    %bv = xetile.load_tile %bt : !xetile.tile<64x64xf16> -> vector<64x64xf16>
    %sum = xetile.tile_mma %av, %bv : vector<64x64xf16>, vector<64x64xf16> -> vector<64x64xf32>
    %ct = xetile.init_tile %c[0, 0] : memref<64x64xf32> -> !xetile.tile<64x64xf32>
    %old = xetile.atomic_rmw addf %sum, %ct : vector<64x64xf32>, !xetile.tile<64x64xf32> -> vector<64x64xf32>
    gpu.return
  }
}
