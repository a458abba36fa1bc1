// RUN: XEGPU_INVALID

func.func @block(%a: !xegpu.tensor_desc<16xf32>, %off: vector<16xindex>) {
  // expected-error@+1 {{'xegpu.update_offset' op Expects a scattered TensorDesc.}}
  %0 = xegpu.update_offset %a, %off : !xegpu.tensor_desc<16xf32>, vector<16xindex>
  return
}

// -----

func.func @offsets(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %off: vector<16xi16>) {
  // expected-error@+1 {{operand #1 must be vector of index values of ranks 1, but got vector<16xi16>}}
  %0 = xegpu.update_offset %a, %off : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi16>
  return
}

// -----

func.func @number(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %off: vector<8xindex>) {
  // expected-error@+1 {{expected 16 offsets, one for each lane, got vector<8xindex>}}
  %0 = xegpu.update_offset %a, %off : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<8xindex>
  return
}

// -----

func.func @result(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %off: vector<16xindex>) {
  // expected-error@+1 {{expected a result of the operand's type}}
  %0 = "xegpu.update_offset"(%a, %off) : (!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xindex>) -> !xegpu.tensor_desc<16xf16, #xegpu.scatter_tdesc_attr<>>
  return
}
