// The transpose of a matrix in tiles of 32x32 that four subgroups share. Each writes eight rows to shared local memory
// and reads eight columns, through memref.transpose of the buffer and a tile of order [0, 1].
!read = !xetile.tile<8x32xf16>
!shared = !xetile.tile<8x32xf16, #xetile.tile_attr<memory_space = 3 : i32>>
!shared_columns = !xetile.tile<8x32xf16, #xetile.tile_attr<order = [0, 1], memory_space = 3 : i32>>
!view = memref<32x32xf16, strided<[1, 32]>, 3>
gpu.module @kernels {
  gpu.func @transpose(%x: memref<128x64xf16>, %y: memref<64x128xf16>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                  known_grid_size = array<i32: 2, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %subgroup = gpu.subgroup_id : index
    %i = arith.muli %by, %c32 : index
    %j = arith.muli %bx, %c32 : index
    %own = arith.muli %subgroup, %c8 : index
    %from = arith.addi %i, %own : index
    %to = arith.addi %j, %own : index
    %slm = memref.alloc() : memref<32x32xf16, 3>
    %columns = memref.transpose %slm (r, c) -> (c, r) : memref<32x32xf16, 3> to !view
    %tx = xetile.init_tile %x[%from, %j] : memref<128x64xf16> -> !read
    %v = xetile.load_tile %tx : !read -> vector<8x32xf16>
    %ts = xetile.init_tile %slm[%own, %c0] : memref<32x32xf16, 3> -> !shared
    xetile.store_tile %v, %ts : vector<8x32xf16>, !shared
    gpu.barrier
    %tt = xetile.init_tile %columns[%own, %c0] : !view -> !shared_columns
    %w = xetile.load_tile %tt : !shared_columns -> vector<8x32xf16>
    %ty = xetile.init_tile %y[%to, %i] : memref<64x128xf16> -> !read
    xetile.store_tile %w, %ty : vector<8x32xf16>, !read
    gpu.return
  }
}
