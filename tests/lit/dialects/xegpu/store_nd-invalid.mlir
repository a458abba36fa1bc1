// RUN: XEGPU_INVALID

func.func @scattered(%v: vector<16xf32>, %a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{'xegpu.store_nd' op Expects a non-scattered TensorDesc.}}
  xegpu.store_nd %v, %a : vector<16xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @scalar(%v: f32, %a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{'xegpu.store_nd' op Expecting a VectorType result. got f32}}
  xegpu.store_nd %v, %a : f32, !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @hint(%v: vector<16xf32>, %a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{invalid l1_hint: #xegpu.cache_hint<read_invalidate>}}
  xegpu.store_nd %v, %a <{l1_hint = #xegpu.cache_hint<read_invalidate>}> : vector<16xf32>, !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @element_type(%v: vector<16xi32>, %a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{failed to verify that all of {value, TensorDesc} have same element type: value has i32, TensorDesc has f32}}
  xegpu.store_nd %v, %a : vector<16xi32>, !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @shape(%v: vector<16x8xf32>, %a: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{Value shape [16, 8] is not consistent with tensor descriptor !xegpu.tensor_desc<8x16xf32>, expected [8, 16]}}
  xegpu.store_nd %v, %a : vector<16x8xf32>, !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @array_length(%v: vector<2x8x16xf32>, %a: !xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 2>>) {
  // expected-error@+1 {{a store needs an array_length of 1, got 2}}
  xegpu.store_nd %v, %a : vector<2x8x16xf32>, !xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 2>>
  return
}

// -----

func.func @fragment(%v: vector<8xf32>, %a: !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>) {
  // expected-error@+1 {{Value shape [8] is not consistent with distributed vector shape [8, 1] for tensor descriptor}}
  xegpu.store_nd %v, %a : vector<8xf32>, !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
  return
}

// -----

func.func @not_a_property(%v: vector<16xf32>, %a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{unknown inherent attribute 'packed', expected 'l1_hint', 'l2_hint', 'l3_hint'}}
  xegpu.store_nd %v, %a <{packed}> : vector<16xf32>, !xegpu.tensor_desc<16xf32>
  return
}
