// The transpose of a matrix in tiles of 64x32 that 8 subgroups share. They write the tile to shared local memory by
// rows and read it by columns, through memref.transpose of the buffer and a tile of order [0, 1]: global memory is read
// and written by rows only.
#by_rows = #xetile.wg_map<sg_layout = [8, 1], sg_data = [8, 32]>
#turned = #xetile.wg_map<sg_layout = [2, 4], sg_data = [16, 16]>
!read = !xetile.tile<64x32xf16, #xetile.tile_attr<wg_map = #by_rows>>
!shared = !xetile.tile<64x32xf16, #xetile.tile_attr<wg_map = #by_rows, memory_space = 3 : i32>>
!shared_columns = !xetile.tile<32x64xf16, #xetile.tile_attr<wg_map = #turned, order = [0, 1], memory_space = 3 : i32>>
!write = !xetile.tile<32x64xf16, #xetile.tile_attr<wg_map = #turned>>
!view = memref<32x64xf16, strided<[1, 32]>, 3>
gpu.module @kernels {
  gpu.func @transpose(%x: memref<128x64xf16>, %y: memref<64x128xf16>) kernel
      attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 8, 1, 1>,
                  known_grid_size = array<i32: 2, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c64 : index
    %j = arith.muli %bx, %c32 : index
    %slm = memref.alloc() : memref<64x32xf16, 3>
    %columns = memref.transpose %slm (r, c) -> (c, r) : memref<64x32xf16, 3> to !view
    %tx = xetile.init_tile %x[%i, %j] : memref<128x64xf16> -> !read
    %v = xetile.load_tile %tx : !read -> vector<64x32xf16>
    %ts = xetile.init_tile %slm[%c0, %c0] : memref<64x32xf16, 3> -> !shared
    xetile.store_tile %v, %ts : vector<64x32xf16>, !shared
    gpu.barrier
    %tt = xetile.init_tile %columns[%c0, %c0] : !view -> !shared_columns
    %w = xetile.load_tile %tt : !shared_columns -> vector<32x64xf16>
    %ty = xetile.init_tile %y[%j, %i] : memref<64x128xf16> -> !write
    xetile.store_tile %w, %ty : vector<32x64xf16>, !write
    gpu.return
  }
}
