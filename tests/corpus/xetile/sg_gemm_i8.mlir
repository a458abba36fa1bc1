// Integers of 8 bits into sums of 32, scaled to floats at the end.
gpu.module @kernels {
  gpu.func @gemm(%a: memref<128x256xi8>, %b: memref<256x128xi8>, %scale: f32, %c: memref<128x128xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant dense<0> : vector<32x32xi32>
    %a0 = xetile.init_tile %a[32, 0] : memref<128x256xi8> -> !xetile.tile<32x64xi8>
    %b0 = xetile.init_tile %b[0, 32] : memref<256x128xi8> -> !xetile.tile<64x32xi8>
    %loop:3 = scf.for %k = %c0 to %c256 step %c64 iter_args(%at = %a0, %bt = %b0, %acc = %zero) -> (!xetile.tile<32x64xi8>, !xetile.tile<64x32xi8>, vector<32x32xi32>) {
      %av = xetile.load_tile %at {padding = 0 : i32} : !xetile.tile<32x64xi8> -> vector<32x64xi8>
      %bv = xetile.load_tile %bt {padding = 0 : i32} : !xetile.tile<64x32xi8> -> vector<64x32xi8>
      %next = xetile.tile_mma %av, %bv, %acc : vector<32x64xi8>, vector<64x32xi8>, vector<32x32xi32> -> vector<32x32xi32>
      %at1 = xetile.update_tile_offset %at, [%c0, %c64] : !xetile.tile<32x64xi8>
      %bt1 = xetile.update_tile_offset %bt, [%c64, %c0] : !xetile.tile<64x32xi8>
      scf.yield %at1, %bt1, %next : !xetile.tile<32x64xi8>, !xetile.tile<64x32xi8>, vector<32x32xi32>
    }
    %sums = arith.sitofp %loop#2 : vector<32x32xi32> to vector<32x32xf32>
    %scales = vector.broadcast %scale : f32 to vector<32x32xf32>
    %scaled = arith.mulf %sums, %scales : vector<32x32xf32>
    %ct = xetile.init_tile %c[32, 32] : memref<128x128xf32> -> !xetile.tile<32x32xf32>
    xetile.store_tile %scaled, %ct : vector<32x32xf32>, !xetile.tile<32x32xf32>
    gpu.return
  }
}
