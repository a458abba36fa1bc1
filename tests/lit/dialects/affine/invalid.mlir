// RUN: XEGPU_INVALID

func.func @f(%i: index) {
  // expected-error@+1 {{'affine.max' op expected 1 dimensions and 1 symbols, got 1 operands}}
  %0 = affine.max affine_map<(d0)[s0] -> (d0 + 2, s0)>(%i)
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{'affine.if' op expected 2 dimensions and 0 symbols, got 1 operands}}
  affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i) {
  }
  return
}

// -----

func.func @f(%i: index, %x: f32) {
  // expected-error@+1 {{'affine.if' op must have an else block if defining values}}
  %r = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> f32 {
    affine.yield %x : f32
  }
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{expected an affine set}}
  affine.if affine_map<(d0) -> (d0)>(%i) {
  }
  return
}
