// RUN: XEGPU_INVALID

func.func @element_types(%a: vector<8x16xf16>, %b: vector<16x16xbf16>) {
  // expected-error@+1 {{'xegpu.dpas' op failed to verify that all of {lhs, rhs} have same element type: lhs has f16, rhs has bf16}}
  %0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xbf16> -> vector<8x16xf32>
  return
}

// -----

func.func @combination(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{cannot multiply f16 by f16 into bf16: expected f16 into f32 or f16, bf16 into f32 or bf16, tf32 into f32, or 8-bit integers into 32-bit integers}}
  %0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xbf16>
  return
}

// -----

func.func @plain_f32(%a: vector<8x8xf32>, %b: vector<8x16xf32>) {
  // expected-error@+1 {{cannot multiply f32 by f32 into f32}}
  %0 = xegpu.dpas %a, %b : vector<8x8xf32>, vector<8x16xf32> -> vector<8x16xf32>
  return
}

// -----

func.func @accumulator(%a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<8x16xf16>) {
  // expected-error@+1 {{'xegpu.dpas' op Expecting the acc type to be the same as result. Accumulator is vector<8x16xf16>, result is vector<8x16xf32>}}
  %0 = xegpu.dpas %a, %b, %c : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @ranks(%a: vector<128xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{expecting lhs and result to be a 2D vector, and rhs to be either 2D or 3D (packed) vector. Got vector<128xf16>, vector<16x16xf16> and vector<8x16xf32>}}
  %0 = xegpu.dpas %a, %b : vector<128xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @packed_lhs_alone(%a: vector<8x8x2xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{(a 3D lhs needs a 3D rhs)}}
  %0 = xegpu.dpas %a, %b : vector<8x8x2xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @factor(%a: vector<8x16xf16>, %b: vector<4x16x4xf16>) {
  // expected-error@+1 {{expecting the last dimension of a packed rhs to be 2 for f16, got 4}}
  %0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<4x16x4xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @k(%a: vector<8x8xf16>, %b: vector<8x16x2xf16>) {
  // expected-error@+1 {{K-dimension mismatch. lhs has 8, rhs has 16}}
  %0 = xegpu.dpas %a, %b : vector<8x8xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @m(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{M-dimension mismatch. lhs has 8, result has 7}}
  %0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<7x16xf32>
  return
}

// -----

func.func @n(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{N-dimension mismatch. rhs has 16, result has 8}}
  %0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x8xf32>
  return
}

// -----

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
func.func @maps(%a: vector<8x1xf16>, %b: vector<8x2xf16>) {
  // expected-error@+1 {{sg_map attributes for all operands and outputs are expected in SIMT xegpu::Dpas operation: either sg_map_a, sg_map_b, sg_map_c or layout_a, layout_b, layout_cd, got sg_map_a, sg_map_c}}
  %0 = xegpu.dpas %a, %b {sg_map_a = #a, sg_map_c = #a} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
  return
}

// -----

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
func.func @fragment_ranks(%a: vector<8xf16>, %b: vector<16xf16>) {
  // expected-error@+1 {{expecting lhs, rhs, and result to be a 2D vector. Got vector<8xf16>, vector<16xf16> and vector<8xf32>}}
  %0 = xegpu.dpas %a, %b {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a} : vector<8xf16>, vector<16xf16> -> vector<8xf32>
  return
}

// -----

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
func.func @fragment_k(%a: vector<8x1xf16>, %b: vector<4x2xf16>) {
  // expected-error@+1 {{K-dimension mismatch. lhs has 16, rhs has 8 (as matrices of the whole subgroup: K-dimension mismatch. lhs has 1, rhs has 4)}}
  %0 = xegpu.dpas %a, %b {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a} : vector<8x1xf16>, vector<4x2xf16> -> vector<8x1xf32>
  return
}

// -----

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
func.func @fragment_m(%a: vector<8x1xf16>, %b: vector<8x2xf16>) {
  // expected-error@+1 {{M-dimension mismatch. lhs has 8, result has 4}}
  %0 = xegpu.dpas %a, %b {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a} : vector<8x1xf16>, vector<8x2xf16> -> vector<4x1xf32>
  return
}

// -----

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]>
func.func @fragment_n(%a: vector<8x1xf16>, %b: vector<8x2xf16>) {
  // expected-error@+1 {{N-dimension mismatch. rhs has 8, result has 16}}
  %0 = xegpu.dpas %a, %b {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
  return
}

// -----

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
func.func @fragment_data(%a: vector<8x1xf16>, %b: vector<4x4xf16>) {
  // expected-error@+1 {{expecting rows of 2 elements in the fragment rhs, as wi_data = [2, 1] says, got 4}}
  %0 = xegpu.dpas %a, %b {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a} : vector<8x1xf16>, vector<4x4xf16> -> vector<8x1xf32>
  return
}

// -----

func.func @operands(%a: vector<8x16xf16>) {
  // expected-error@+1 {{expected 2 or 3 operands, got 1}}
  %0 = xegpu.dpas %a : vector<8x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @operand_types(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{expected 1 operand types but had 2}}
  %0 = xegpu.dpas %a, %b : vector<8x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @empty(%a: vector<0x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{'xegpu.dpas' op expected vectors with dimensions of at least 1, got vector<0x16xf16>}}
  %0 = xegpu.dpas %a, %b : vector<0x16xf16>, vector<16x16xf16> -> vector<0x16xf32>
  return
}

// -----

func.func @scalable(%a: vector<[8]x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{'xegpu.dpas' op scalable vectors are not supported, got vector<[8]x16xf16>}}
  %0 = xegpu.dpas %a, %b : vector<[8]x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @no_vector(%a: f16, %b: vector<16x16xf16>) {
  // expected-error@+1 {{'xegpu.dpas' op Expecting a VectorType lhs. got f16}}
  %0 = xegpu.dpas %a, %b : f16, vector<16x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @huge(%a: vector<8x9223372036854775807xf16>, %b: vector<9223372036854775807x9223372036854775807x2xf16>) {
  // expected-error@+1 {{K-dimension mismatch. lhs has 9223372036854775807, rhs has 18446744073709551614}}
  %0 = xegpu.dpas %a, %b : vector<8x9223372036854775807xf16>, vector<9223372036854775807x9223372036854775807x2xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @operands(%a: vector<8x16xf16>) {
  // expected-error@+1 {{expected 2 or 3 operands, got 1}}
  %0 = xegpu.dpas %a : vector<8x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @kind(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{xegpu.sg_map}}
  %0 = xegpu.dpas %a, %b {sg_map_a = 3} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return
}
