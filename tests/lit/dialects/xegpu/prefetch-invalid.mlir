// RUN: XEGPU_INVALID

func.func @block(%a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{'xegpu.prefetch' op Expects a scattered TensorDesc.}}
  xegpu.prefetch %a : !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @hint(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{invalid l3_hint: #xegpu.cache_hint<write_through>}}
  xegpu.prefetch %a <{l3_hint = #xegpu.cache_hint<write_through>}> : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @key(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{unknown inherent attribute 'transpose', expected 'l1_hint', 'l2_hint', 'l3_hint'}}
  xegpu.prefetch %a <{transpose}> : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}
