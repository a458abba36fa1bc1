// RUN: XEGPU_INVALID

func.func @f(%s: f32) {
  // expected-error@+1 {{Unexpected attribute f32}}
  %0 = arith.divui %s, %s exact : f32
  return
}

// -----

func.func @f(%w: i32) {
  // expected-error@+1 {{Expected `nsw`, or `nuw`.}}
  %0 = arith.addi %w, %w overflow<foo> : i32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{Expected `reassoc`, `nnan`, `ninf`, `nsz`, `arcp`, `contract`, or `afn`.}}
  %0 = arith.addf %s, %s fastmath<foo> : f32
  return
}

// -----

func.func @f(%w: i32) {
  // expected-error@+1 {{Unexpected attribute i32}}
  %0 = arith.addf %w, %w : i32
  return
}

// -----

func.func @f(%w: i32, %x: i64) {
  // expected-error@+1 {{operand is used with type i32, but has been previously used or defined with type i64}}
  %0 = arith.addi %w, %x : i32
  return
}

// -----

func.func @f(%w: i32) {
  // expected-error@+1 {{Expected attribute i1 but got i32}}
  %0, %1 = arith.addui_extended %w, %w : i32, i32
  return
}

// -----

func.func @f() {
  %0 = arith.constant dense<[1, 2]> : vector<3xi32>
// expected-error@+1 {{Shape mismatch in dense literal. Expected [3] shape from the type, but got [2] shape.}}
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{floating point value not valid for type i32}}
  %0 = arith.constant 1.0 : i32
  return
}
