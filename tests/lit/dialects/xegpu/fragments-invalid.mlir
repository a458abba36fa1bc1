// RUN: XEGPU_INVALID

func.func @type(%v: vector<2x2xf32>) {
  // expected-error@+1 {{'xegpu.distribute' op expected a result with elements of type f32, got i32}}
  %f = xegpu.distribute %v {elements = array<i32: 0, 2, 1, 3>} : vector<2x2xf32> -> vector<2x1xi32>
  return
}

// -----

func.func @scalable(%v: vector<[4]xf32>) {
  // expected-error@+1 {{'xegpu.collect' op expected vectors of fixed size, got vector<[4]xf32> and vector<2xf32>}}
  %f = xegpu.collect %v {places = array<i32: 0, 1>} : vector<[4]xf32> -> vector<2xf32>
  return
}

// -----

func.func @uneven(%v: vector<2x2xf32>) {
  // expected-error@+1 {{'xegpu.distribute' op expected 2 elements for each lane, got 3}}
  %f = xegpu.distribute %v {elements = array<i32: 0, 2, 1>} : vector<2x2xf32> -> vector<2x1xf32>
  return
}

// -----

func.func @nobody(%v: vector<2x2xf32>) {
  // expected-error@+1 {{'xegpu.distribute' op expected 2 elements for each lane, got 0}}
  %f = xegpu.distribute %v {elements = array<i32>} : vector<2x2xf32> -> vector<2x1xf32>
  return
}

// -----

func.func @outside(%v: vector<2x2xf32>) {
  // expected-error@+1 {{'xegpu.distribute' op expected elements of at least 0 and below 4, got 4}}
  %f = xegpu.distribute %v {elements = array<i32: 0, 4>} : vector<2x2xf32> -> vector<1xf32>
  return
}

// -----

func.func @missing(%v: vector<2x1xf32>) {
  // expected-error@+1 {{'xegpu.collect' op expected a place for each of 4 elements, got 3}}
  %f = xegpu.collect %v {places = array<i32: 0, 1, 2>} : vector<2x1xf32> -> vector<2x2xf32>
  return
}

// -----

func.func @negative(%v: vector<2x1xf32>) {
  // expected-error@+1 {{'xegpu.collect' op expected places of at least 0 and below 2147483648, got -1}}
  %f = xegpu.collect %v {places = array<i32: 0, 1, 2, -1>} : vector<2x1xf32> -> vector<2x2xf32>
  return
}
