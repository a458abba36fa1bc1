// RUN: XEGPU_INVALID

func.func @f(%v2: vector<8x16xf32>) {
  // expected-error@+1 {{unsupported reduction rank: 2}}
  %0 = vector.reduction <add>, %v2 : vector<8x16xf32> into f32
  return
}

// -----

func.func @f(%v: vector<16xf32>) {
  // expected-error@+1 {{unsupported reduction type 'f32' for kind 'or'}}
  %0 = vector.reduction <or>, %v : vector<16xf32> into f32
  return
}

// -----

func.func @f(%vi: vector<16xi32>) {
  // expected-error@+1 {{unsupported reduction type 'i32' for kind 'maxnumf'}}
  %0 = vector.reduction <maxnumf>, %vi : vector<16xi32> into i32
  return
}

// -----

func.func @f(%vi: vector<16xi32>) {
  // expected-error@+1 {{cannot read this: 'foo' is not a valid CombiningKindFlag}}
  %0 = vector.reduction <foo>, %vi : vector<16xi32> into i32
  return
}

// -----

func.func @f(%v2: vector<8x16xf32>, %v: vector<16xf32>) {
  // expected-error@+1 {{reduction dimension 2 has to be less than 2}}
  %0:2 = vector.scan <add>, %v2, %v {inclusive = true, reduction_dim = 2 : i64} : vector<8x16xf32>, vector<16xf32>
  return
}

// -----

func.func @f(%v2: vector<8x16xf32>, %v8: vector<8xf32>) {
  // expected-error@+1 {{expected an initial value of type vector<16xf32>, got vector<8xf32>}}
  %0:2 = vector.scan <add>, %v2, %v8 {inclusive = true, reduction_dim = 0 : i64} : vector<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%v2: vector<8x16xf32>, %v: vector<16xf32>) {
  // expected-error@+1 {{unsupported reduction type 'f32' for kind 'xor'}}
  %0:2 = vector.scan <xor>, %v2, %v {inclusive = true, reduction_dim = 0 : i64} : vector<8x16xf32>, vector<16xf32>
  return
}
