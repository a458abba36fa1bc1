// RUN: XEGPU_INVALID

func.func @index(%v: vector<8x16xf16>) {
  // expected-error@+1 {{'xetile.transpose' op permutation index out of bounds: expected 0 and 1, got [2, 0]}}
  %0 = xetile.transpose %v, [2, 0] : vector<8x16xf16> -> vector<16x8xf16>
  return
}

// -----

func.func @negative_index(%v: vector<8x16xf16>) {
  // expected-error@+1 {{permutation index out of bounds: expected 0 and 1, got [-1, 0]}}
  %0 = xetile.transpose %v, [-1, 0] : vector<8x16xf16> -> vector<16x8xf16>
  return
}

// -----

func.func @bijection(%v: vector<8x8xf16>) {
  // expected-error@+1 {{expected a permutation of 2 dimensions, got [1, 1]}}
  %0 = xetile.transpose %v, [1, 1] : vector<8x8xf16> -> vector<8x8xf16>
  return
}

// -----

func.func @length(%v: vector<8x16xf16>) {
  // expected-error@+1 {{expected a permutation of 2 dimensions, got [1]}}
  %0 = xetile.transpose %v, [1] : vector<8x16xf16> -> vector<16x8xf16>
  return
}

// -----

func.func @shape(%v: vector<8x16xf16>) {
  // expected-error@+1 {{Incorrect transpose permutation: expected a result of shape [16, 8], got [8, 16]}}
  %0 = xetile.transpose %v, [1, 0] : vector<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @element_type(%v: vector<8x16xf16>) {
  // expected-error@+1 {{failed to verify that all of {source, result} have same element type: source has f16, result has i16}}
  %0 = xetile.transpose %v, [1, 0] : vector<8x16xf16> -> vector<16x8xi16>
  return
}

// -----

func.func @rank(%v: vector<8x16x2xf16>) {
  // expected-error@+1 {{expected source to be a 2-D vector, got vector<8x16x2xf16>}}
  %0 = xetile.transpose %v, [1, 0] : vector<8x16x2xf16> -> vector<16x8xf16>
  return
}

// -----

func.func @overflow(%v: vector<8x16xf16>) {
  // expected-error@+1 {{expected a 64-bit integer, got 9223372036854775808}}
  %0 = xetile.transpose %v, [9223372036854775808, 0] : vector<8x16xf16> -> vector<16x8xf16>
  return
}
