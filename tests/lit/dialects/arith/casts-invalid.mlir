// RUN: XEGPU_INVALID

func.func @f(%s: f32, %e8: f8E8M0FNU) {
  // expected-error@+1 {{operand type 'f32' and result type 'f32' are cast incompatible}}
  %0 = arith.scaling_extf %s, %e8 : f32, f8E8M0FNU to f32
  return
}

// -----

func.func @f(%f8: f8E4M3FN, %w: i32) {
  // expected-error@+1 {{expected floating-point input, scale and result of one shape, got f8E4M3FN, i32, f32}}
  %0 = arith.scaling_extf %f8, %w : f8E4M3FN, i32 to f32
  return
}

// -----

func.func @f(%f8: f8E4M3FN, %e8: f8E8M0FNU) {
  // expected-error@+1 {{operand type 'f8E4M3FN' and result type 'f32' are cast incompatible}}
  %0 = arith.scaling_truncf %f8, %e8 : f8E4M3FN, f8E8M0FNU to f32
  return
}

// -----

func.func @f(%mi1: memref<2xindex>) {
  // expected-error@+1 {{operand type 'memref<2xindex>' and result type 'vector<2xi64>' are cast incompatible: expected index and an integer in one shape}}
  %0 = arith.index_cast %mi1 : memref<2xindex> to vector<2xi64>
  return
}

// -----

func.func @f(%mi1: memref<2xindex>) {
  // expected-error@+1 {{operand type 'memref<2xindex>' and result type 'memref<3xi64>' are cast incompatible: expected index and an integer in one shape}}
  %0 = arith.index_cast %mi1 : memref<2xindex> to memref<3xi64>
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{operand and result types must have equal bitwidths or be IndexType}}
  %0 = arith.bitcast %s : f32 to i16
  return
}

// -----

func.func @f(%v: vector<16xf32>) {
  // expected-error@+1 {{operand and result type must have compatible shape}}
  %0 = arith.bitcast %v : vector<16xf32> to vector<8xi32>
  return
}
