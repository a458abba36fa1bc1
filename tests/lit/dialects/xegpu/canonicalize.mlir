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
  // CHECK-NEXT: func.return %t
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
  // CHECK-NEXT: func.return %[[A]], %[[B]]
  return %1, %3 : !block, !block
}

// A sum that has to be computed is no gain where both positions are needed.
// CHECK-LABEL: func.func @both_needed
func.func @both_needed(%t: !block, %i: index, %j: index) -> (!block, !block, !block) {
  // CHECK-NEXT: %[[A:.*]] = xegpu.update_nd_offset %t, [%i, 0]
  %0 = xegpu.update_nd_offset %t, [%i, 0] : !block
  // CHECK-NEXT: xegpu.update_nd_offset %[[A]], [%j, 0]
  %1 = xegpu.update_nd_offset %0, [%j, 0] : !block
  // CHECK-NEXT: xegpu.update_nd_offset %t, [%i, 16]
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
  // CHECK-NEXT: func.return
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
// CHECK-NEXT: func.return
func.func @dead(%m: memref<96x80xf16>, %p: ui64, %off: vector<16xindex>) {
  %0 = xegpu.create_nd_tdesc %m[0, 0] : memref<96x80xf16> -> !block
  %1 = xegpu.update_nd_offset %0, [8, 0] : !block
  %2 = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  %3 = xegpu.update_offset %2, %off : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xindex>
  return
}
