// The transpose of a matrix whose sizes are multiples of 16, in tiles through shared local memory: rows are read and rows
// are written. A column more than needed keeps the lanes that read a column of the tile from meeting in one bank.
gpu.module @kernels {
  gpu.func @transpose(%x: memref<?x?xf32>, %y: memref<?x?xf32>)
      workgroup(%tile : memref<16x17xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c16 = arith.constant 16 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %column = arith.muli %bx, %c16 : index
    %row = arith.muli %by, %c16 : index
    %i = arith.addi %row, %ty : index
    %j = arith.addi %column, %tx : index
    %v = memref.load %x[%i, %j] : memref<?x?xf32>
    memref.store %v, %tile[%ty, %tx] : memref<16x17xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %tile[%tx, %ty] : memref<16x17xf32, #gpu.address_space<workgroup>>
    %k = arith.addi %column, %ty : index
    %l = arith.addi %row, %tx : index
    memref.store %w, %y[%k, %l] : memref<?x?xf32>
    gpu.return
  }
}
