// c = a + b, 64 elements for each subgroup; caches need not keep c.
gpu.module @kernels {
  gpu.func @vector_add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %size = memref.dim %a, %c0 : memref<?xf32>
    %block = gpu.block_id x
    %start = arith.muli %block, %c64 : index
    %ta = xegpu.create_nd_tdesc %a[%start], [%size], [%c1] : memref<?xf32> -> !xegpu.tensor_desc<64xf32>
    %tb = xegpu.create_nd_tdesc %b[%start], [%size], [%c1] : memref<?xf32> -> !xegpu.tensor_desc<64xf32>
    %tc = xegpu.create_nd_tdesc %c[%start], [%size], [%c1] : memref<?xf32> -> !xegpu.tensor_desc<64xf32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<64xf32> -> vector<64xf32>
    %vb = xegpu.load_nd %tb : !xegpu.tensor_desc<64xf32> -> vector<64xf32>
    %sum = arith.addf %va, %vb : vector<64xf32>
    xegpu.store_nd %sum, %tc <{l1_hint = #xegpu.cache_hint<streaming>, l3_hint = #xegpu.cache_hint<uncached>}>
        : vector<64xf32>, !xegpu.tensor_desc<64xf32>
    gpu.return
  }
}
