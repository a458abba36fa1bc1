// Sums and maxima of the rows and of the columns of a matrix, by one subgroup: it walks down in steps of eight rows,
// writes what it has found of them, and carries what it has found of the columns so far.
!tile = !xetile.tile<8x64xf32>
!column = !xetile.tile<8x1xf32>
!row = !xetile.tile<1x64xf32>
gpu.module @kernels {
  gpu.func @reduction(%x: memref<32x64xf32>, %row_sums: memref<32x1xf32>, %row_maxima: memref<32x1xf32>,
                      %column_sums: memref<1x64xf32>, %column_maxima: memref<1x64xf32>)
      kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                         known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : vector<1x64xf32>
    %lowest = arith.constant dense<0xFF800000> : vector<1x64xf32>
    %tx = xetile.init_tile %x[%c0, %c0] : memref<32x64xf32> -> !tile
    %first_sums = xetile.init_tile %row_sums[%c0, %c0] : memref<32x1xf32> -> !column
    %first_maxima = xetile.init_tile %row_maxima[%c0, %c0] : memref<32x1xf32> -> !column
    %t_column_sums = xetile.init_tile %column_sums[%c0, %c0] : memref<1x64xf32> -> !row
    %t_column_maxima = xetile.init_tile %column_maxima[%c0, %c0] : memref<1x64xf32> -> !row
    %found:5 = scf.for %i = %c0 to %c32 step %c8
        iter_args(%t = %tx, %ts = %first_sums, %tm = %first_maxima, %sums = %zero, %maxima = %lowest)
        -> (!tile, !column, !column, vector<1x64xf32>, vector<1x64xf32>) {
      %v = xetile.load_tile %t : !tile -> vector<8x64xf32>
      %rs = xetile.reduction <add>, %v [1] : vector<8x64xf32> -> vector<8x1xf32>
      %rm = xetile.reduction <maximumf>, %v [1] : vector<8x64xf32> -> vector<8x1xf32>
      xetile.store_tile %rs, %ts : vector<8x1xf32>, !column
      xetile.store_tile %rm, %tm : vector<8x1xf32>, !column
      %cs = xetile.reduction <add>, %v [0] : vector<8x64xf32> -> vector<1x64xf32>
      %cm = xetile.reduction <maximumf>, %v [0] : vector<8x64xf32> -> vector<1x64xf32>
      %next_sums = arith.addf %sums, %cs : vector<1x64xf32>
      %next_maxima = arith.maximumf %maxima, %cm : vector<1x64xf32>
      %nt = xetile.update_tile_offset %t, [%c8, %c0] : !tile
      %nts = xetile.update_tile_offset %ts, [%c8, %c0] : !column
      %ntm = xetile.update_tile_offset %tm, [%c8, %c0] : !column
      scf.yield %nt, %nts, %ntm, %next_sums, %next_maxima : !tile, !column, !column, vector<1x64xf32>, vector<1x64xf32>
    }
    xetile.store_tile %found#3, %t_column_sums : vector<1x64xf32>, !row
    xetile.store_tile %found#4, %t_column_maxima : vector<1x64xf32>, !row
    gpu.return
  }
}
