// The transpose of a matrix in tiles of 16x16 that two subgroups share, through a matrix in shared local memory. Each
// stores eight rows of a tile, and reads eight columns. XeGPU of LLVM 22.
!block = !xegpu.tensor_desc<8x16xf16>
!tile = !xegpu.mem_desc<16x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @transpose(%x: memref<128x64xf16>, %y: memref<64x128xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 8, 1>} {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %subgroup = gpu.subgroup_id : index
    %i = arith.muli %by, %c16 : index
    %j = arith.muli %bx, %c16 : index
    %own = arith.muli %subgroup, %c8 : index
    %from = arith.addi %i, %own : index
    %to = arith.addi %j, %own : index
    %slm = memref.alloca() : memref<1024xi8, 3>
    %m = xegpu.create_mem_desc %slm : memref<1024xi8, 3> -> !tile
    %tx = xegpu.create_nd_tdesc %x : memref<128x64xf16> -> !block
    %ty = xegpu.create_nd_tdesc %y : memref<64x128xf16> -> !block
    %narrow = xegpu.load_nd %tx[%from, %j] : !block -> vector<8x16xf16>
    %v = arith.extf %narrow : vector<8x16xf16> to vector<8x16xf32>
    xegpu.store_matrix %v, %m[%own, 0] : vector<8x16xf32>, !tile, index
    gpu.barrier
    %columns = xegpu.load_matrix %m[0, %own] : !tile, index -> vector<16x8xf32>
    %rows = vector.transpose %columns, [1, 0] : vector<16x8xf32> to vector<8x16xf32>
    %w = arith.truncf %rows : vector<8x16xf32> to vector<8x16xf16>
    xegpu.store_nd %w, %ty[%to, %i] : vector<8x16xf16>, !block
    gpu.return
  }
}
