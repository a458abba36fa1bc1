// Sums and maxima of the rows and of the columns of a matrix. A work-item has columns of eight rows: it reduces them
// itself, and combines the results with those of other subgroups atomically. Results of rows cross lanes. XeGPU of LLVM
// 22, PVC.
!tile = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @reduction(%x: memref<32x64xf32>, %row_sums: memref<32x1xf32>, %row_maxima: memref<32x1xf32>,
                      %column_sums: memref<1x64xf32>, %column_maxima: memref<1x64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %no_sums = arith.constant dense<0.0> : vector<8xf32>
    %no_maxima = arith.constant dense<0xFF800000> : vector<8xf32>
    %lane = gpu.lane_id
    %is_first = arith.cmpi eq, %lane, %c0 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c8 : index
    %tx = xegpu.create_nd_tdesc %x : memref<32x64xf32> -> !tile
    %all:2 = scf.for %j = %c0 to %c64 step %c16 iter_args(%sums = %no_sums, %maxima = %no_maxima)
        -> (vector<8xf32>, vector<8xf32>) {
      %v = xegpu.load_nd %tx[%i, %j] : !tile -> vector<8xf32>
      %next_sums = arith.addf %sums, %v : vector<8xf32>
      %next_maxima = arith.maximumf %maxima, %v : vector<8xf32>
      %sum = vector.reduction <add>, %v, %zero : vector<8xf32> into f32
      %maximum = vector.reduction <maximumf>, %v, %lowest : vector<8xf32> into f32
      %column = arith.addi %j, %lane : index
      %old_sum = memref.atomic_rmw addf %sum, %column_sums[%c0, %column] : (f32, memref<1x64xf32>) -> f32
      %old_maximum = memref.atomic_rmw maximumf %maximum, %column_maxima[%c0, %column] : (f32, memref<1x64xf32>) -> f32
      scf.yield %next_sums, %next_maxima : vector<8xf32>, vector<8xf32>
    }
    scf.for %r = %c0 to %c8 step %c1 {
      %row = arith.addi %i, %r : index
      %own_sum = vector.extract %all#0[%r] : f32 from vector<8xf32>
      %own_maximum = vector.extract %all#1[%r] : f32 from vector<8xf32>
      %sum = gpu.subgroup_reduce add %own_sum : (f32) -> f32
      %maximum = gpu.subgroup_reduce maximumf %own_maximum : (f32) -> f32
      scf.if %is_first {
        memref.store %sum, %row_sums[%row, %c0] : memref<32x1xf32>
        memref.store %maximum, %row_maxima[%row, %c0] : memref<32x1xf32>
      }
    }
    gpu.return
  }
}
