// RUN: xegpu-opt %s --split-input-file | filecheck %s
// RUN: xegpu-opt %s --split-input-file | xegpu-opt --split-input-file | filecheck %s

// CHECK: memref<4x4xf32, affine_map<(d0, d1)[s0] -> (((d0 * s0) + d1))>>
// CHECK: affine_map<(d0)[s0] -> ((d0 * s0))>
// CHECK: affine_map<(d0)[s0, s1] -> ((d0 floordiv (s0 * s1)))>
func.func @f(%a: index, %b: index, %m: memref<4x4xf32, affine_map<(i, j)[s] -> (s * i + j)>>) {
  %0 = affine.apply affine_map<(d0)[s0] -> (s0 * d0)>(%a)[%b]
  %1 = affine.apply affine_map<(d0)[s0, s1] -> (d0 floordiv (s0 * s1))>(%a)[%b, %b]
  return
}
