// A block is transposed by storing it through a column-major view of local memory.
gpu.module @kernels {
  gpu.func @transpose(%x: memref<64x64xf16>, %y: memref<64x64xf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %bytes = memref.alloc() {alignment = 64 : i64} : memref<8192xi8, 3>
    %local = memref.view %bytes[%c0][] : memref<8192xi8, 3> to memref<64x64xf16, 3>
    %turned = memref.transpose %local (i, j) -> (j, i) : memref<64x64xf16, 3> to memref<64x64xf16, strided<[1, 64]>, 3>
    %id = gpu.subgroup_id : index
    %c32 = arith.constant 32 : index
    %i = arith.muli %id, %c32 : index
    %in = xetile.init_tile %x[%i, %c0] : memref<64x64xf16> -> !xetile.tile<32x64xf16>
    %value = xetile.load_tile %in : !xetile.tile<32x64xf16> -> vector<32x64xf16>
    %to = xetile.init_tile %turned[%i, %c0] : memref<64x64xf16, strided<[1, 64]>, 3> -> !xetile.tile<32x64xf16, #xetile.tile_attr<order = [0, 1], memory_space = 3 : i64>>
    xetile.store_tile %value, %to : vector<32x64xf16>, !xetile.tile<32x64xf16, #xetile.tile_attr<order = [0, 1], memory_space = 3 : i64>>
    gpu.barrier
    %from = xetile.init_tile %local[%i, %c0] : memref<64x64xf16, 3> -> !xetile.tile<32x64xf16, #xetile.tile_attr<memory_space = 3 : i32>>
    %result = xetile.load_tile %from : !xetile.tile<32x64xf16, #xetile.tile_attr<memory_space = 3 : i32>> -> vector<32x64xf16>
    %out = xetile.init_tile %y[%i, 0] : memref<64x64xf16> -> !xetile.tile<32x64xf16>
    xetile.store_tile %result, %out : vector<32x64xf16>, !xetile.tile<32x64xf16>
    gpu.return
  }
}
