// RUN: XEGPU_ROUNDTRIP
// CHECK-LABEL: func.func @f
func.func @f(%n: index, %m: memref<16xf32>, %x: f32) {
  // CHECK-NEXT: scf.forall (%i, %j) in (%n, 8) {
  // CHECK-NEXT:   memref.store %x, %m[%i] : memref<16xf32>
  // CHECK-NEXT: }
  scf.forall (%i, %j) in (%n, 8) {
    memref.store %x, %m[%i] : memref<16xf32>
    scf.forall.in_parallel {
    }
  }
  // CHECK-NEXT: scf.forall (%p) in (4) {
  // CHECK-NEXT: } {mapping = [#gpu.thread<x>]}
  scf.forall (%p) = (0) to (4) step (1) {
  } {mapping = [#gpu.thread<x>]}
  // CHECK-NEXT: scf.forall (%p_1, %q) = (0, %n) to (%n, 8) step (2, %n) {
  // CHECK-NEXT: } {a = 1 : i32}
  scf.forall (%p, %q) = (0, %n) to (%n, 8) step (2, %n) {
  } {a = 1 : i32}
  return
}
