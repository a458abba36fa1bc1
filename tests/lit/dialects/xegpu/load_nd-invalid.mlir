// RUN: XEGPU_INVALID

func.func @scattered(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{'xegpu.load_nd' op Expects a non-scattered TensorDesc.}}
  %0 = xegpu.load_nd %a : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>> -> vector<16xf32>
  return
}

// -----

func.func @scalar(%a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{'xegpu.load_nd' op Invalid result, it should be a VectorType. got f32}}
  %0 = xegpu.load_nd %a : !xegpu.tensor_desc<16xf32> -> f32
  return
}

// -----

func.func @scalable(%a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{scalable vectors are not supported, got vector<[16]xf32>}}
  %0 = xegpu.load_nd %a : !xegpu.tensor_desc<16xf32> -> vector<[16]xf32>
  return
}

// -----

func.func @hint(%a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{invalid l2_hint: #xegpu.cache_hint<write_back>}}
  %0 = xegpu.load_nd %a <{l2_hint = #xegpu.cache_hint<write_back>}> : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
  return
}

// -----

func.func @element_type(%a: !xegpu.tensor_desc<16xf32>) {
  // expected-error@+1 {{failed to verify that all of {value, TensorDesc} have same element type: value has f16, TensorDesc has f32}}
  %0 = xegpu.load_nd %a : !xegpu.tensor_desc<16xf32> -> vector<16xf16>
  return
}

// -----

func.func @shape(%a: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{'xegpu.load_nd' op Result shape [8, 8] is not consistent with tensor descriptor !xegpu.tensor_desc<8x16xf32>, expected [8, 16]}}
  %0 = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf32> -> vector<8x8xf32>
  return
}

// -----

func.func @array_length(%a: !xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 2>>) {
  // expected-error@+1 {{'xegpu.load_nd' op Result shape [8, 32] is not consistent with tensor descriptor !xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 2 : i64>>, expected [2, 8, 16] or [16, 16]}}
  %0 = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 2>> -> vector<8x32xf32>
  return
}

// -----

func.func @fragment(%a: !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>) {
  // expected-error@+1 {{Result shape [8, 2] is not consistent with distributed vector shape [8, 1] for tensor descriptor !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>, nor with the shape [8, 16] of the whole subgroup}}
  %0 = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>> -> vector<8x2xf32>
  return
}

// -----

func.func @transposed_shape(%a: !xegpu.tensor_desc<16x8xf32>) {
  // expected-error@+1 {{'xegpu.load_nd' op Result shape [16, 8] is not consistent with tensor descriptor !xegpu.tensor_desc<16x8xf32>, expected [8, 16]}}
  %0 = xegpu.load_nd %a <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<16x8xf32>
  return
}

// -----

func.func @no_permutation(%a: !xegpu.tensor_desc<16x8xf32>) {
  // expected-error@+1 {{expected transpose to be a permutation of 2 dims, got [0, 0]}}
  %0 = xegpu.load_nd %a <{transpose = array<i64: 0, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<16x8xf32>
  return
}

// -----

func.func @ignored_transpose(%a: !xegpu.tensor_desc<16x8xf32>) {
  // expected-warning@+1 {{'xegpu.load_nd' op Invalid transpose attr. It is ignored.}}
  %0 = xegpu.load_nd %a <{transpose = array<i64: 1, 2>}> : !xegpu.tensor_desc<16x8xf32> -> vector<16x8xf32>
  return
}

// -----

func.func @ignored_packed(%a: !xegpu.tensor_desc<32xf16>) {
  // expected-warning@+1 {{'xegpu.load_nd' op Invalid Packed Attr. It is ignored (available for 2D TensorDesc only).}}
  %0 = xegpu.load_nd %a <{packed}> : !xegpu.tensor_desc<32xf16> -> vector<32xf16>
  return
}

// -----

func.func @transposed_array(%a: !xegpu.tensor_desc<16x8xf32, #xegpu.block_tdesc_attr<array_length = 2>>) {
  // expected-error@+1 {{transpose needs an array_length of 1, got 2}}
  %0 = xegpu.load_nd %a <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32, #xegpu.block_tdesc_attr<array_length = 2>> -> vector<2x8x16xf32>
  return
}

// -----

func.func @packed_and_transposed(%a: !xegpu.tensor_desc<16x16xf16>) {
  // expected-error@+1 {{packed and transpose cannot be combined}}
  %0 = xegpu.load_nd %a <{packed, transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
  return
}

// -----

func.func @packed_words(%a: !xegpu.tensor_desc<16x16xf32>) {
  // expected-error@+1 {{packed needs elements of less than 32 bits, got f32}}
  %0 = xegpu.load_nd %a <{packed}> : !xegpu.tensor_desc<16x16xf32> -> vector<16x16x1xf32>
  return
}

// -----

func.func @packed_rows(%a: !xegpu.tensor_desc<6x16xi8>) {
  // expected-error@+1 {{packed needs a multiple of 4 rows of i8, got 6}}
  %0 = xegpu.load_nd %a <{packed}> : !xegpu.tensor_desc<6x16xi8> -> vector<1x16x4xi8>
  return
}

// -----

func.func @packed_factor(%a: !xegpu.tensor_desc<16x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op Result shape [4, 16, 4] is not consistent with tensor descriptor !xegpu.tensor_desc<16x16xf16>, expected [8, 16, 2]}}
  %0 = xegpu.load_nd %a <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<4x16x4xf16>
  return
}

// -----

func.func @packed_map(%a: !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>) {
  // expected-error@+1 {{packed needs wi_data = [2, 1] for f16, got [1, 1]}}
  %0 = xegpu.load_nd %a <{packed}> : !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>> -> vector<16x1xf16>
  return
}

// -----

func.func @unit_without_transpose(%a: !xegpu.tensor_desc<16x16xf16>) {
  // expected-error@+1 {{transpose_bit_width needs a transpose of [1, 0]}}
  %0 = xegpu.load_nd %a <{transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
  return
}

// -----

func.func @unit(%a: !xegpu.tensor_desc<16x16xf16>) {
  // expected-error@+1 {{expected transpose_bit_width to be 32 or 64 and a multiple of the 16 bits of an element, got 16}}
  %0 = xegpu.load_nd %a <{transpose = array<i64: 1, 0>, transpose_bit_width = 16 : i32}> : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
  return
}

// -----

func.func @unit_smaller_than_element(%a: !xegpu.tensor_desc<16x16xf64>) {
  // expected-error@+1 {{expected transpose_bit_width to be 32 or 64 and a multiple of the 64 bits of an element, got 32}}
  %0 = xegpu.load_nd %a <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x16xf64> -> vector<16x16xf64>
  return
}

// -----

func.func @unit_and_row(%a: !xegpu.tensor_desc<16x6xi8>) {
  // expected-error@+1 {{transpose_bit_width = 32 moves 4 elements at once, which do not divide a row of 6}}
  %0 = xegpu.load_nd %a <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x6xi8> -> vector<1x16x4xi8>
  return
}

// -----

func.func @unit_shape(%a: !xegpu.tensor_desc<32x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op Result shape [16, 32] is not consistent with tensor descriptor !xegpu.tensor_desc<32x16xf16>, expected [8, 32, 2] or [8, 64]}}
  %0 = xegpu.load_nd %a <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<32x16xf16> -> vector<16x32xf16>
  return
}

// -----

func.func @unknown_key(%a: !xegpu.tensor_desc<16x16xf16>) {
  // expected-error@+1 {{unknown inherent attribute 'vnni', expected 'l1_hint', 'l2_hint', 'l3_hint', 'layout', 'packed', 'transpose', 'transpose_bit_width'}}
  %0 = xegpu.load_nd %a <{vnni = 0}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
  return
}
