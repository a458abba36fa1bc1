// RUN: xegpu-opt %s -p canonicalize | filecheck %s

!block = !xegpu.tensor_desc<8x16xf16>

// CHECK-LABEL: func.func @constants
func.func @constants(%p: ui64, %t: !block, %i: index) -> (!block, !block) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  // CHECK: xegpu.create_nd_tdesc %p[%i, 8], [64, 64], [64, 1] {note} : ui64
  %0 = xegpu.create_nd_tdesc %p[%i, %c8], [%c64, 64], [%c64, %c1] {note} : ui64 -> !block
  // CHECK: xegpu.update_nd_offset %t, [8, %i] {note}
  %1 = xegpu.update_nd_offset %t, [%c8, %i] {note} : !block
  return %0, %1 : !block, !block
}

// What is wrong only when it runs is left to fail then.
// CHECK-LABEL: func.func @illegal_constants
func.func @illegal_constants(%p: ui64) -> !block {
  // CHECK-DAG: %[[SIZE:.*]] = arith.constant -8 : index
  // CHECK-DAG: %[[STRIDE:.*]] = arith.constant 2 : index
  %size = arith.constant -8 : index
  %stride = arith.constant 2 : index
  // CHECK: xegpu.create_nd_tdesc %p[-8, 2], [%[[SIZE]], 2], [2, %[[STRIDE]]] : ui64
  %0 = xegpu.create_nd_tdesc %p[%size, %stride], [%size, %stride], [%stride, %stride] : ui64 -> !block
  return %0 : !block
}

// CHECK-LABEL: func.func @zero
func.func @zero(%t: !block) -> !block {
  %c0 = arith.constant 0 : index
  %0 = xegpu.update_nd_offset %t, [%c0, 0] : !block
  // CHECK-NEXT: return %t
  return %0 : !block
}

// CHECK-LABEL: func.func @chain
func.func @chain(%t: !block, %i: index, %j: index) -> (!block, !block) {
  %0 = xegpu.update_nd_offset %t, [8, %i] : !block
  %1 = xegpu.update_nd_offset %0, [-16, 0] : !block
  // CHECK-NEXT: %[[A:.*]] = xegpu.update_nd_offset %t, [-8, %i]
  %2 = xegpu.update_nd_offset %t, [%i, 4] : !block
  // CHECK-NEXT: %[[S:.*]] = arith.addi %i, %j : index
  // CHECK-NEXT: %[[B:.*]] = xegpu.update_nd_offset %t, [%[[S]], 4]
  %3 = xegpu.update_nd_offset %2, [%j, 0] : !block
  // CHECK-NEXT: return %[[A]], %[[B]]
  return %1, %3 : !block, !block
}

// A descriptor that has to move twice can do so where it is.
// CHECK-LABEL: func.func @both_needed
func.func @both_needed(%t: !block, %i: index, %j: index) -> (!block, !block, !block) {
  // CHECK-NEXT: %[[A:.*]] = xegpu.update_nd_offset %t, [%i, 0]
  %0 = xegpu.update_nd_offset %t, [%i, 0] : !block
  // CHECK-NEXT: xegpu.update_nd_offset %[[A]], [%j, 0]
  %1 = xegpu.update_nd_offset %0, [%j, 0] : !block
  // CHECK-NEXT: xegpu.update_nd_offset %[[A]], [0, 16]
  %2 = xegpu.update_nd_offset %0, [0, 16] : !block
  return %0, %1, %2 : !block, !block, !block
}

// CHECK-LABEL: func.func @overflow
func.func @overflow(%t: !block) -> !block {
  // CHECK-COUNT-2: xegpu.update_nd_offset
  %0 = xegpu.update_nd_offset %t, [9223372036854775807, 0] : !block
  %1 = xegpu.update_nd_offset %0, [1, 0] : !block
  return %1 : !block
}

// CHECK-LABEL: func.func @into_create
func.func @into_create(%m: memref<4x96x80xf16>, %i: index) -> !block {
  %0 = xegpu.create_nd_tdesc %m[1, %i, 16] {note} : memref<4x96x80xf16> -> !block
  %1 = xegpu.update_nd_offset %0, [0, 16] : !block
  %2 = xegpu.update_nd_offset %1, [8, 0] : !block
  // CHECK-NEXT: %[[C:.*]] = arith.constant 8 : index
  // CHECK-NEXT: %[[S:.*]] = arith.addi %i, %[[C]] : index
  // CHECK-NEXT: xegpu.create_nd_tdesc %m[1, %[[S]], 32] {note} : memref<4x96x80xf16>
  // CHECK-NEXT: return
  return %2 : !block
}

// A descriptor that moves in a loop is made once.
// CHECK-LABEL: func.func @loop
func.func @loop(%m: memref<96x80xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[T:.*]] = xegpu.create_nd_tdesc %m[0, 0]
  %0 = xegpu.create_nd_tdesc %m[0, 0] : memref<96x80xf16> -> !block
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: xegpu.update_nd_offset %[[T]], [0, %{{.*}}]
    %1 = xegpu.update_nd_offset %0, [0, %i] : !block
    xegpu.prefetch_nd %1 : !block
  }
  return
}

// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%m: memref<96x80xf16>, %p: ui64, %off: vector<16xindex>) {
  %0 = xegpu.create_nd_tdesc %m[0, 0] : memref<96x80xf16> -> !block
  %1 = xegpu.update_nd_offset %0, [8, 0] : !block
  %2 = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  %3 = xegpu.update_offset %2, %off : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xindex>
  return
}

