// RUN: XEGPU_INVALID

func.func @f(%w: i32) {
  // expected-error@+1 {{Unexpected attribute i32}}
  %0 = math.sincos %w : i32
  return
}

// -----

func.func @f(%w: i32) {
  // expected-error@+1 {{Unexpected attribute i32}}
  %0 = math.isnan %w : i32
  return
}

// -----

func.func @f(%s: f32, %h: f16) {
  // expected-error@+1 {{operand is used with type f32, but has been previously used or defined with type f16}}
  %0 = math.clampf %s to [%h, %s] : f32
  return
}

// -----

func.func @f(%w: i32) {
  // expected-error@+1 {{Unexpected attribute i32}}
  %0 = math.erfc %w : i32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{Unexpected attribute f32}}
  %0 = math.fpowi %s, %s : f32, f32
  return
}

// -----

func.func @f(%s: f32) {
  // expected-error@+1 {{Unexpected attribute f32}}
  %0 = math.ctlz %s : f32
  return
}
