// RUN: XEGPU_INVALID

func.func @scattered(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{'xegpu.update_nd_offset' op Expects a non-scattered TensorDesc.}}
  %0 = xegpu.update_nd_offset %a, [0] : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @count(%a: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{Invalid number of offsets. Expected 2, got 1}}
  %0 = xegpu.update_nd_offset %a, [0] : !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @values(%a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{expected 1 offset values, got 0}}
  %0 = "xegpu.update_nd_offset"(%a) <{const_offsets = array<i64: -9223372036854775808>}>
    : (!xegpu.tensor_desc<16xf32>) -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @result(%a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{expected a result of the operand's type !xegpu.tensor_desc<16xf32>, got !xegpu.tensor_desc<32xf32>}}
  %0 = "xegpu.update_nd_offset"(%a) <{const_offsets = array<i64: 0>}>
    : (!xegpu.tensor_desc<16xf32>) -> !xegpu.tensor_desc<32xf32>
  return
}

// -----

func.func @no_descriptor(%a: f32) {
  // expected-error@+1 {{'xegpu.update_nd_offset' op}}
  %0 = xegpu.update_nd_offset %a, [0] : f32
  return
}
