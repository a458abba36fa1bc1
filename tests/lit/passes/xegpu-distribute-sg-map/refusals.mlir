// RUN: xegpu-opt %s -p xegpu-distribute-sg-map{target=pvc} --split-input-file --verify-diagnostics

// One product of work-items is one matrix instruction along K and N.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#pair = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
gpu.module @m {
  gpu.func @depth(%a: memref<8x32xf16>, %b: memref<32x16xf16>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x32xf16> -> !xegpu.tensor_desc<8x32xf16, #row>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<32x16xf16> -> !xegpu.tensor_desc<32x16xf16, #pair>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x32xf16, #row> -> vector<8x32xf16>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<32x16xf16, #pair> -> vector<16x16x2xf16>
    // expected-error@+1 {{'xegpu.dpas' op multiplies 8x32 by 32x16: work-items of pvc share only products of 16 along K and 16 along N}}
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

// -----

// No registers hold so much; it is not even counted out.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @large(%m: memref<1048576x1024xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<1048576x1024xf32> -> !xegpu.tensor_desc<1048576x1024xf32, #row>
    // expected-error@+1 {{'xegpu.load_nd' op moves 1073741824 elements, far more than registers hold}}
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<1048576x1024xf32, #row> -> vector<1048576x1024xf32>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  gpu.func @spread(%m: memref<16xf32>, %o: memref<16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %t = xegpu.create_nd_tdesc %m[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32, #row> -> vector<16xf32>
    %w = vector.broadcast %v : vector<16xf32> to vector<1048576x16xf32>
    %e = vector.extract %w[7, 3] : f32 from vector<1048576x16xf32>
    memref.store %e, %o[%c0] : memref<16xf32>
    gpu.return
  }
}

// -----

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#pair = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
gpu.module @m {
  gpu.func @long(%a: vector<1048576x16xf16>, %b: vector<16x16xf16>) kernel {
    // expected-error@+1 {{'xegpu.dpas' op has an operand of 16777216 elements, far more than registers hold}}
    %c = xegpu.dpas %a, %b {sg_map_a = #row, sg_map_b = #pair, sg_map_c = #row} : vector<1048576x16xf16>, vector<16x16xf16> -> vector<1048576x16xf32>
    gpu.return
  }
}
