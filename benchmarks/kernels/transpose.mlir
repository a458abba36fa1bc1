// Each subgroup loads 16x8 elements transposed and stores them as a tile of 8x16, which caches need not keep.
gpu.module @kernels {
  gpu.func @transpose(%in: memref<4096x4096xf32>, %out: memref<4096x4096xf32>) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %column = arith.muli %x, %c8 : index
    %row = arith.muli %y, %c16 : index
    %from = xegpu.create_nd_tdesc %in[%row, %column] : memref<4096x4096xf32> -> !xegpu.tensor_desc<16x8xf32>
    %to = xegpu.create_nd_tdesc %out[%column, %row] : memref<4096x4096xf32> -> !xegpu.tensor_desc<8x16xf32>
    %tile = xegpu.load_nd %from <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
    xegpu.store_nd %tile, %to <{l1_hint = #xegpu.cache_hint<streaming>, l3_hint = #xegpu.cache_hint<uncached>}>
        : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
