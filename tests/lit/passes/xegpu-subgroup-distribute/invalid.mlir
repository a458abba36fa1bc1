// RUN: xegpu-opt %s -p 'xegpu-subgroup-distribute{target=pvc}' --verify-diagnostics --split-input-file

#c = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#r = #xegpu.layout<lane_layout = [2, 8], lane_data = [1, 1]>

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    // expected-error@+1 {{but block messages give lanes the elements of #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}}
    %v = xegpu.load_nd %t[0, 0] <{layout = #r}> : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

#c = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#r = #xegpu.layout<lane_layout = [2, 8], lane_data = [1, 1]>

gpu.module @m {
  gpu.func @k(%v: vector<8x16xf32>) kernel {
    %a = arith.constant {layout_result_0 = #c} dense<0.0> : vector<8x16xf32>
    // expected-error@+1 {{moves elements between lanes: this is not supported}}
    %b = xegpu.convert_layout %a <{input_layout = #c, target_layout = #r}> : vector<8x16xf32>
    gpu.return
  }
}

// -----

#c = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>

gpu.module @m {
  gpu.func @k(%a: memref<64x64xf32>) kernel {
    %v = arith.constant {layout_result_0 = #c} dense<0.0> : vector<8x16xf32>
    // expected-error@+1 {{cannot be distributed over lanes}}
    %b = vector.extract %v[0, 3] : f32 from vector<8x16xf32>
    gpu.return
  }
}

// -----

#c = #xegpu.layout<lane_layout = [1, 1, 16], lane_data = [1, 1, 1]>

gpu.module @m {
  gpu.func @k(%a: memref<4x32x32xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<4x32x32xf32> -> !xegpu.tensor_desc<2x16x16xf32, #c>
    // expected-error@+1 {{'xegpu.load_nd' op cannot be distributed over lanes: no block of a lane has batch dimensions}}
    %v = xegpu.load_nd %t[0, 0, 0] <{layout = #c}> : !xegpu.tensor_desc<2x16x16xf32, #c> -> vector<2x16x16xf32>
    xegpu.store_nd %v, %t[0, 0, 0] <{layout = #c}> : vector<2x16x16xf32>, !xegpu.tensor_desc<2x16x16xf32, #c>
    gpu.return
  }
}
