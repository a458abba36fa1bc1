// Softmax of rows: a subgroup has eight whole rows, so that one reduction gives their maxima, and another one their sums.
// XeGPU of LLVM 22.
!desc = !xegpu.tensor_desc<8x64xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @softmax(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %lowest = arith.constant dense<0xFF800000> : vector<8xf32>
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %id = gpu.global_id x
    %subgroup = arith.divui %id, %c16 : index
    %row = arith.muli %subgroup, %c8 : index
    %tx = xegpu.create_nd_tdesc %x : memref<64x64xf32> -> !desc
    %ty = xegpu.create_nd_tdesc %y : memref<64x64xf32> -> !desc
    %v = xegpu.load_nd %tx[%row, 0] : !desc -> vector<8x64xf32>
    %max = vector.multi_reduction <maximumf>, %v, %lowest [1] : vector<8x64xf32> to vector<8xf32>
    %max_column = vector.shape_cast %max : vector<8xf32> to vector<8x1xf32>
    %maxima = vector.broadcast %max_column : vector<8x1xf32> to vector<8x64xf32>
    %d = arith.subf %v, %maxima : vector<8x64xf32>
    %e = math.exp %d : vector<8x64xf32>
    %sum = vector.multi_reduction <add>, %e, %zero [1] : vector<8x64xf32> to vector<8xf32>
    %sum_column = vector.shape_cast %sum : vector<8xf32> to vector<8x1xf32>
    %sums = vector.broadcast %sum_column : vector<8x1xf32> to vector<8x64xf32>
    %p = arith.divf %e, %sums : vector<8x64xf32>
    xegpu.store_nd %p, %ty[%row, 0] : vector<8x64xf32>, !desc
    gpu.return
  }
}
