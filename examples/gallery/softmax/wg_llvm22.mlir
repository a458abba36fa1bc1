// Softmax of rows: four subgroups have 32x64 elements, two of them each half of the same rows. The compiler combines
// their maxima and their sums. XeGPU of LLVM 22.
#map = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
!desc = !xegpu.tensor_desc<32x64xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @softmax(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %c32 = arith.constant 32 : index
    %lowest = arith.constant dense<0xFF800000> : vector<32xf32>
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %block = gpu.block_id x
    %row = arith.muli %block, %c32 : index
    %tx = xegpu.create_nd_tdesc %x : memref<64x64xf32> -> !desc
    %ty = xegpu.create_nd_tdesc %y : memref<64x64xf32> -> !desc
    %v = xegpu.load_nd %tx[%row, 0] <{layout = #map}> : !desc -> vector<32x64xf32>
    %max = vector.multi_reduction <maximumf>, %v, %lowest [1] : vector<32x64xf32> to vector<32xf32>
    %max_column = vector.shape_cast %max : vector<32xf32> to vector<32x1xf32>
    %maxima = vector.broadcast %max_column : vector<32x1xf32> to vector<32x64xf32>
    %d = arith.subf %v, %maxima : vector<32x64xf32>
    %e = math.exp %d : vector<32x64xf32>
    %sum = vector.multi_reduction <add>, %e, %zero [1] : vector<32x64xf32> to vector<32xf32>
    %sum_column = vector.shape_cast %sum : vector<32xf32> to vector<32x1xf32>
    %sums = vector.broadcast %sum_column : vector<32x1xf32> to vector<32x64xf32>
    %p = arith.divf %e, %sums : vector<32x64xf32>
    xegpu.store_nd %p, %ty[%row, 0] <{layout = #map}> : vector<32x64xf32>, !desc
    gpu.return
  }
}
