// Sums and maxima of the rows and of the columns of a matrix. Four subgroups share it, two by two: each reduces its own
// part, then partial results go through shared local memory. Results are dealt out anew, eight rows and sixteen columns
// to each: what is stored has to come out even.
#map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 32]>
#columns = #xetile.wg_map<sg_layout = [4, 1], sg_data = [8, 1]>
#rows = #xetile.wg_map<sg_layout = [1, 4], sg_data = [1, 16]>
!tile = !xetile.tile<32x64xf32, #xetile.tile_attr<wg_map = #map>>
!column = !xetile.tile<32x1xf32, #xetile.tile_attr<wg_map = #columns>>
!row = !xetile.tile<1x64xf32, #xetile.tile_attr<wg_map = #rows>>
gpu.module @kernels {
  gpu.func @reduction(%x: memref<32x64xf32>, %row_sums: memref<32x1xf32>, %row_maxima: memref<32x1xf32>,
                      %column_sums: memref<1x64xf32>, %column_maxima: memref<1x64xf32>)
      kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                         known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %tx = xetile.init_tile %x[%c0, %c0] : memref<32x64xf32> -> !tile
    %t_row_sums = xetile.init_tile %row_sums[%c0, %c0] : memref<32x1xf32> -> !column
    %t_row_maxima = xetile.init_tile %row_maxima[%c0, %c0] : memref<32x1xf32> -> !column
    %t_column_sums = xetile.init_tile %column_sums[%c0, %c0] : memref<1x64xf32> -> !row
    %t_column_maxima = xetile.init_tile %column_maxima[%c0, %c0] : memref<1x64xf32> -> !row
    %v = xetile.load_tile %tx : !tile -> vector<32x64xf32>
    %rs = xetile.reduction <add>, %v [1] : vector<32x64xf32> -> vector<32x1xf32>
    %rm = xetile.reduction <maximumf>, %v [1] : vector<32x64xf32> -> vector<32x1xf32>
    %cs = xetile.reduction <add>, %v [0] : vector<32x64xf32> -> vector<1x64xf32>
    %cm = xetile.reduction <maximumf>, %v [0] : vector<32x64xf32> -> vector<1x64xf32>
    xetile.store_tile %rs, %t_row_sums : vector<32x1xf32>, !column
    xetile.store_tile %rm, %t_row_maxima : vector<32x1xf32>, !column
    xetile.store_tile %cs, %t_column_sums : vector<1x64xf32>, !row
    xetile.store_tile %cm, %t_column_maxima : vector<1x64xf32>, !row
    gpu.return
  }
}
