// Half of the subgroups produce, the other half consume: two named barriers keep them apart.
gpu.module @kernels {
  gpu.func @pipeline(%x: memref<256x32xf16>, %y: memref<256x32xf16>) kernel attributes {VectorComputeFunctionINTEL, gpu.known_block_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %full_id = arith.constant 1 : i8
    %empty_id = arith.constant 2 : i8
    %members = arith.constant 8 : i8
    xegpu.alloc_nbarrier 3
    %full = xegpu.init_nbarrier %full_id, %members : i8, i8 -> !xegpu.nbarrier
    %empty = xegpu.init_nbarrier %empty_id, %members : i8, i8 -> !xegpu.nbarrier
    %id = gpu.subgroup_id : index
    %row = arith.muli %id, %c8 : index
    %produces = arith.cmpi ult, %id, %c4 : index
    scf.for %step = %c0 to %c4 step %c1 {
      %in = xegpu.create_nd_tdesc %x[%row, 0] : memref<256x32xf16> -> !xegpu.tensor_desc<8x32xf16>
      scf.if %produces {
        %v = xegpu.load_nd %in : !xegpu.tensor_desc<8x32xf16> -> vector<8x32xf16>
        %out = xegpu.create_nd_tdesc %y[%row, 0] : memref<256x32xf16> -> !xegpu.tensor_desc<8x32xf16>
        xegpu.store_nd %v, %out : vector<8x32xf16>, !xegpu.tensor_desc<8x32xf16>
        xegpu.fence memory_kind = global, fence_scope = gpu
        xegpu.nbarrier_arrive %full : !xegpu.nbarrier
        xegpu.nbarrier_wait %empty : !xegpu.nbarrier
      } else {
        xegpu.nbarrier_wait %full : !xegpu.nbarrier
        xegpu.prefetch_nd %in : !xegpu.tensor_desc<8x32xf16>
        xegpu.nbarrier_arrive %empty : !xegpu.nbarrier
      }
    }
    gpu.return
  }
}
