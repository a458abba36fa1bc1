// The transpose of a matrix in tiles of 32x32, through a matrix in shared local memory. Four subgroups store eight rows
// each, and read eight columns. XeGPU of LLVM 22.
#rows = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>
#columns = #xegpu.layout<sg_layout = [1, 4], sg_data = [32, 8]>
!tile = !xegpu.tensor_desc<32x32xf16>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @transpose(%x: memref<128x64xf16>, %y: memref<64x128xf16>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 4, 1>} {
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c32 : index
    %j = arith.muli %bx, %c32 : index
    %tx = xegpu.create_nd_tdesc %x : memref<128x64xf16> -> !tile
    %ty = xegpu.create_nd_tdesc %y : memref<64x128xf16> -> !tile
    %slm = memref.alloca() : memref<2048xi8, 3>
    %m = xegpu.create_mem_desc %slm : memref<2048xi8, 3> -> !xegpu.mem_desc<32x32xf16>
    %v = xegpu.load_nd %tx[%i, %j] <{layout = #rows}> : !tile -> vector<32x32xf16>
    xegpu.store_matrix %v, %m[0, 0] <{layout = #rows}> : vector<32x32xf16>, !xegpu.mem_desc<32x32xf16>
    gpu.barrier
    %columns = xegpu.load_matrix %m[0, 0] <{layout = #columns}> : !xegpu.mem_desc<32x32xf16> -> vector<32x32xf16>
    %w = vector.transpose %columns, [1, 0] : vector<32x32xf16> to vector<32x32xf16>
    xegpu.store_nd %w, %ty[%j, %i] <{layout = #rows}> : vector<32x32xf16>, !tile
    gpu.return
  }
}
