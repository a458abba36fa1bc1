!block = !xegpu.tensor_desc<64xf32, #xegpu.block_tdesc_attr<boundary_check = false>>  // for each subgroup of c = a + b
gpu.module @kernels {
  gpu.func @vector_add(%a: memref<4096xf32>, %b: memref<4096xf32>, %c: memref<4096xf32>) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c64 = arith.constant 64 : index
    %block = gpu.block_id x
    %start = arith.muli %block, %c64 : index
    %ta = xegpu.create_nd_tdesc %a[%start] : memref<4096xf32> -> !block
    %tb = xegpu.create_nd_tdesc %b[%start] : memref<4096xf32> -> !block
    %tc = xegpu.create_nd_tdesc %c[%start] : memref<4096xf32> -> !block
    %va = xegpu.load_nd %ta : !block -> vector<64xf32>
    %vb = xegpu.load_nd %tb : !block -> vector<64xf32>
    %sum = arith.addf %va, %vb : vector<64xf32>
    xegpu.store_nd %sum, %tc : vector<64xf32>, !block
    gpu.return
  }
}
