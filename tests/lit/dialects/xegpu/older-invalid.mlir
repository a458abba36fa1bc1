// RUN: XEGPU_INVALID

func.func @empty(%p: ui64) {
  // expected-error@+1 {{expected an offset for each lane, got none}}
  %0 = xegpu.create_tdesc %p[] : ui64 -> !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @length(%t: !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{'xegpu.update_offset' op expected 2 offsets, one for each lane, got vector<3xindex>}}
  %0 = xegpu.update_offset %t, [1, 2, 3] : !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @range(%p: ui64) {
  // expected-error@+1 {{index is out of the range of 64-bit integers}}
  %0 = xegpu.create_tdesc %p[0, 9223372036854775808] : ui64 -> !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @order(%p: ui64) {
  // expected-error@+1 {{'xegpu.create_tdesc' op (as 'vector.from_elements') operand #1 does not dominate this use}}
  %0 = xegpu.create_tdesc %p[0, %x] : ui64 -> !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>
  // expected-note@+1 {{operand defined here}}
  %x = arith.constant 4 : index
  return
}

// -----

func.func @chunk_size(%p: ui64) {
  // expected-error@+1 {{'xegpu.create_tdesc' op expected chunk_size = 2 : i64, as the type !xegpu.tensor_desc<2x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2 : i64>> says, got 4 : i64}}
  %0 = xegpu.create_tdesc %p[0, 8] {chunk_size = 4 : i64} : ui64 -> !xegpu.tensor_desc<2x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
  return
}

// -----

// A list in generic form would make several ops of one.
func.func @generic_create(%p: ui64) {
  // expected-error@+1 {{'xegpu.create_tdesc' op takes its offsets as a vector, made by `arith.constant dense<[...]>` or `vector.from_elements`}}
  %0 = "xegpu.create_tdesc"(%p) <{chunk_size = 1 : i64, const_offsets = array<i64: 0, 8>}> : (ui64) -> !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @generic_update(%t: !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{'xegpu.update_offset' op takes its offsets as a vector}}
  %0 = "xegpu.update_offset"(%t) <{const_offsets = array<i64: 0, 8>}> : (!xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>) -> !xegpu.tensor_desc<2xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @vnni_axis(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op expected vnni_axis to be 0 : i64 or 1 : i64, got 2 : i64}}
  %0 = xegpu.load_nd %t <{vnni_axis = 2 : i64}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x8x2xf16>
  return
}

// -----

func.func @vnni_axis_of_another_shape(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op expected, for vnni_axis = 1, a result of the packed block, or in custom form of the block with the elements of a row in groups of 32 bits, got vector<16x8x1xf16>}}
  %0 = xegpu.load_nd %t <{vnni_axis = 1 : i64}> : !xegpu.tensor_desc<8x16xf16> -> vector<16x8x1xf16>
  return
}

// -----

func.func @rows_in_generic_form(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op expected, for vnni_axis = 1, a result of the packed block}}
  %0 = "xegpu.load_nd"(%t) <{vnni_axis = 1 : i64}> : (!xegpu.tensor_desc<8x16xf16>) -> vector<8x8x2xf16>
  return
}

// -----

func.func @permutation(%t: !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, %m: vector<4xi1>) {
  // expected-error@+1 {{'xegpu.load' op}}
  %0 = xegpu.load %t, %m <{transpose = array<i64: 0, 1>}> : !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<4xi1> -> vector<2x4xf32>
  return
}

// -----

// The RFC's capitals, and its slips, are not read, but understood.
func.func @f(%t: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{unknown operation 'XeGPU.load_nd', did you mean 'xegpu.load_nd'?}}
  %v = XeGPU.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{unknown operation 'xegpu.creat_nbarrier', did you mean 'xegpu.init_nbarrier' or 'xegpu.alloc_nbarrier'?}}
  xegpu.creat_nbarrier 4
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<8x16xf32>) {
  // expected-error@+1 {{or `write_through`; did you mean 'read_invalidate'?}}
  %v = xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<read_invaldiate>}> : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
  return
}
