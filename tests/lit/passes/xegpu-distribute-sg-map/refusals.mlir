// RUN: xegpu-opt %s -p xegpu-distribute-sg-map --split-input-file --verify-diagnostics

// One product of work-items is one matrix instruction along K and N.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#pair = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
gpu.module @m {
  gpu.func @depth(%a: memref<8x32xf16>, %b: memref<32x16xf16>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x32xf16> -> !xegpu.tensor_desc<8x32xf16, #row>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<32x16xf16> -> !xegpu.tensor_desc<32x16xf16, #pair>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x32xf16, #row> -> vector<8x32xf16>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<32x16xf16, #pair> -> vector<16x16x2xf16>
    // expected-error@+1 {{'xegpu.dpas' op multiplies 8x32 by 32x16: work-items of pvc share products of 16 along K and 16 along N}}
    %vc = xegpu.dpas %va, %vb : vector<8x32xf16>, vector<16x16x2xf16> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

// Maps of a product that are not those of the matrix engine.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#tall = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @other(%a: vector<8x16xf16>, %b: vector<16x16xf16>) kernel {
    // expected-error@+1 {{'xegpu.dpas' op pvc needs A under #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, got #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>}}
    %c = xegpu.dpas %a, %b {sg_map_a = #tall, sg_map_b = #row, sg_map_c = #row} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

// Two lanes share a row of seven.
#two = #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @divides(%a: vector<7x8xtf32>, %b: vector<8x16xtf32>) kernel {
    // expected-error@+1 {{'xegpu.dpas' op cannot share a value as 7x8 under #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>: the map does not divide it}}
    %c = xegpu.dpas %a, %b {sg_map_a = #two, sg_map_b = #row, sg_map_c = #row} : vector<7x8xtf32>, vector<8x16xtf32> -> vector<7x16xf32>
    gpu.return
  }
}
