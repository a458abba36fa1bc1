// RUN: XEGPU_ROUNDTRIP
func.func @forms(%n: index, %x: f32, %c: i1, %m: memref<16xf32>) {
  // CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %x) -> (f32) {
  %0 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> f32 {
    scf.yield %a : f32
  }
  // CHECK: scf.if %c -> (f32) {
  %1 = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    scf.yield %x : f32
  }
  // CHECK: scf.parallel
  // CHECK: scf.reduce
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    memref.store %x, %m[%i] : memref<16xf32>
  }
  // CHECK: default {
  // CHECK-NEXT: scf.yield
  scf.index_switch %n
  default {
  }
  return
}
