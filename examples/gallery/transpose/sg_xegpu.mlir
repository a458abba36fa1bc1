// The transpose of a matrix in tiles of 16x16 that two subgroups share. Each loads eight rows and writes each of them
// to shared local memory with gaps, as a column; a row takes 17 words, so that no two elements of a column are in the
// same bank. 16-bit elements travel as f32 there: memory messages of lanes move 32 bits anyway. Then each reads eight
// rows.
!block = !xegpu.tensor_desc<8x16xf16>
!lanes = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<memory_space = slm>>
!line = !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
gpu.module @kernels {
  gpu.func @transpose(%x: memref<128x64xf16>, %y: memref<64x128xf16>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 2, 1, 1>,
                  known_grid_size = array<i32: 4, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c17 = arith.constant 17 : index
    %all = arith.constant dense<true> : vector<16xi1>
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %pitch = arith.constant dense<17> : vector<16xindex>
    %step = vector.step : vector<16xindex>
    %column = arith.muli %step, %pitch : vector<16xindex>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %subgroup = gpu.subgroup_id : index
    %i = arith.muli %by, %c16 : index
    %j = arith.muli %bx, %c16 : index
    %own = arith.muli %subgroup, %c8 : index
    %from = arith.addi %i, %own : index
    %to = arith.addi %j, %own : index
    %slm = memref.alloc() : memref<272xf32, 3>
    %tx = xegpu.create_nd_tdesc %x[%from, %j] : memref<128x64xf16> -> !block
    %narrow = xegpu.load_nd %tx : !block -> vector<8x16xf16>
    %v = arith.extf %narrow : vector<8x16xf16> to vector<8x16xf32>
    scf.for %r = %c0 to %c8 step %c1 {
      %at = arith.addi %own, %r : index
      %start = vector.broadcast %at : index to vector<16xindex>
      %places = arith.addi %start, %column : vector<16xindex>
      %row = vector.extract %v[%r] : vector<16xf32> from vector<8x16xf32>
      %td = xegpu.create_tdesc %slm, %places : memref<272xf32, 3>, vector<16xindex> -> !lanes
      xegpu.store %row, %td, %all : vector<16xf32>, !lanes, vector<16xi1>
    }
    gpu.barrier
    %turned = scf.for %r = %c0 to %c8 step %c1 iter_args(%rows = %zero) -> (vector<8x16xf32>) {
      %at = arith.addi %own, %r : index
      %place = arith.muli %at, %c17 : index
      %td = xegpu.create_nd_tdesc %slm[%place] : memref<272xf32, 3> -> !line
      %row = xegpu.load_nd %td : !line -> vector<16xf32>
      %next = vector.insert %row, %rows[%r] : vector<16xf32> into vector<8x16xf32>
      scf.yield %next : vector<8x16xf32>
    }
    %w = arith.truncf %turned : vector<8x16xf32> to vector<8x16xf16>
    %ty = xegpu.create_nd_tdesc %y[%to, %i] : memref<64x128xf16> -> !block
    xegpu.store_nd %w, %ty : vector<8x16xf16>, !block
    gpu.return
  }
}
