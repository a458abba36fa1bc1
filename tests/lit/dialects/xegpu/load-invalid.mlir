// RUN: XEGPU_INVALID

func.func @block(%a: !xegpu.tensor_desc<16xf32>, %m: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op Expects a scattered TensorDesc.}}
  %0 = xegpu.load %a, %m : !xegpu.tensor_desc<16xf32>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @hint(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>) {
  // expected-error@+1 {{invalid l1_hint: #xegpu.cache_hint<write_back>}}
  %0 = xegpu.load %a, %m <{l1_hint = #xegpu.cache_hint<write_back>}> : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @value(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>) {
  // expected-error@+1 {{Expecting a vector type result. got memref<16xf32>}}
  %0 = xegpu.load %a, %m : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1> -> memref<16xf32>
  return
}

// -----

func.func @element_type(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>) {
  // expected-error@+1 {{failed to verify that all of {value, TensorDesc} have same element type: value has i32, TensorDesc has f32}}
  %0 = xegpu.load %a, %m : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1> -> vector<16xi32>
  return
}

// -----

func.func @mask_type(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi8>) {
  // expected-error@+1 {{operand #1 must be i1 or a vector of i1, but got vector<16xi8>}}
  %0 = xegpu.load %a, %m : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi8> -> vector<16xf32>
  return
}

// -----

func.func @mask_scalar(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: index) {
  // expected-error@+1 {{operand #1 must be i1 or a vector of i1, but got index}}
  %0 = xegpu.load %a, %m : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, index -> vector<16xf32>
  return
}

// -----

func.func @mask_shape(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<8xi1>) {
  // expected-error@+1 {{dim-0 of the Mask and TensorDesc should be the same. Mask is vector<8xi1>, TensorDesc has 16 lanes}}
  %0 = xegpu.load %a, %m : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<8xi1> -> vector<16xf32>
  return
}

// -----

func.func @transpose(%a: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, %m: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op Result shape [4, 16] is not consistent with tensor descriptor !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>, expected [16, 4]}}
  %0 = xegpu.load %a, %m : !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, vector<16xi1> -> vector<4x16xf32>
  return
}

// -----

func.func @ignored_transpose(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>) {
  // expected-warning@+1 {{Invalid transpose attr. It is ignored (available for 2D TensorDesc only).}}
  %0 = xegpu.load %a, %m <{transpose}> : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @shape(%a: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, %m: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op Result shape [16, 4] is not consistent with tensor descriptor !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>, expected [4, 16]}}
  %0 = xegpu.load %a, %m <{transpose}> : !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, vector<16xi1> -> vector<16x4xf32>
  return
}

// -----

func.func @fragment(%a: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>, %m: vector<16xi1>) {
  // expected-error@+1 {{Result shape [4] is not consistent with distributed vector shape [4, 1]}}
  %0 = xegpu.load %a, %m <{transpose}> : !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>, vector<16xi1> -> vector<4xf32>
  return
}

// -----

// Only one permutation is a transpose.
func.func @permutation(%a: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, %m: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op}}
  %0 = xegpu.load %a, %m <{transpose = array<i64: 0, 1>}> : !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, vector<16xi1> -> vector<16x4xf32>
  return
}

// -----

func.func @operands(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{Expected ','}}
  %0 = xegpu.load %a : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>> -> vector<16xf32>
  return
}
