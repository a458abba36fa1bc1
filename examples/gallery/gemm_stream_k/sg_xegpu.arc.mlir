// C += A x B, f16, stream-K: all steps along K of all tiles are one stream. Subgroup XeGPU, ARC.
// A subgroup computes 8x8 of C, one matrix instruction for each 16 of K.
// Each group takes an equal part of the stream, wherever in a tile that begins or ends.
// Rows of the tile are added through descriptors with an address for each lane.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x8xf16>
!desc_row = !xegpu.tensor_desc<8xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                  known_grid_size = array<i32: 5, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %group = gpu.block_id x
    %groups = gpu.grid_dim x
    %columns = arith.constant 4 : index
    %steps = arith.constant 6 : index
    %all_steps = arith.constant 192 : index
    %next_group = arith.addi %group, %c1 : index
    %begin_share = arith.muli %group, %all_steps : index
    %begin = arith.divui %begin_share, %groups : index
    %end_share = arith.muli %next_group, %all_steps : index
    %end = arith.divui %end_share, %groups : index
    %first = arith.divui %begin, %steps : index
    %last = arith.ceildivui %end, %steps : index
    scf.for %tile = %first to %last step %c1 {
      %i = arith.divui %tile, %columns : index
      %j = arith.remui %tile, %columns : index
      %m = arith.muli %i, %c8 : index
      %n = arith.muli %j, %c8 : index
      %tile_begin = arith.muli %tile, %steps : index
      %tile_end = arith.addi %tile_begin, %steps : index
      %own_begin = arith.maxui %begin, %tile_begin : index
      %own_end = arith.minui %end, %tile_end : index
      %step0 = arith.subi %own_begin, %tile_begin : index
      %step1 = arith.subi %own_end, %tile_begin : index
      %k0 = arith.muli %step0, %c16 : index
      %k1 = arith.muli %step1, %c16 : index
      %a0 = xegpu.create_nd_tdesc %a[%m, %k0] : memref<64x96xf16> -> !desc_a
      %b0 = xegpu.create_nd_tdesc %b[%k0, %n] : memref<96x32xf16> -> !desc_b
      %zero = arith.constant dense<0.0> : vector<8x8xf32>
      %result:3 = scf.for %k = %k0 to %k1 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!desc_a, !desc_b, vector<8x8xf32>) {
        %va = xegpu.load_nd %ta : !desc_a -> vector<8x16xf16>
        %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x8x2xf16>
        %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
        %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
        %sum = xegpu.dpas %va, %vb, %acc
            : vector<8x16xf16>, vector<8x8x2xf16>, vector<8x8xf32> -> vector<8x8xf32>
        scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x8xf32>
      }
      %flat = memref.reinterpret_cast %c to offset: [0], sizes: [2048], strides: [1]
          : memref<64x32xf32> to memref<2048xf32>
      %lanes = vector.step : vector<8xindex>
      %all = arith.constant dense<true> : vector<8xi1>
      scf.for %r = %c0 to %c8 step %c1 {
        %row = arith.addi %m, %r : index
        %row_start = arith.muli %row, %c32 : index
        %start = arith.addi %row_start, %n : index
        %starts = vector.broadcast %start : index to vector<8xindex>
        %places = arith.addi %starts, %lanes : vector<8xindex>
        %tc = xegpu.create_tdesc %flat, %places : memref<2048xf32>, vector<8xindex> -> !desc_row
        %part = vector.extract %result#2[%r] : vector<8xf32> from vector<8x8xf32>
        %old = xegpu.atomic_rmw addf %tc, %all, %part
            : !desc_row, vector<8xi1>, vector<8xf32> -> vector<8xf32>
      }
    }
    gpu.return
  }
}
