// RUN: xegpu-opt %s -p xegpu-distribute-sg-map --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @lanes(%m: memref<8x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>>
    // expected-error@+1 {{'xegpu.load_nd' op #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]> arranges 8 work-items, a subgroup of pvc has 16}}
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @conversion(%m: memref<16x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #row>
    %u = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf32, #row> -> vector<16x16xf32>
    // expected-error@+1 {{'xegpu.store_nd' op needs a value as 16x16 under #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>, which is shared as 16x16 under #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>: conversion between maps is not supported}}
    xegpu.store_nd %v, %u : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  // expected-error@+1 {{'gpu.func' op argument #1 cannot be distributed to work-items}}
  gpu.func @argument(%m: memref<8x16xf32>, %v: vector<8x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    xegpu.store_nd %v, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @constant(%m: memref<1x16xi32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<1x16xi32> -> !xegpu.tensor_desc<1x16xi32, #row>
    // expected-error@+1 {{'arith.constant' op only constants with equal elements can be distributed}}
    %v = arith.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]> : vector<1x16xi32>
    xegpu.store_nd %v, %t : vector<1x16xi32>, !xegpu.tensor_desc<1x16xi32, #row>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @unmapped(%m: memref<8x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %u = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x16xf32>
    // expected-error@+1 {{'xegpu.store_nd' op goes through a descriptor without sg_map, but the value is 8x16 under #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}}
    xegpu.store_nd %v, %u : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @broadcast(%m: memref<8x16xf32>, %r: vector<16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    // expected-error@+1 {{'vector.broadcast' op of a vector cannot be distributed to work-items}}
    %v = vector.broadcast %r : vector<16xf32> to vector<8x16xf32>
    xegpu.store_nd %v, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @reduction(%m: memref<8x16xf32>, %s: f32) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x16xf32>
    // expected-error@+1 {{'vector.multi_reduction' op cannot be distributed to work-items}}
    %r = vector.multi_reduction <add>, %v, %s [0, 1] : vector<8x16xf32> to f32
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @no_vnni(%a: memref<8x16xf16>, %b: memref<16x16xf16>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #row>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16, #row>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #row> -> vector<8x16xf16>
    %vb = xegpu.load_nd %tb : !xegpu.tensor_desc<16x16xf16, #row> -> vector<16x16xf16>
    // expected-error@+1 {{'xegpu.dpas' op pvc needs B as 16x16 under #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>, got 16x16 under #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}}
    %vc = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @half(%a: memref<8x16xf16>, %b: vector<16x16xf16>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #row>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #row> -> vector<8x16xf16>
    // expected-error@+1 {{'xegpu.dpas' op operand B has no sg_map, while others have}}
    %vc = xegpu.dpas %va, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    gpu.return
  }
}
