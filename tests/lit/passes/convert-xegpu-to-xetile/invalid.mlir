// RUN: xegpu-opt %s -p convert-xegpu-to-xetile --verify-diagnostics --split-input-file

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32>) kernel {
    // expected-error@+1 {{which distributes over subgroups: run xegpu-wg-to-sg-distribute before}}
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #xegpu.layout<sg_layout = [4, 4], sg_data = [16, 16]>>
    gpu.return
  }
}
