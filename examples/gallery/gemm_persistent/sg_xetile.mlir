// C = A x B, f16, by however many work-groups are launched. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
// Each group computes one tile of C after the other until none is left.
!tile_a = !xetile.tile<16x16xf16>
!tile_b = !xetile.tile<16x16xf16>
!tile_c = !xetile.tile<16x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x32xf16>, %b: memref<32x64xf16>, %c: memref<64x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 5, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %first = gpu.block_id x
    %groups = gpu.grid_dim x
    %columns = arith.constant 4 : index
    %tiles = arith.constant 16 : index
    scf.for %tile = %first to %tiles step %groups {
      %i = arith.divui %tile, %columns : index
      %j = arith.remui %tile, %columns : index
      %m = arith.muli %i, %c16 : index
      %n = arith.muli %j, %c16 : index
      %a0 = xetile.init_tile %a[%m, 0] : memref<64x32xf16> -> !tile_a
      %b0 = xetile.init_tile %b[0, %n] : memref<32x64xf16> -> !tile_b
      %zero = arith.constant dense<0.0> : vector<16x16xf32>
      %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!tile_a, !tile_b, vector<16x16xf32>) {
        %va = xetile.load_tile %ta : !tile_a -> vector<16x16xf16>
        %vb = xetile.load_tile %tb : !tile_b -> vector<16x16xf16>
        %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
        %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
        %sum = xetile.tile_mma %va, %vb, %acc
            : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
        scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xf32>
      }
      %tc = xetile.init_tile %c[%m, %n] : memref<64x64xf32> -> !tile_c
      xetile.store_tile %result#2, %tc : vector<16x16xf32>, !tile_c
    }
    gpu.return
  }
}
