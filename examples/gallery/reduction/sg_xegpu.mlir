// Sums and maxima of the rows and of the columns of a matrix: each subgroup reduces a block of 8x16, and atomic updates
// bring the partial results together. Results start as zeros and as negative infinities.
!tile = !xegpu.tensor_desc<8x16xf32>
!down = !xegpu.tensor_desc<8xf32, #xegpu.scatter_tdesc_attr<>>
!across = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @kernels {
  gpu.func @reduction(%x: memref<32x64xf32>, %row_sums: memref<32x1xf32>, %row_maxima: memref<32x1xf32>,
                      %column_sums: memref<1x64xf32>, %column_maxima: memref<1x64xf32>)
      kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 4, 1>,
                         known_grid_size = array<i32: 1, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero8 = arith.constant dense<0.0> : vector<8xf32>
    %zero16 = arith.constant dense<0.0> : vector<16xf32>
    %lowest8 = arith.constant dense<0xFF800000> : vector<8xf32>
    %lowest16 = arith.constant dense<0xFF800000> : vector<16xf32>
    %all8 = arith.constant dense<true> : vector<8xi1>
    %all16 = arith.constant dense<true> : vector<16xi1>
    %step8 = vector.step : vector<8xindex>
    %step16 = vector.step : vector<16xindex>
    %sx = gpu.thread_id x
    %sy = gpu.thread_id y
    %i = arith.muli %sy, %c8 : index
    %j = arith.muli %sx, %c16 : index
    %tx = xegpu.create_nd_tdesc %x[%i, %j] : memref<32x64xf32> -> !tile
    %v = xegpu.load_nd %tx : !tile -> vector<8x16xf32>
    %rs = vector.multi_reduction <add>, %v, %zero8 [1] : vector<8x16xf32> to vector<8xf32>
    %rm = vector.multi_reduction <maximumf>, %v, %lowest8 [1] : vector<8x16xf32> to vector<8xf32>
    %cs = vector.multi_reduction <add>, %v, %zero16 [0] : vector<8x16xf32> to vector<16xf32>
    %cm = vector.multi_reduction <maximumf>, %v, %lowest16 [0] : vector<8x16xf32> to vector<16xf32>
    %is = vector.broadcast %i : index to vector<8xindex>
    %js = vector.broadcast %j : index to vector<16xindex>
    %rows = arith.addi %is, %step8 : vector<8xindex>
    %columns = arith.addi %js, %step16 : vector<16xindex>
    %flat_rs = memref.reinterpret_cast %row_sums to offset: [0], sizes: [32], strides: [1]
        : memref<32x1xf32> to memref<32xf32>
    %flat_rm = memref.reinterpret_cast %row_maxima to offset: [0], sizes: [32], strides: [1]
        : memref<32x1xf32> to memref<32xf32>
    %flat_cs = memref.collapse_shape %column_sums [[0, 1]] : memref<1x64xf32> into memref<64xf32>
    %flat_cm = memref.collapse_shape %column_maxima [[0, 1]] : memref<1x64xf32> into memref<64xf32>
    %t_rs = xegpu.create_tdesc %flat_rs, %rows : memref<32xf32>, vector<8xindex> -> !down
    %t_rm = xegpu.create_tdesc %flat_rm, %rows : memref<32xf32>, vector<8xindex> -> !down
    %t_cs = xegpu.create_tdesc %flat_cs, %columns : memref<64xf32>, vector<16xindex> -> !across
    %t_cm = xegpu.create_tdesc %flat_cm, %columns : memref<64xf32>, vector<16xindex> -> !across
    %old_rs = xegpu.atomic_rmw addf %t_rs, %all8, %rs : !down, vector<8xi1>, vector<8xf32> -> vector<8xf32>
    %old_rm = xegpu.atomic_rmw maximumf %t_rm, %all8, %rm : !down, vector<8xi1>, vector<8xf32> -> vector<8xf32>
    %old_cs = xegpu.atomic_rmw addf %t_cs, %all16, %cs : !across, vector<16xi1>, vector<16xf32> -> vector<16xf32>
    %old_cm = xegpu.atomic_rmw maximumf %t_cm, %all16, %cm : !across, vector<16xi1>, vector<16xf32> -> vector<16xf32>
    gpu.return
  }
}
