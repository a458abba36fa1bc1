// C = A x B of 64x64 elements: XeTile's tiles have any size, and blocking divides them into what messages can load.
gpu.module @kernels {
  gpu.func @tile(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %m = arith.muli %x, %c16 : index
    %n = arith.muli %y, %c16 : index
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
      %ta = xetile.init_tile %a[%m, %k] : memref<64x64xbf16> -> !xetile.tile<16x16xbf16>
      %tb = xetile.init_tile %b[%k, %n] : memref<64x64xbf16> -> !xetile.tile<16x16xbf16>
      %va = xetile.load_tile %ta : !xetile.tile<16x16xbf16> -> vector<16x16xbf16>
      %vb = xetile.load_tile %tb : !xetile.tile<16x16xbf16> -> vector<16x16xbf16>
      %next = xetile.tile_mma %va, %vb, %acc
          : vector<16x16xbf16>, vector<16x16xbf16>, vector<16x16xf32> -> vector<16x16xf32>
      scf.yield %next : vector<16x16xf32>
    }
    %tc = xetile.init_tile %c[%m, %n] : memref<64x64xf32> -> !xetile.tile<16x16xf32>
    xetile.store_tile %sum, %tc : vector<16x16xf32>, !xetile.tile<16x16xf32>
    gpu.return
  }
}
