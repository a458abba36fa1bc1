// C = A x Bᵀ: B is stored as N x K, bf16. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
// The transpose of a loaded tile becomes a transposed, packed load.
!tile_a = !xetile.tile<16x16xbf16>
!tile_bt = !xetile.tile<16x16xbf16>
!tile_c = !xetile.tile<16x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x32xbf16>, %b: memref<64x32xbf16>, %c: memref<32x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 2, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c16 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xetile.init_tile %a[%m, 0] : memref<32x32xbf16> -> !tile_a
    %b0 = xetile.init_tile %b[%n, 0] : memref<64x32xbf16> -> !tile_bt
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_bt, vector<16x16xf32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<16x16xbf16>
      %sb = xetile.load_tile %tb : !tile_bt -> vector<16x16xbf16>
      %vb = xetile.transpose %sb, [1, 0] : vector<16x16xbf16> -> vector<16x16xbf16>
      %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c0, %c16] : !tile_bt
      %sum = xetile.tile_mma %va, %vb, %acc
          : vector<16x16xbf16>, vector<16x16xbf16>, vector<16x16xf32> -> vector<16x16xf32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_bt, vector<16x16xf32>
    }
    %tc = xetile.init_tile %c[%m, %n] : memref<32x64xf32> -> !tile_c
    xetile.store_tile %result#2, %tc : vector<16x16xf32>, !tile_c
    gpu.return
  }
}
