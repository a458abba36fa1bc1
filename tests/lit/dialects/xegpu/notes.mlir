// RUN: XEGPU_INVALID

// An op that contradicts its operands says where these come from.

func.func @store(%m: memref<8x16xf32>,
                 // expected-note@+1 {{'value' is defined here}}
                 %v: vector<16x8xf32>) {
  // expected-note@+1 {{'tensor_desc' is defined here}}
  %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
  // expected-error@+1 {{Value shape [16, 8] is not consistent with tensor descriptor}}
  xegpu.store_nd %v, %t : vector<16x8xf32>, !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @gather(
    // expected-note@+1 {{'source' is defined here}}
    %t: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>,
    // expected-note@+1 {{'mask' is defined here}}
    %m: vector<8xi1>) {
  // expected-error@+1 {{dim-0 of the Mask and TensorDesc should be the same}}
  %v = xegpu.load %t, %m : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<8xi1> -> vector<16xf32>
  return
}

// -----

func.func @product(
    // expected-note@+1 {{'lhs' is defined here}}
    %a: vector<8x16xf16>,
    // expected-note@+1 {{'rhs' is defined here}}
    %b: vector<8x16xf16>) {
  // expected-note@+1 {{'acc' is defined here}}
  %c = arith.constant dense<0.0> : vector<8x16xf32>
  // expected-error@+1 {{K-dimension mismatch. lhs has 16, rhs has 8}}
  %d = xegpu.dpas %a, %b, %c : vector<8x16xf16>, vector<8x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
  return
}

// -----

// expected-note@+1 {{'source' is defined here}}
func.func @source(%m: memref<8x16xf16>) {
  // expected-error@+1 {{TensorDesc should have the same element type with the source}}
  %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf32>
  return
}
