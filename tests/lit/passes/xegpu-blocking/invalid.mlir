// RUN: xegpu-opt %s -p 'xegpu-blocking{target=pvc}' --verify-diagnostics --split-input-file

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32>) kernel {
    // expected-error@+1 {{cannot cut [8, 16] into blocks of [3, 16]}}
    %v = arith.constant {layout_result_0 = #xegpu.layout<inst_data = [3, 16]>} dense<0.0> : vector<8x16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf16>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16, #xegpu.layout<inst_data = [16, 16]>>
    // expected-error@+1 {{cannot be cut into blocks: it moves elements on their way}}
    %v = xegpu.load_nd %t[0, 0] <{packed}> : !xegpu.tensor_desc<32x32xf16, #xegpu.layout<inst_data = [16, 16]>> -> vector<16x32x2xf16>
    gpu.return
  }
}
