// RUN: XEGPU_ROUNDTRIP
// CHECK-LABEL: func.func @f
func.func @f(%n: index, %m: index, %x: f32, %k: i32) -> f32 {
  // CHECK-NEXT: affine.parallel (%i) = (0) to (16) {
  // CHECK-NEXT: }
  affine.parallel (%i) = (0) to (16) {
  }
  // CHECK-NEXT: affine.parallel () = () to () {
  // CHECK-NEXT: }
  affine.parallel () = () to () {
  }
  // CHECK-NEXT: %r, %s = affine.parallel (%i_1, %j) = (0, max(1, %n + %m * 2)) to (min(16, (%n + 3) floordiv 2), %n) step (1, 2) reduce ("addf", "maxs") -> (f32, i32) {
  // CHECK-NEXT:   affine.yield %x, %k : f32, i32
  // CHECK-NEXT: } {a = 1 : i32}
  %r, %s = affine.parallel (%i, %j) = (0, max(1, %n + %m * 2)) to (min(16, (%n + 3) floordiv 2), symbol(%n)) step (1, 2) reduce ("addf", "maxs") -> (f32, i32) {
    affine.yield %x, %k : f32, i32
  } {a = 1 : i32}
  return %r : f32
}
