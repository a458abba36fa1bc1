// Softmax of 8 rows of 64 values in each subgroup, row by row: 8 work-items share the columns, 8 values of a row each,
// and gpu.subgroup_reduce combines what they have found.
!desc = !xegpu.tensor_desc<1x64xf32, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>>
gpu.module @kernels {
  gpu.func @softmax(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %block = gpu.block_id x
    %subgroup = gpu.subgroup_id : index
    %first = arith.muli %block, %c2 : index
    %global = arith.addi %first, %subgroup : index
    %row = arith.muli %global, %c8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %r = arith.addi %row, %i : index
      %tx = xegpu.create_nd_tdesc %x[%r, 0] : memref<64x64xf32> -> !desc
      %v = xegpu.load_nd %tx : !desc -> vector<8x1xf32>
      %flat = vector.shape_cast %v : vector<8x1xf32> to vector<8xf32>
      %own_max = vector.reduction <maximumf>, %flat : vector<8xf32> into f32
      %max = gpu.subgroup_reduce maximumf %own_max : (f32) -> f32
      %maxima = vector.broadcast %max : f32 to vector<8xf32>
      %d = arith.subf %flat, %maxima : vector<8xf32>
      %e = math.exp %d : vector<8xf32>
      %own_sum = vector.reduction <add>, %e : vector<8xf32> into f32
      %sum = gpu.subgroup_reduce add %own_sum : (f32) -> f32
      %sums = vector.broadcast %sum : f32 to vector<8xf32>
      %p = arith.divf %e, %sums : vector<8xf32>
      %w = vector.shape_cast %p : vector<8xf32> to vector<8x1xf32>
      %ty = xegpu.create_nd_tdesc %y[%r, 0] : memref<64x64xf32> -> !desc
      xegpu.store_nd %w, %ty : vector<8x1xf32>, !desc
    }
    gpu.return
  }
}
