// RUN: xegpu-opt %s -p xegpu-propagate-sg-map{target=pvc} --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @depth(%a: vector<8x32xf16>, %b: vector<32x16xf16>) {
    // expected-error@+1 {{'xegpu.dpas' op multiplies 8x32 by 32x16: work-items of pvc share only products of 16 along K and 16 along N}}
    %c = xegpu.dpas %a, %b : vector<8x32xf16>, vector<32x16xf16> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

#narrow = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @lanes(%m: memref<8x16xf32>, %n: memref<8x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #narrow>
    %u = xegpu.create_nd_tdesc %n[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    // expected-error@+1 {{'xegpu.load_nd' op #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]> arranges 8 work-items, a subgroup of pvc has 16}}
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #narrow> -> vector<8x16xf32>
    xegpu.store_nd %v, %u : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
