// RUN: xegpu-opt %s -p 'xegpu-propagate-layout{target=pvc layout-kind=inst}' --verify-diagnostics
// RUN: not xegpu-opt %s -p 'xegpu-propagate-layout{target=pvc layout-kind=warp}' 2>&1 | filecheck %s --check-prefix=KIND
// KIND: expected layout-kind=subgroup|inst|lane, got layout-kind=warp

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32>) kernel {
    %v = arith.constant dense<0.0> : vector<8x16xf32>
    // expected-error@+1 {{cannot distribute [8, 16] using #xegpu.layout<inst_data = [8, 12]>: instructions of 12 elements do not divide 16}}
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %v, %t[0, 0] <{layout = #xegpu.layout<inst_data = [8, 12]>}> : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
