// C = A x B, bf16 inputs and f32 accumulation; each subgroup computes an 8x16 tile of C.
gpu.module @kernels {
  gpu.func @gemm(%a: memref<256x256xbf16>, %b: memref<256x256xbf16>, %c: memref<256x256xf32>) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %ta = xegpu.create_nd_tdesc %a[%m, %c0] : memref<256x256xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    %tb = xegpu.create_nd_tdesc %b[%c0, %n] : memref<256x256xbf16> -> !xegpu.tensor_desc<16x16xbf16>
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<256x256xf32> -> !xegpu.tensor_desc<8x16xf32>
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %result:3 = scf.for %k = %c0 to %c256 step %c16 iter_args(%acc = %zero, %na = %ta, %nb = %tb)
        -> (vector<8x16xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.tensor_desc<16x16xbf16>) {
      %va = xegpu.load_nd %na : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
      %vb = xegpu.load_nd %nb <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
      %next = xegpu.dpas %va, %vb, %acc : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      %ma = xegpu.update_nd_offset %na, [0, 16] : !xegpu.tensor_desc<8x16xbf16>
      %mb = xegpu.update_nd_offset %nb, [16, 0] : !xegpu.tensor_desc<16x16xbf16>
      scf.yield %next, %ma, %mb : vector<8x16xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.tensor_desc<16x16xbf16>
    }
    xegpu.store_nd %result#0, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
