// RUN: XEGPU_INVALID

func.func @f(%i: index, %j: index) {
  // expected-error@+1 {{'affine.linearize_index' op expected a size for each of the 2 indices, except possibly the first, got 0}}
  %0 = affine.linearize_index [%i, %j] by () : index
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{'affine.linearize_index' op expected a size for each of the 1 indices, except possibly the first, got 2}}
  %0 = affine.linearize_index [%i] by (4, 8) : index
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{'affine.delinearize_index' op expected sizes of at least 1 in the basis}}
  %0:2 = affine.delinearize_index %i into (0, 8) : index, index
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{'affine.delinearize_index' op expected an index for each of the 1 sizes, and at most one more, got 3}}
  %0:3 = affine.delinearize_index %i into (8) : index, index, index
  return
}
