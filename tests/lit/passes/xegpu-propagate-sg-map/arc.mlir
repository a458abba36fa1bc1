// RUN: xegpu-opt %s -p 'xegpu-propagate-sg-map{target=arc}' | filecheck %s

gpu.module @m {
  // CHECK: %ta = xegpu.create_nd_tdesc {{.*}} !xegpu.tensor_desc<8x16xbf16, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>>
  // CHECK: %tb = xegpu.create_nd_tdesc {{.*}} !xegpu.tensor_desc<16x8xbf16, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]>>
  // CHECK: %tc = xegpu.create_nd_tdesc {{.*}} !xegpu.tensor_desc<8x8xf32, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>>
  gpu.func @product(%a: memref<8x16xbf16>, %b: memref<16x8xbf16>, %c: memref<8x8xf32>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x8xbf16> -> !xegpu.tensor_desc<16x8xbf16>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x8xf32> -> !xegpu.tensor_desc<8x8xf32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
    %vb = xegpu.load_nd %tb : !xegpu.tensor_desc<16x8xbf16> -> vector<16x8xbf16>
    %vc = xegpu.dpas %va, %vb : vector<8x16xbf16>, vector<16x8xbf16> -> vector<8x8xf32>
    xegpu.store_nd %vc, %tc : vector<8x8xf32>, !xegpu.tensor_desc<8x8xf32>
    gpu.return
  }
}
