// Sums and maxima of the rows and of the columns of a matrix. Each of four subgroups has eight rows, whose results are
// its own; those of columns it combines with what the others find, atomically. XeGPU of LLVM 22.
!tile = !xegpu.tensor_desc<8x64xf32>
!column = !xegpu.tensor_desc<8x1xf32>
!row = !xegpu.tensor_desc<64xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @reduction(%x: memref<32x64xf32>, %row_sums: memref<32x1xf32>, %row_maxima: memref<32x1xf32>,
                      %column_sums: memref<1x64xf32>, %column_maxima: memref<1x64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c8 = arith.constant 8 : index
    %no_row_sums = arith.constant dense<0.0> : vector<8xf32>
    %no_row_maxima = arith.constant dense<0xFF800000> : vector<8xf32>
    %no_column_sums = arith.constant dense<0.0> : vector<64xf32>
    %no_column_maxima = arith.constant dense<0xFF800000> : vector<64xf32>
    %all = arith.constant dense<true> : vector<64xi1>
    %columns = vector.step : vector<64xindex>
    %block = gpu.block_id x
    %i = arith.muli %block, %c8 : index
    %sums = memref.collapse_shape %column_sums [[0, 1]] : memref<1x64xf32> into memref<64xf32>
    %maxima = memref.collapse_shape %column_maxima [[0, 1]] : memref<1x64xf32> into memref<64xf32>
    %tx = xegpu.create_nd_tdesc %x : memref<32x64xf32> -> !tile
    %t_row_sums = xegpu.create_nd_tdesc %row_sums : memref<32x1xf32> -> !column
    %t_row_maxima = xegpu.create_nd_tdesc %row_maxima : memref<32x1xf32> -> !column
    %t_sums = xegpu.create_tdesc %sums, %columns : memref<64xf32>, vector<64xindex> -> !row
    %t_maxima = xegpu.create_tdesc %maxima, %columns : memref<64xf32>, vector<64xindex> -> !row
    %v = xegpu.load_nd %tx[%i, 0] : !tile -> vector<8x64xf32>
    %rs = vector.multi_reduction <add>, %v, %no_row_sums [1] : vector<8x64xf32> to vector<8xf32>
    %rm = vector.multi_reduction <maximumf>, %v, %no_row_maxima [1] : vector<8x64xf32> to vector<8xf32>
    %cs = vector.multi_reduction <add>, %v, %no_column_sums [0] : vector<8x64xf32> to vector<64xf32>
    %cm = vector.multi_reduction <maximumf>, %v, %no_column_maxima [0] : vector<8x64xf32> to vector<64xf32>
    %rs_column = vector.shape_cast %rs : vector<8xf32> to vector<8x1xf32>
    %rm_column = vector.shape_cast %rm : vector<8xf32> to vector<8x1xf32>
    xegpu.store_nd %rs_column, %t_row_sums[%i, 0] : vector<8x1xf32>, !column
    xegpu.store_nd %rm_column, %t_row_maxima[%i, 0] : vector<8x1xf32>, !column
    %old_sums = xegpu.atomic_rmw addf %t_sums, %all, %cs : !row, vector<64xi1>, vector<64xf32> -> vector<64xf32>
    %old_maxima = xegpu.atomic_rmw maximumf %t_maxima, %all, %cm : !row, vector<64xi1>, vector<64xf32> -> vector<64xf32>
    gpu.return
  }
}
