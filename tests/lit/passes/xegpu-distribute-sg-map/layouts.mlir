// RUN: xegpu-opt %s -p xegpu-distribute-sg-map{target=pvc} --split-input-file --verify-diagnostics

#a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
gpu.module @kernels {
  gpu.func @load(%m: memref<8x16xf16>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #a>
    // expected-error@+1 {{'xegpu.load_nd' op uses a descriptor with #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, expected an sg_map: run xegpu-convert-layout-to-sg-map first}}
    %a = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf16, #a> -> vector<8x16xf16>
    gpu.return
  }
}

// -----

#a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#b = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>
gpu.module @kernels {
  gpu.func @product(%a: vector<8x16xf16>, %b: vector<16x16xf16>) kernel {
    // expected-error@+1 {{'xegpu.dpas' op has layouts, expected an sg_map: run xegpu-convert-layout-to-sg-map first}}
    %c = xegpu.dpas %a, %b {layout_a = #a, layout_b = #b, layout_cd = #a} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    gpu.return
  }
}
