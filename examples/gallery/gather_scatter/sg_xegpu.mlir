// y[to[k]] = 2 * x[from[k]], where negative indices stand for "nowhere": what comes from nowhere is 1, what goes
// nowhere is dropped. A subgroup has 16 indices at a time: one for each lane of a gather. Masked lanes of a load are
// undefined until they are chosen.
!indices = !xegpu.tensor_desc<16xi32>
!elements = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @kernels {
  gpu.func @gather_scatter(%from: memref<8x64xi32>, %to: memref<8x64xi32>, %x: memref<700xf32>,
                           %y: memref<600xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                  known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0> : vector<16xi32>
    %two = arith.constant dense<2.0> : vector<16xf32>
    %half = arith.constant dense<0.5> : vector<16xf32>
    %subgroup = gpu.thread_id x
    %j = arith.muli %subgroup, %c16 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %t_from = xegpu.create_nd_tdesc %from[%i, %j] : memref<8x64xi32> -> !indices
      %t_to = xegpu.create_nd_tdesc %to[%i, %j] : memref<8x64xi32> -> !indices
      %origin = xegpu.load_nd %t_from : !indices -> vector<16xi32>
      %target = xegpu.load_nd %t_to : !indices -> vector<16xi32>
      %comes = arith.cmpi sge, %origin, %zero : vector<16xi32>
      %goes = arith.cmpi sge, %target, %zero : vector<16xi32>
      %origins = arith.index_cast %origin : vector<16xi32> to vector<16xindex>
      %targets = arith.index_cast %target : vector<16xi32> to vector<16xindex>
      %tx = xegpu.create_tdesc %x, %origins : memref<700xf32>, vector<16xindex> -> !elements
      %loaded = xegpu.load %tx, %comes : !elements, vector<16xi1> -> vector<16xf32>
      %v = arith.select %comes, %loaded, %half : vector<16xi1>, vector<16xf32>
      %w = arith.mulf %v, %two : vector<16xf32>
      %ty = xegpu.create_tdesc %y, %targets : memref<600xf32>, vector<16xindex> -> !elements
      xegpu.store %w, %ty, %goes : vector<16xf32>, !elements, vector<16xi1>
    }
    gpu.return
  }
}
