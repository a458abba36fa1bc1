// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @columns
func.func @columns(%v: vector<2x2xf32>, %b: vector<4xi1>) {
  // CHECK: %[[F:.*]] = xegpu.distribute %{{.*}} {elements = array<i32: 0, 2, 1, 3>} : vector<2x2xf32> -> vector<2x1xf32>
  %f = xegpu.distribute %v {elements = array<i32: 0, 2, 1, 3>} : vector<2x2xf32> -> vector<2x1xf32>
  // CHECK: xegpu.collect %[[F]] {places = array<i32: 0, 2, 1, 3>} : vector<2x1xf32> -> vector<2x2xf32>
  %w = xegpu.collect %f {places = array<i32: 0, 2, 1, 3>} : vector<2x1xf32> -> vector<2x2xf32>
  // Two lanes have the same element; a lane has one twice.
  // CHECK: xegpu.distribute %{{.*}} {elements = array<i32: 3, 3, 3, 0>} : vector<4xi1> -> vector<2xi1>
  %g = xegpu.distribute %b {elements = array<i32: 3, 3, 3, 0>} : vector<4xi1> -> vector<2xi1>
  return
}
