// C = A x (B scaled), f16. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
// Each column of B has a scale for every 32 rows.
!tile_a = !xetile.tile<16x32xf16>
!tile_b = !xetile.tile<32x16xf16>
!tile_row_f16 = !xetile.tile<1x16xf16>
!tile_c = !xetile.tile<16x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x64xf16>, %b: memref<64x64xf16>, %s: memref<2x64xf16>, %c: memref<32x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 2, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c16 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xetile.init_tile %a[%m, 0] : memref<32x64xf16> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n] : memref<64x64xf16> -> !tile_b
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %result:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<16x16xf32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<16x32xf16>
      %vb = xetile.load_tile %tb : !tile_b -> vector<32x16xf16>
      %na = xetile.update_tile_offset %ta, [%c0, %c32] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c32, %c0] : !tile_b
      %group = arith.divui %k, %c32 : index
      %tscales = xetile.init_tile %s[%group, %n] : memref<2x64xf16> -> !tile_row_f16
      %vscales = xetile.load_tile %tscales : !tile_row_f16 -> vector<1x16xf16>
      %scales = xetile.broadcast %vscales [0] : vector<1x16xf16> -> vector<32x16xf16>
      %scaled = arith.mulf %vb, %scales : vector<32x16xf16>
      %sum = xetile.tile_mma %va, %scaled, %acc
          : vector<16x32xf16>, vector<32x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xf32>
    }
    %tc = xetile.init_tile %c[%m, %n] : memref<32x64xf32> -> !tile_c
    xetile.store_tile %result#2, %tc : vector<16x16xf32>, !tile_c
    gpu.return
  }
}
