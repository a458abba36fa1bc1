// C += A x B, f16, with K split between work-groups. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
// Each plane of the grid multiplies its part of K and adds its sum to C.
// atomic_rmw adds a whole tile.
!tile_a = !xetile.tile<16x16xf16>
!tile_b = !xetile.tile<16x16xf16>
!tile_c = !xetile.tile<16x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 2, 3>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c16 : index
    %n = arith.muli %by, %c16 : index
    %part_id = gpu.block_id z
    %parts = gpu.grid_dim z
    %share = arith.divui %c96, %parts : index
    %k0 = arith.muli %part_id, %share : index
    %k1 = arith.addi %k0, %share : index
    %a0 = xetile.init_tile %a[%m, %k0] : memref<64x96xf16> -> !tile_a
    %b0 = xetile.init_tile %b[%k0, %n] : memref<96x32xf16> -> !tile_b
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %result:3 = scf.for %k = %k0 to %k1 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<16x16xf32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<16x16xf16>
      %vb = xetile.load_tile %tb : !tile_b -> vector<16x16xf16>
      %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc
          : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xf32>
    }
    %tc = xetile.init_tile %c[%m, %n] : memref<64x32xf32> -> !tile_c
    %old = xetile.atomic_rmw addf %result#2, %tc : vector<16x16xf32>, !tile_c -> vector<16x16xf32>
    gpu.return
  }
}
