// RUN: xegpu-opt %s -p xegpu-distribute-sg-map{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @lanes(%m: memref<8x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>>
    // expected-error@+1 {{'xegpu.load_nd' op #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]> arranges 8 work-items, a subgroup of pvc has 16}}
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>> -> vector<8x16xf32>
    gpu.return
  }
}
