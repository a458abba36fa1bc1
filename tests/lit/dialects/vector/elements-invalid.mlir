// RUN: XEGPU_INVALID

func.func @f(%v: vector<16xf32>) {
  // expected-error@+1 {{expected a result of type vector<32xf32>, got vector<16xf32>}}
  %0 = vector.interleave %v, %v : vector<16xf32> -> vector<16xf32>
  return
}

// -----

func.func @f(%v1: vector<1xf32>) {
  // expected-error@+1 {{expected an even number of elements in the last dimension, got vector<1xf32>}}
  %0, %1 = vector.deinterleave %v1 : vector<1xf32> -> vector<1xf32>
  return
}

// -----

func.func @f(%v: vector<16xf32>) {
  // expected-error@+1 {{expected results of type vector<8xf32>, got vector<4xf32>}}
  %0, %1 = vector.deinterleave %v : vector<16xf32> -> vector<4xf32>
  return
}

// -----

func.func @f(%v: vector<16xf32>) {
  // expected-error@+1 {{Expected `no_punctuation`, `newline`, `comma`, `open`, or `close`}}
  vector.print %v : vector<16xf32> punctuation <dot>
  return
}

// -----

func.func @f(%v4: vector<4xf32>, %sv: vector<[4]xf32>) {
  // expected-error@+1 {{expected a position that is a multiple of 4, got 2}}
  %0 = vector.scalable.insert %v4, %sv[2] : vector<4xf32> into vector<[4]xf32>
  return
}

// -----

func.func @f(%sv: vector<[4]xf32>) {
  // expected-error@+1 {{expected a fixed and a scalable vector of one dimension, got vector<[4]xf32> and vector<[4]xf32>}}
  %0 = vector.scalable.extract %sv[0] : vector<[4]xf32> from vector<[4]xf32>
  return
}

// -----

func.func @f(%sv: vector<[4]xf32>) {
  // expected-error@+1 {{expected equal element types, got vector<4xf16> and vector<[4]xf32>}}
  %0 = vector.scalable.extract %sv[0] : vector<4xf16> from vector<[4]xf32>
  return
}

// -----

func.func @f(%v2: vector<8x16xf32>, %i: index) {
  // expected-error@+1 {{expected a position for a vector of rank 1, none for rank 0, got vector<8x16xf32>}}
  %0 = vector.extractelement %v2[%i : index] : vector<8x16xf32>
  return
}

// -----

func.func @f(%s: f32, %v: vector<16xf32>) {
  // expected-error@+1 {{expected a position for a vector of rank 1, none for rank 0, got vector<16xf32>}}
  %0 = vector.insertelement %s, %v[] : vector<16xf32>
  return
}

// -----

func.func @f(%v: vector<16xf32>) {
  // expected-error@+1 {{Mask value 32 out of range [-1, 32)}}
  %0 = vector.shuffle %v, %v [0, 32] : vector<16xf32>, vector<16xf32>
  return
}

// -----

func.func @f(%v: vector<16xf32>) {
  // expected-error@+1 {{result 'result' at position 0 does not verify: Result vector type must not be 0-D.}}
  %0 = vector.shuffle %v, %v [] : vector<16xf32>, vector<16xf32>
  return
}
