// Softmax in two passes over a row, 16 columns at a time: the first keeps a running maximum and a running sum for each
// row, and scales the sum whenever the maximum grows; the second writes. Any width that is a multiple of 16 would do.
!desc = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels {
  gpu.func @softmax(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 2, 1, 1>,
                  known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %lowest = arith.constant dense<0xFF800000> : vector<8xf32>
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %subgroup = gpu.global_id x
    %row = arith.muli %subgroup, %c8 : index
    %tx = xegpu.create_nd_tdesc %x[%row, 0] : memref<64x64xf32> -> !desc
    %ty = xegpu.create_nd_tdesc %y[%row, 0] : memref<64x64xf32> -> !desc
    %first:3 = scf.for %j = %c0 to %c64 step %c16 iter_args(%t = %tx, %m = %lowest, %s = %zero)
        -> (!desc, vector<8xf32>, vector<8xf32>) {
      %v = xegpu.load_nd %t : !desc -> vector<8x16xf32>
      %max = vector.multi_reduction <maximumf>, %v, %m [1] : vector<8x16xf32> to vector<8xf32>
      %column = vector.shape_cast %max : vector<8xf32> to vector<8x1xf32>
      %maxima = vector.broadcast %column : vector<8x1xf32> to vector<8x16xf32>
      %d = arith.subf %v, %maxima : vector<8x16xf32>
      %e = math.exp %d : vector<8x16xf32>
      %growth = arith.subf %m, %max : vector<8xf32>
      %scale = math.exp %growth : vector<8xf32>
      %scaled = arith.mulf %s, %scale : vector<8xf32>
      %sum = vector.multi_reduction <add>, %e, %scaled [1] : vector<8x16xf32> to vector<8xf32>
      %next = xegpu.update_nd_offset %t, [0, 16] : !desc
      scf.yield %next, %max, %sum : !desc, vector<8xf32>, vector<8xf32>
    }
    %max = vector.shape_cast %first#1 : vector<8xf32> to vector<8x1xf32>
    %maxima = vector.broadcast %max : vector<8x1xf32> to vector<8x16xf32>
    %sum = vector.shape_cast %first#2 : vector<8xf32> to vector<8x1xf32>
    %sums = vector.broadcast %sum : vector<8x1xf32> to vector<8x16xf32>
    %second:2 = scf.for %j = %c0 to %c64 step %c16 iter_args(%s = %tx, %t = %ty) -> (!desc, !desc) {
      %v = xegpu.load_nd %s : !desc -> vector<8x16xf32>
      %d = arith.subf %v, %maxima : vector<8x16xf32>
      %e = math.exp %d : vector<8x16xf32>
      %p = arith.divf %e, %sums : vector<8x16xf32>
      xegpu.store_nd %p, %t : vector<8x16xf32>, !desc
      %ns = xegpu.update_nd_offset %s, [0, 16] : !desc
      %nt = xegpu.update_nd_offset %t, [0, 16] : !desc
      scf.yield %ns, %nt : !desc, !desc
    }
    gpu.return
  }
}
