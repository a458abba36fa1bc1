// C = gelu(A x B), in its form with tanh. Subgroup XeTile.
// A subgroup computes 16x16 of C; blocking cuts its tiles into what the target's instructions take.
// x / 2 (1 + tanh(sqrt(2 / pi) x (1 + 0.044715 x²))) of each element; math functions are computed in f32.
!tile_a = !xetile.tile<16x16xbf16>
!tile_b = !xetile.tile<16x16xbf16>
!tile_c = !xetile.tile<16x16xf32>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x32xbf16>, %b: memref<32x32xbf16>, %c: memref<64x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 4, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c16 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xetile.init_tile %a[%m, 0] : memref<64x32xbf16> -> !tile_a
    %b0 = xetile.init_tile %b[0, %n] : memref<32x32xbf16> -> !tile_b
    %zero = arith.constant dense<0.0> : vector<16x16xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!tile_a, !tile_b, vector<16x16xf32>) {
      %va = xetile.load_tile %ta : !tile_a -> vector<16x16xbf16>
      %vb = xetile.load_tile %tb : !tile_b -> vector<16x16xbf16>
      %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
      %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
      %sum = xetile.tile_mma %va, %vb, %acc
          : vector<16x16xbf16>, vector<16x16xbf16>, vector<16x16xf32> -> vector<16x16xf32>
      scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xf32>
    }
    %one = arith.constant dense<1.0> : vector<16x16xf32>
    %half = arith.constant dense<0.5> : vector<16x16xf32>
    %cubic = arith.constant dense<0.044715> : vector<16x16xf32>
    %root = arith.constant dense<0.797884583> : vector<16x16xf32>
    %square = arith.mulf %result#2, %result#2 : vector<16x16xf32>
    %bend = arith.mulf %square, %cubic : vector<16x16xf32>
    %factor = arith.addf %bend, %one : vector<16x16xf32>
    %scaled = arith.mulf %result#2, %root : vector<16x16xf32>
    %inner = arith.mulf %scaled, %factor : vector<16x16xf32>
    %tanh = math.tanh %inner : vector<16x16xf32>
    %gate = arith.addf %tanh, %one : vector<16x16xf32>
    %halved = arith.mulf %result#2, %half : vector<16x16xf32>
    %gelu = arith.mulf %halved, %gate : vector<16x16xf32>
    %tc = xetile.init_tile %c[%m, %n] : memref<64x32xf32> -> !tile_c
    xetile.store_tile %gelu, %tc : vector<16x16xf32>, !tile_c
    gpu.return
  }
}
