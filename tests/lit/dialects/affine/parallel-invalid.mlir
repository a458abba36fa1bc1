// RUN: XEGPU_INVALID

func.func @f() {
  // expected-error@+1 {{'affine.parallel' op expected 1 steps, got 2}}
  affine.parallel (%i) = (0) to (16) step (1, 2) {
  }
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{invalid reduction value: "sum"}}
  %r = affine.parallel (%i) = (0) to (16) reduce ("sum") -> f32 {
    affine.yield %x : f32
  }
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{'affine.parallel' op expects its body to yield values of its result types}}
  %r = affine.parallel (%i) = (0) to (16) reduce ("addf") -> f32 {
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'affine.parallel' op expected 2 upper bounds, got 1}}
  affine.parallel (%i, %j) = (0, 0) to (16) {
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'affine.parallel' op expected positive steps}}
  affine.parallel (%i) = (0) to (16) step (0) {
  }
  return
}
