// RUN: XEGPU_INVALID

func.func @size(%v: vector<4x64xf32>) {
  // expected-error@+1 {{'xetile.broadcast' op broadcast dimension of source must have size 1, got 4 in dimension 0}}
  %0 = xetile.broadcast %v [0] : vector<4x64xf32> -> vector<32x64xf32>
  return
}

// -----

func.func @other_size(%v: vector<1x64xf32>) {
  // expected-error@+1 {{expected dimension 1 of the result to keep its size 64, got 128}}
  %0 = xetile.broadcast %v [0] : vector<1x64xf32> -> vector<32x128xf32>
  return
}

// -----

func.func @dimension(%v: vector<1x64xf32>) {
  // expected-error@+1 {{expected broadcast_dim to name different dimensions from 0 to 1, got [-1]}}
  %0 = xetile.broadcast %v [-1] : vector<1x64xf32> -> vector<32x64xf32>
  return
}

// -----

func.func @element_type(%v: vector<1x64xf32>) {
  // expected-error@+1 {{failed to verify that all of {source, result} have same element type: source has f32, result has f16}}
  %0 = xetile.broadcast %v [0] : vector<1x64xf32> -> vector<32x64xf16>
  return
}

// -----

func.func @rank(%v: vector<64xf32>) {
  // expected-error@+1 {{expected source to be a 2-D vector, got vector<64xf32>}}
  %0 = xetile.broadcast %v [0] : vector<64xf32> -> vector<32x64xf32>
  return
}
