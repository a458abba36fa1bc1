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

// A tile that is loaded as pairs of rows is no A.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#other = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
gpu.module @m {
  gpu.func @operand(%a: memref<8x16xf16>, %b: memref<16x16xf16>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #other>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16, #other>
    // expected-note@+1 {{the operand is defined here}}
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #other> -> vector<8x16xf16>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xf16, #other> -> vector<8x16x2xf16>
    // expected-error@+1 {{'xegpu.dpas' op pvc needs A as 8x16 under #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, got 8x16 under #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>}}
    %vc = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

// Two stores want a value in two ways: the note shows where it comes from.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#column = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @conversion(%m: memref<16x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #row>
    %u = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #column>
    // expected-note@+1 {{the value is defined here}}
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf32, #row> -> vector<16x16xf32>
    // expected-error@+1 {{'xegpu.store_nd' op needs a value as 16x16 under #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>, which is shared as 16x16 under #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}}
    xegpu.store_nd %v, %u : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32, #column>
    gpu.return
  }
}

// -----

// A transposed tile is another value than the tile.
#square = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @turned(%m: memref<16x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #square>
    %v = xegpu.load_nd %t <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x16xf32, #square> -> vector<16x16xf32>
    // expected-error@+1 {{'xegpu.store_nd' op needs a value as 16x16 under #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, which is shared as transposed 16x16 under}}
    xegpu.store_nd %v, %t : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32, #square>
    gpu.return
  }
}

// -----

// Maps of a product that do not divide its matrices.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#tall = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @divides(%a: vector<8x16xf16>, %b: vector<16x16xf16>) kernel {
    // expected-error@+1 {{'xegpu.dpas' op cannot share a value as 8x16 under #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>: the map does not divide it}}
    %c = xegpu.dpas %a, %b {sg_map_a = #tall, sg_map_b = #row, sg_map_c = #row} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    gpu.return
  }
}
