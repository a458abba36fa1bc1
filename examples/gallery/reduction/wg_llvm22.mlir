// Sums and maxima of the rows and of the columns of a matrix. Four subgroups share it, two by two: each reduces its own
// part, and the compiler combines partial results. Results are divided among all of them anew. XeGPU of LLVM 22.
#map = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
#columns = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 1]>
#rows = #xegpu.layout<sg_layout = [1, 4], sg_data = [1, 16]>
!tile = !xegpu.tensor_desc<32x64xf32>
!column = !xegpu.tensor_desc<32x1xf32>
!row = !xegpu.tensor_desc<1x64xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @reduction(%x: memref<32x64xf32>, %row_sums: memref<32x1xf32>, %row_maxima: memref<32x1xf32>,
                      %column_sums: memref<1x64xf32>, %column_maxima: memref<1x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %no_row_sums = arith.constant dense<0.0> : vector<32xf32>
    %no_row_maxima = arith.constant dense<0xFF800000> : vector<32xf32>
    %no_column_sums = arith.constant dense<0.0> : vector<64xf32>
    %no_column_maxima = arith.constant dense<0xFF800000> : vector<64xf32>
    %tx = xegpu.create_nd_tdesc %x : memref<32x64xf32> -> !tile
    %t_row_sums = xegpu.create_nd_tdesc %row_sums : memref<32x1xf32> -> !column
    %t_row_maxima = xegpu.create_nd_tdesc %row_maxima : memref<32x1xf32> -> !column
    %t_column_sums = xegpu.create_nd_tdesc %column_sums : memref<1x64xf32> -> !row
    %t_column_maxima = xegpu.create_nd_tdesc %column_maxima : memref<1x64xf32> -> !row
    %v = xegpu.load_nd %tx[0, 0] <{layout = #map}> : !tile -> vector<32x64xf32>
    %rs = vector.multi_reduction <add>, %v, %no_row_sums [1] : vector<32x64xf32> to vector<32xf32>
    %rm = vector.multi_reduction <maximumf>, %v, %no_row_maxima [1] : vector<32x64xf32> to vector<32xf32>
    %cs = vector.multi_reduction <add>, %v, %no_column_sums [0] : vector<32x64xf32> to vector<64xf32>
    %cm = vector.multi_reduction <maximumf>, %v, %no_column_maxima [0] : vector<32x64xf32> to vector<64xf32>
    %rs_column = vector.shape_cast %rs : vector<32xf32> to vector<32x1xf32>
    %rm_column = vector.shape_cast %rm : vector<32xf32> to vector<32x1xf32>
    %cs_row = vector.shape_cast %cs : vector<64xf32> to vector<1x64xf32>
    %cm_row = vector.shape_cast %cm : vector<64xf32> to vector<1x64xf32>
    xegpu.store_nd %rs_column, %t_row_sums[0, 0] <{layout = #columns}> : vector<32x1xf32>, !column
    xegpu.store_nd %rm_column, %t_row_maxima[0, 0] <{layout = #columns}> : vector<32x1xf32>, !column
    xegpu.store_nd %cs_row, %t_column_sums[0, 0] <{layout = #rows}> : vector<1x64xf32>, !row
    xegpu.store_nd %cm_row, %t_column_maxima[0, 0] <{layout = #rows}> : vector<1x64xf32>, !row
    gpu.return
  }
}
