// RUN: XEGPU_INVALID

func.func @block(%v: vector<16xf32>, %a: !xegpu.tensor_desc<16xf32>, %m: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.store' op Expects a scattered TensorDesc.}}
  xegpu.store %v, %a, %m : vector<16xf32>, !xegpu.tensor_desc<16xf32>, vector<16xi1>
  return
}

// -----

func.func @hint(%v: vector<16xf32>, %a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>) {
  // expected-error@+1 {{invalid l2_hint: #xegpu.cache_hint<read_invalidate>}}
  xegpu.store %v, %a, %m <{l2_hint = #xegpu.cache_hint<read_invalidate>}> : vector<16xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>
  return
}

// -----

func.func @value(%v: index, %a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>) {
  // expected-error@+1 {{Expecting a vector type for the value. got index}}
  xegpu.store %v, %a, %m : index, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>
  return
}

// -----

func.func @element_type(%v: vector<16xf16>, %a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>) {
  // expected-error@+1 {{failed to verify that all of {value, TensorDesc} have same element type: value has f16, TensorDesc has f32}}
  xegpu.store %v, %a, %m : vector<16xf16>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>
  return
}

// -----

func.func @mask_type(%v: vector<16xf32>, %a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi16>) {
  // expected-error@+1 {{operand #2 must be i1 or a vector of i1, but got vector<16xi16>}}
  xegpu.store %v, %a, %m : vector<16xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi16>
  return
}

// -----

func.func @mask_shape(%v: vector<16xf32>, %a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<1xi1>) {
  // expected-error@+1 {{dim-0 of the Mask and TensorDesc should be the same. Mask is vector<1xi1>, TensorDesc has 16 lanes}}
  xegpu.store %v, %a, %m : vector<16xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<1xi1>
  return
}

// -----

func.func @transpose(%v: vector<4x16xf32>, %a: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, %m: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.store' op Value shape [4, 16] is not consistent with tensor descriptor !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>, expected [16, 4]}}
  xegpu.store %v, %a, %m : vector<4x16xf32>, !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, vector<16xi1>
  return
}

// -----

func.func @shape(%v: vector<8xf32>, %a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %m: vector<16xi1>) {
  // expected-error@+1 {{Value shape [8] is not consistent with tensor descriptor !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, expected [16]}}
  xegpu.store %v, %a, %m : vector<8xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>
  return
}

// -----

func.func @fragment(%v: vector<2xf32>, %a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>, %m: vector<16xi1>) {
  // expected-error@+1 {{Value shape [2] is not consistent with distributed vector shape [1]}}
  xegpu.store %v, %a, %m : vector<2xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>, vector<16xi1>
  return
}