!points = !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>

// CHECK-LABEL: func.func @zero_offsets
func.func @zero_offsets(%t: !points) -> !points {
  %zeros = arith.constant dense<0> : vector<4xindex>
  // CHECK-NOT: xegpu.update_offset
  // CHECK: return %t
  %0 = xegpu.update_offset %t, %zeros : !points, vector<4xindex>
  return %0 : !points
}

// Constant sums cost nothing, even where both places are needed.
// CHECK-LABEL: func.func @constant_chain
func.func @constant_chain(%t: !points) -> (!points, !points) {
  %a = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  %b = arith.constant dense<[8, -1, 0, 4]> : vector<4xindex>
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  // CHECK-DAG: %[[SUM:.*]] = arith.constant dense<[8, 0, 2, 7]> : vector<4xindex>
  // CHECK-DAG: xegpu.update_offset %t, %[[A]] :
  %0 = xegpu.update_offset %t, %a : !points, vector<4xindex>
  // CHECK-DAG: xegpu.update_offset %t, %[[SUM]] {note} :
  %1 = xegpu.update_offset %0, %b {note} : !points, vector<4xindex>
  return %0, %1 : !points, !points
}

// CHECK-LABEL: func.func @dynamic_chain
func.func @dynamic_chain(%t: !points, %a: vector<4xindex>, %b: vector<4xindex>) -> (!points, !points) {
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi %a, %b : vector<4xindex>
  // CHECK-NEXT: %[[MOVED:.*]] = xegpu.update_offset %t, %[[SUM]] :
  %0 = xegpu.update_offset %t, %a : !points, vector<4xindex>
  %1 = xegpu.update_offset %0, %b : !points, vector<4xindex>
  // Both are needed: no sum.
  // CHECK-NEXT: %[[FIRST:.*]] = xegpu.update_offset %[[MOVED]], %a :
  %2 = xegpu.update_offset %1, %a : !points, vector<4xindex>
  // CHECK-NEXT: xegpu.update_offset %[[FIRST]], %b :
  %3 = xegpu.update_offset %2, %b : !points, vector<4xindex>
  xegpu.prefetch %1 : !points
  return %2, %3 : !points, !points
}

// CHECK-LABEL: func.func @offsets_overflow
func.func @offsets_overflow(%t: !points) -> !points {
  %a = arith.constant dense<9223372036854775807> : vector<4xindex>
  %b = arith.constant dense<1> : vector<4xindex>
  // CHECK-COUNT-2: xegpu.update_offset
  %0 = xegpu.update_offset %t, %a : !points, vector<4xindex>
  %1 = xegpu.update_offset %0, %b : !points, vector<4xindex>
  return %1 : !points
}

// CHECK-LABEL: func.func @offsets_into_create
func.func @offsets_into_create(%p: ui64, %x: vector<4xindex>) -> (!points, !points, !points) {
  %a = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
  // CHECK: %[[TWICE:.*]] = arith.constant dense<[0, 2, 4, 6]> : vector<4xindex>
  // CHECK: xegpu.create_tdesc %p, %[[TWICE]] {note} : ui64
  %0 = xegpu.create_tdesc %p, %a {note} : ui64, vector<4xindex> -> !points
  %1 = xegpu.update_offset %0, %a : !points, vector<4xindex>
  // The descriptor is needed where it is, too.
  // CHECK: %[[KEPT:.*]] = xegpu.create_tdesc %p, %x
  %2 = xegpu.create_tdesc %p, %x : ui64, vector<4xindex> -> !points
  // CHECK-NEXT: xegpu.update_offset %[[KEPT]], %x
  %3 = xegpu.update_offset %2, %x : !points, vector<4xindex>
  return %1, %2, %3 : !points, !points, !points
}

!lanes = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>

// Offsets of a lane and of the subgroup have no sum.
// CHECK-LABEL: func.func @offsets_of_one_lane
func.func @offsets_of_one_lane(%t: !lanes, %own: vector<1xindex>, %all: vector<16xindex>) -> !lanes {
  // CHECK-COUNT-2: xegpu.update_offset
  %0 = xegpu.update_offset %t, %own : !lanes, vector<1xindex>
  %1 = xegpu.update_offset %0, %all : !lanes, vector<16xindex>
  return %1 : !lanes
}

// No list and no constant holds these sums.
// CHECK-LABEL: func.func @overflow_of_create
func.func @overflow_of_create(%m: memref<96x80xf16>, %p: ui64) -> (!block, !points) {
  // CHECK: xegpu.create_nd_tdesc %m[9223372036854775807, 0]
  %0 = xegpu.create_nd_tdesc %m[9223372036854775807, 0] : memref<96x80xf16> -> !block
  // CHECK: xegpu.update_nd_offset %{{.*}}, [1, 0]
  %1 = xegpu.update_nd_offset %0, [1, 0] : !block
  %a = arith.constant dense<-9223372036854775808> : vector<4xindex>
  %b = arith.constant dense<-1> : vector<4xindex>
  // CHECK: xegpu.create_tdesc
  %2 = xegpu.create_tdesc %p, %a : ui64, vector<4xindex> -> !points
  // CHECK: xegpu.update_offset
  %3 = xegpu.update_offset %2, %b : !points, vector<4xindex>
  return %1, %3 : !block, !points
}
