// RUN: xegpu-opt %s -p canonicalize | filecheck %s

// CHECK-LABEL: func.func @same_operands
func.func @same_operands(%a: i32, %v: vector<4xi32>) -> (i1, i1, vector<4xi1>) {
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  // CHECK-DAG: %[[F:.*]] = arith.constant false
  // CHECK-DAG: %[[V:.*]] = arith.constant dense<true> : vector<4xi1>
  %0 = arith.cmpi sle, %a, %a : i32
  %1 = arith.cmpi ult, %a, %a : i32
  %2 = arith.cmpi eq, %v, %v : vector<4xi32>
  // CHECK: return %[[T]], %[[F]], %[[V]]
  return %0, %1, %2 : i1, i1, vector<4xi1>
}

// CHECK-LABEL: func.func @select
func.func @select(%c: i1, %m: vector<4xi1>, %a: vector<4xf32>, %b: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %true = arith.constant true
  %0 = arith.select %true, %a, %b : vector<4xf32>
  %1 = arith.select %c, %b, %b : vector<4xf32>
  // CHECK: %[[S:.*]] = arith.select %m, %a, %b : vector<4xi1>, vector<4xf32>
  %2 = arith.select %m, %a, %b : vector<4xi1>, vector<4xf32>
  // CHECK: return %a, %b, %[[S]]
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @identity
func.func @identity(%a: vector<2x4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>) {
  %0 = vector.shape_cast %a : vector<2x4xf32> to vector<2x4xf32>
  %1 = vector.transpose %0, [0, 1] : vector<2x4xf32> to vector<2x4xf32>
  %2 = vector.broadcast %0 : vector<2x4xf32> to vector<2x4xf32>
  %3 = vector.bitcast %0 : vector<2x4xf32> to vector<2x4xf32>
  // CHECK: return %a, %a, %a, %a
  return %0, %1, %2, %3 : vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>
}
