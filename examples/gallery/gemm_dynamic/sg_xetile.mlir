// C = A x B of any size, f16. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
// Sizes come with the arrays; a grid that covers C is launched. Tiles cross the edges as they like.
!tile_a = !xetile.tile<16x16xf16>
!tile_b = !xetile.tile<16x16xf16>
!tile_c = !xetile.tile<16x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c16 : index
    %n = arith.muli %by, %c16 : index
    %rows = memref.dim %a, %c0 : memref<?x?xf16>
    %depth = memref.dim %a, %c1 : memref<?x?xf16>
    %columns = memref.dim %b, %c1 : memref<?x?xf16>
    %a0 = xetile.init_tile %a[%m, 0], [%rows, %depth], [%depth, 1] : memref<?x?xf16> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n], [%depth, %columns], [%columns, 1] : memref<?x?xf16> -> !tile_b
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %result:3 = scf.for %k = %c0 to %depth step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<16x16xf32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<16x16xf16>
      %vb = xetile.load_tile %tb : !tile_b -> vector<16x16xf16>
      %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc
          : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xf32>
    }
    %tc = xetile.init_tile %c[%m, %n], [%rows, %columns], [%columns, 1] : memref<?x?xf32> -> !tile_c
    xetile.store_tile %result#2, %tc : vector<16x16xf32>, !tile_c
    gpu.return
  }
}
