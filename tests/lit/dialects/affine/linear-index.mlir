// RUN: XEGPU_ROUNDTRIP
func.func @f(%i: index, %j: index, %n: index) {
  // CHECK: affine.linearize_index [%i, %j] by (16, 32) : index
  %0 = affine.linearize_index [%i, %j] by (16, 32) : index
  // CHECK: affine.linearize_index disjoint [%i, %j] by (%n) {a = 1 : i64} : index
  %1 = affine.linearize_index disjoint [%i, %j] by (%n) {a = 1} : index
  // CHECK: affine.linearize_index [] by () : index
  %2 = affine.linearize_index [] by () : index
  // CHECK: affine.delinearize_index %i into (%n, 32) : index, index
  %3:2 = affine.delinearize_index %i into (%n, 32) : index, index
  // CHECK: affine.delinearize_index %i into (%n, 32) : index, index, index
  %4:3 = affine.delinearize_index %i into (%n, 32) : index, index, index
  // CHECK: affine.delinearize_index %i into () : index
  %5 = affine.delinearize_index %i into () : index
  // CHECK: affine.linearize_index [%i, %j] by (32) : index
  %6 = "affine.linearize_index"(%i, %j) <{disjoint = false, operandSegmentSizes = array<i32: 2, 0>, static_basis = array<i64: 32>}> : (index, index) -> index
  return
}
