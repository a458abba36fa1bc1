// RUN: xegpu-opt %s -p canonicalize | filecheck %s

// Only the first and the last shape matter.
// CHECK-LABEL: func.func @casts
func.func @casts(%v: vector<8x16xf32>) -> (vector<4x32xf32>, vector<8x16xf32>, vector<128xf32>) {
  // CHECK-DAG: %[[A:.*]] = vector.shape_cast %v : vector<8x16xf32> to vector<4x32xf32>
  // CHECK-DAG: %[[B:.*]] = vector.shape_cast %v : vector<8x16xf32> to vector<128xf32>
  %0 = vector.shape_cast %v : vector<8x16xf32> to vector<128xf32>
  %1 = vector.shape_cast %0 : vector<128xf32> to vector<2x64xf32>
  %2 = vector.shape_cast %1 : vector<2x64xf32> to vector<4x32xf32>
  %3 = vector.shape_cast %0 : vector<128xf32> to vector<8x16xf32>
  // CHECK-NOT: vector.shape_cast
  // CHECK:     return %[[A]], %v, %[[B]]
  return %2, %3, %0 : vector<4x32xf32>, vector<8x16xf32>, vector<128xf32>
}
