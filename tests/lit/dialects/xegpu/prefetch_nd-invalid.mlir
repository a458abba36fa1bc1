// RUN: XEGPU_INVALID

func.func @scattered(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{'xegpu.prefetch_nd' op Expects a non-scattered TensorDesc.}}
  xegpu.prefetch_nd %a : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @hint(%a: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{invalid l1_hint: #xegpu.cache_hint<write_back>}}
  xegpu.prefetch_nd %a <{l1_hint = #xegpu.cache_hint<write_back>}> : !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @second_hint(%a: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{invalid l3_hint: #xegpu.cache_hint<write_through>}}
  xegpu.prefetch_nd %a <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<write_through>}> : !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @unknown_key(%a: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{unknown inherent attribute 'L1', expected 'l1_hint', 'l2_hint', 'l3_hint'}}
  xegpu.prefetch_nd %a <{L1 = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @twice(%a: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{inherent attribute 'l1_hint' is given twice}}
  xegpu.prefetch_nd %a <{l1_hint = #xegpu.cache_hint<cached>}> {l1_hint = #xegpu.cache_hint<cached>} : !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @no_hint(%a: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{'xegpu.prefetch_nd' op 5 : i64 should be of base attribute xegpu.cache_hint}}
  xegpu.prefetch_nd %a <{l1_hint = 5}> : !xegpu.tensor_desc<8x16xf32>
  return
}
