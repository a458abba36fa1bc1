// RUN: XEGPU_INVALID

func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{'scf.forall' op computes tensors, which are not supported: bufferize it first}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{expected 2 numbers in the list 'upper', got 1}}
  scf.forall (%i, %j) in (4) {
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'scf.forall.in_parallel' op expects parent op 'scf.forall'}}
  scf.forall.in_parallel {
  }
}
