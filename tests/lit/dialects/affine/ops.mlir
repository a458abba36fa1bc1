// RUN: XEGPU_ROUNDTRIP
func.func @f(%i: index, %n: index, %x: f32) -> f32 {
  // CHECK: affine.max affine_map<(d0)[s0] -> ({{.*}})>(%i)[%n]
  %0 = affine.max affine_map<(d0)[s0] -> (d0 + 2, s0)>(%i)[%n]
  // CHECK: affine.if affine_set<(d0)[s0] : ({{.*}})>(%i)[%n] {
  // CHECK: } else {
  affine.if affine_set<(d0)[s0] : (d0 - 3 >= 0, s0 - d0 == 0)>(%i)[%n] {
  } else {
  }
  // CHECK: affine.if affine_set<{{.*}}>(%i) -> (f32) {
  // CHECK: affine.yield %x : f32
  %1 = affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) -> f32 {
    affine.yield %x : f32
  } else {
    affine.yield %x : f32
  } {a = 1 : i32}
  return %1 : f32
}
