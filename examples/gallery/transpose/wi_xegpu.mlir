// The transpose of a matrix in tiles of 16x16: each work-item has a column of the tile and writes it to shared local
// memory as a row. Then it reads a column of what the others have written, and the subgroup stores whole rows.
#map = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
!block = !xegpu.tensor_desc<16x16xf16, #map>
gpu.module @kernels {
  gpu.func @transpose(%x: memref<128x64xf16>, %y: memref<64x128xf16>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<16x1xf16>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %lane = gpu.thread_id x
    %i = arith.muli %by, %c16 : index
    %j = arith.muli %bx, %c16 : index
    %slm = memref.alloc() : memref<16x17xf16, 3>
    %tx = xegpu.create_nd_tdesc %x[%i, %j] : memref<128x64xf16> -> !block
    %v = xegpu.load_nd %tx : !block -> vector<16x1xf16>
    scf.for %r = %c0 to %c16 step %c1 {
      %e = vector.extract %v[%r, 0] : f16 from vector<16x1xf16>
      memref.store %e, %slm[%lane, %r] : memref<16x17xf16, 3>
    }
    gpu.barrier
    %w = scf.for %r = %c0 to %c16 step %c1 iter_args(%column = %zero) -> (vector<16x1xf16>) {
      %e = memref.load %slm[%r, %lane] : memref<16x17xf16, 3>
      %next = vector.insert %e, %column[%r, 0] : f16 into vector<16x1xf16>
      scf.yield %next : vector<16x1xf16>
    }
    %ty = xegpu.create_nd_tdesc %y[%j, %i] : memref<64x128xf16> -> !block
    xegpu.store_nd %w, %ty : vector<16x1xf16>, !block
    gpu.return
  }
}
