// C = A x B: bf16 inputs, f32 sums. Each subgroup computes an 8x16 tile of C.
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %m = arith.muli %x, %c8 : index
    %n = arith.muli %y, %c16 : index
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
      %ta = xegpu.create_nd_tdesc %a[%m, %k] : memref<64x64xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      %tb = xegpu.create_nd_tdesc %b[%k, %n] : memref<64x64xbf16> -> !xegpu.tensor_desc<16x16xbf16>
      %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
      %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %next : vector<8x16xf32>
    }
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %sum, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
