// C = A x B, i8 inputs and i32 accumulation. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
!tile_a = !xetile.tile<16x32xi8>
!tile_b = !xetile.tile<32x16xi8>
!tile_c = !xetile.tile<16x16xi32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x64xi8>, %b: memref<64x64xi8>, %c: memref<32x64xi32>) kernel
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
    %a0 = xetile.init_tile %a[%m, 0] : memref<32x64xi8> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n] : memref<64x64xi8> -> !tile_b
    %zero = arith.constant dense<0> : vector<16x16xi32>
    %result:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<16x16xi32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<16x32xi8>
      %vb = xetile.load_tile %tb : !tile_b -> vector<32x16xi8>
      %na = xetile.update_tile_offset %ta, [%c0, %c32] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c32, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc
          : vector<16x32xi8>, vector<32x16xi8>, vector<16x16xi32> -> vector<16x16xi32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xi32>
    }
    %tc = xetile.init_tile %c[%m, %n] : memref<32x64xi32> -> !tile_c
    xetile.store_tile %result#2, %tc : vector<16x16xi32>, !tile_c
    gpu.return
  }
}
