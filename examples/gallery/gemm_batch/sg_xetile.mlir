// C[i] = A[i] x B[i] for three pairs of matrices, f16. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
// The third dimension of the grid chooses the plane that tiles are of.
!tile_a = !xetile.tile<16x16xf16>
!tile_b = !xetile.tile<16x16xf16>
!tile_c = !xetile.tile<16x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<3x32x32xf16>, %b: memref<3x32x64xf16>, %c: memref<3x32x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 2, 4, 3>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c16 : index
    %n = arith.muli %by, %c16 : index
    %plane = gpu.block_id z
    %a0 = xetile.init_tile %a[%plane, %m, 0] : memref<3x32x32xf16> -> !tile_a
    %b0 = xetile.init_tile %b[%plane, 0, %n] : memref<3x32x64xf16> -> !tile_b
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
    %tc = xetile.init_tile %c[%plane, %m, %n] : memref<3x32x64xf32> -> !tile_c
    xetile.store_tile %result#2, %tc : vector<16x16xf32>, !tile_c
    gpu.return
  }
}
