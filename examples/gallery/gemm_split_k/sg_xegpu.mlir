// C += A x B, f16, with K split between work-groups. Subgroup XeGPU, PVC.
// A subgroup computes 8x16 of C, one matrix instruction for each 16 of K.
// Each plane of the grid multiplies its part of K and adds its sum to C.
// Rows of the tile are added through descriptors with an address for each lane.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x16xf16>
!desc_row = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 8, 2, 3>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %part_id = gpu.block_id z
    %parts = gpu.grid_dim z
    %share = arith.divui %c96, %parts : index
    %k0 = arith.muli %part_id, %share : index
    %k1 = arith.addi %k0, %share : index
    %a0 = xegpu.create_nd_tdesc %a[%m, %k0] : memref<64x96xf16> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[%k0, %n] : memref<96x32xf16> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %result:3 = scf.for %k = %k0 to %k1 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x16xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x16xf16>
      %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x16x2xf16>
      %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
      %sum = xegpu.dpas %va, %vb, %acc
          : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x16xf32>
    }
    %flat = memref.reinterpret_cast %c to offset: [0], sizes: [2048], strides: [1]
        : memref<64x32xf32> to memref<2048xf32>
    %lanes = vector.step : vector<16xindex>
    %all = arith.constant dense<true> : vector<16xi1>
    scf.for %r = %c0 to %c8 step %c1 {
      %row = arith.addi %m, %r : index
      %row_start = arith.muli %row, %c32 : index
      %start = arith.addi %row_start, %n : index
      %starts = vector.broadcast %start : index to vector<16xindex>
      %places = arith.addi %starts, %lanes : vector<16xindex>
      %tc = xegpu.create_tdesc %flat, %places : memref<2048xf32>, vector<16xindex> -> !desc_row
      %part = vector.extract %result#2[%r] : vector<16xf32> from vector<8x16xf32>
      %old = xegpu.atomic_rmw addf %tc, %all, %part
          : !desc_row, vector<16xi1>, vector<16xf32> -> vector<16xf32>
    }
    gpu.return
  }
}
