// RUN: XEGPU_INVALID

func.func @size(%v: vector<32x64xf32>) {
  // expected-error@+1 {{'xetile.reduction' op reduction dimension of result must have size 1, got 64 in dimension 1}}
  %0 = xetile.reduction <add>, %v [1] : vector<32x64xf32> -> vector<32x64xf32>
  return
}

// -----

func.func @other_size(%v: vector<32x64xf32>) {
  // expected-error@+1 {{expected dimension 0 of the result to keep its size 32, got 16}}
  %0 = xetile.reduction <add>, %v [1] : vector<32x64xf32> -> vector<16x1xf32>
  return
}

// -----

func.func @dimension(%v: vector<32x64xf32>) {
  // expected-error@+1 {{expected reduction_dims to name different dimensions from 0 to 1, got [2]}}
  %0 = xetile.reduction <add>, %v [2] : vector<32x64xf32> -> vector<32x1xf32>
  return
}

// -----

func.func @dimension_twice(%v: vector<32x64xf32>) {
  // expected-error@+1 {{expected reduction_dims to name different dimensions from 0 to 1, got [1, 1]}}
  %0 = xetile.reduction <add>, %v [1, 1] : vector<32x64xf32> -> vector<32x1xf32>
  return
}

// -----

func.func @no_dimension(%v: vector<32x64xf32>) {
  // expected-error@+1 {{expected reduction_dims to name different dimensions from 0 to 1, got []}}
  %0 = xetile.reduction <add>, %v [] : vector<32x64xf32> -> vector<32x64xf32>
  return
}

// -----

func.func @integer_kind(%v: vector<32x64xf32>) {
  // expected-error@+1 {{reduction kind maxsi needs integer elements, got f32}}
  %0 = xetile.reduction <maxsi>, %v [0] : vector<32x64xf32> -> vector<1x64xf32>
  return
}

// -----

func.func @float_kind(%v: vector<32x64xi32>) {
  // expected-error@+1 {{reduction kind maximumf needs floating-point elements, got i32}}
  %0 = xetile.reduction <maximumf>, %v [0] : vector<32x64xi32> -> vector<1x64xi32>
  return
}

// -----

func.func @element_type(%v: vector<32x64xf16>) {
  // expected-error@+1 {{failed to verify that all of {source, result} have same element type: source has f16, result has f32}}
  %0 = xetile.reduction <add>, %v [0] : vector<32x64xf16> -> vector<1x64xf32>
  return
}

// -----

func.func @rank(%v: vector<32x64xf16>) {
  // expected-error@+1 {{expected result to be a 2-D vector, got vector<64xf16>}}
  %0 = xetile.reduction <add>, %v [0] : vector<32x64xf16> -> vector<64xf16>
  return
}

// -----

func.func @unknown_kind(%v: vector<32x64xf16>) {
  // expected-error@+1 {{unknown reduction kind 'sub', expected one of add, mul, minui, minsi, minnumf, maxui, maxsi, maxnumf, and, or, xor, maximumf, minimumf}}
  %0 = xetile.reduction <sub>, %v [0] : vector<32x64xf16> -> vector<1x64xf16>
  return
}
