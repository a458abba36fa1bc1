// RUN: xegpu-opt %s -p canonicalize | filecheck %s

!block = !xetile.tile<32x64xf16>
!scattered = !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>
#a = #xetile.wg_map<sg_layout = [4, 2], sg_data = [8, 32]>
#b = #xetile.wg_map<sg_layout = [1, 8], sg_data = [32, 8]>
#c = #xetile.wg_map<sg_layout = [8, 1], sg_data = [4, 64]>

// Tiles

// CHECK-LABEL: func.func @constants
func.func @constants(%p: i64, %m: memref<64x64xf16>, %i: index) -> (!block, !block) {
  %c1 = arith.constant 1 : index
  %c8 = index.constant 8
  %c64 = arith.constant 64 : index
  // CHECK: xetile.init_tile %p[%i, 8], [64, %i], [64, 1] {note} : i64
  %0 = xetile.init_tile %p[%i, %c8], [%c64, %i], [%c64, %c1] {note} : i64 -> !block
  // CHECK: xetile.init_tile %m[8, -9223372036854775807] : memref<64x64xf16>
  %1 = xetile.init_tile %m[%c8, -9223372036854775807] : memref<64x64xf16> -> !block
  return %0, %1 : !block, !block
}

// The number that marks a place in a static list cannot stand there, nor can a size below zero.
// CHECK-LABEL: func.func @illegal_constants
func.func @illegal_constants(%p: i64) -> !block {
  // CHECK-DAG: %[[OFFSET:.*]] = arith.constant -9223372036854775808 : index
  // CHECK-DAG: %[[SIZE:.*]] = arith.constant -8 : index
  %offset = arith.constant -9223372036854775808 : index
  %size = arith.constant -8 : index
  // CHECK: xetile.init_tile %p[%[[OFFSET]], -8], [%[[SIZE]], 64], [64, 1] : i64
  %0 = xetile.init_tile %p[%offset, %size], [%size, 64], [64, 1] : i64 -> !block
  return %0 : !block
}

// CHECK-LABEL: func.func @zero
func.func @zero(%t: !block, %s: !scattered) -> (!block, !scattered) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0> : vector<4x16xindex>
  %0 = xetile.update_tile_offset %t, [%c0, %c0] : !block
  %1 = xetile.update_tile_offset %s, %zeros : !scattered, vector<4x16xindex>
  // CHECK-NEXT: return %t, %s
  return %0, %1 : !block, !scattered
}

// CHECK-LABEL: func.func @not_zero
func.func @not_zero(%t: !block, %s: !scattered) -> (!block, !scattered) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ones = arith.constant dense<1> : vector<4x16xindex>
  // CHECK-COUNT-2: xetile.update_tile_offset
  %0 = xetile.update_tile_offset %t, [%c0, %c1] : !block
  %1 = xetile.update_tile_offset %s, %ones : !scattered, vector<4x16xindex>
  return %0, %1 : !block, !scattered
}

// CHECK-LABEL: func.func @chain
func.func @chain(%t: !block, %i: index, %j: index) -> (!block, !block) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  // CHECK: %[[C32:.*]] = arith.constant 32 : index
  // CHECK-NEXT: %[[A:.*]] = xetile.update_tile_offset %t, [%[[C32]], %i] {note}
  %0 = xetile.update_tile_offset %t, [%c8, %i] : !block
  %1 = xetile.update_tile_offset %0, [%c24, %c0] {note} : !block
  // CHECK-NEXT: %[[S:.*]] = arith.addi %i, %j : index
  // CHECK: %[[B:.*]] = xetile.update_tile_offset %t, [%[[S]], %{{.*}}]
  %2 = xetile.update_tile_offset %t, [%i, %c8] : !block
  %3 = xetile.update_tile_offset %2, [%j, %c0] : !block
  // CHECK-NEXT: return %[[A]], %[[B]]
  return %1, %3 : !block, !block
}

// CHECK-LABEL: func.func @scattered_chain
func.func @scattered_chain(%s: !scattered, %i: vector<4x16xindex>, %j: vector<4x16xindex>) -> !scattered {
  // CHECK-NEXT: %[[S:.*]] = arith.addi %i, %j : vector<4x16xindex>
  // CHECK-NEXT: %[[T:.*]] = xetile.update_tile_offset %s, %[[S]]
  // CHECK-NEXT: return %[[T]]
  %0 = xetile.update_tile_offset %s, %i : !scattered, vector<4x16xindex>
  %1 = xetile.update_tile_offset %0, %j : !scattered, vector<4x16xindex>
  return %1 : !scattered
}

// A sum that has to be computed is no gain where both positions are needed.
// CHECK-LABEL: func.func @both_needed
func.func @both_needed(%t: !block, %s: !scattered, %i: index, %j: index, %v: vector<4x16xindex>) -> (!block, !block, !block, !scattered, !scattered) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // CHECK: %[[A:.*]] = xetile.update_tile_offset %t, [%i, %{{.*}}]
  %0 = xetile.update_tile_offset %t, [%i, %c0] : !block
  // CHECK-NEXT: xetile.update_tile_offset %[[A]], [%j, %{{.*}}]
  %1 = xetile.update_tile_offset %0, [%j, %c0] : !block
  // CHECK: xetile.update_tile_offset %t, [%i, %{{.*}}]
  %2 = xetile.update_tile_offset %0, [%c0, %c16] : !block
  // CHECK: %[[S:.*]] = xetile.update_tile_offset %s, %v
  // CHECK-NEXT: xetile.update_tile_offset %[[S]], %v
  %3 = xetile.update_tile_offset %s, %v : !scattered, vector<4x16xindex>
  %4 = xetile.update_tile_offset %3, %v : !scattered, vector<4x16xindex>
  return %0, %1, %2, %3, %4 : !block, !block, !block, !scattered, !scattered
}

// CHECK-LABEL: func.func @overflow
func.func @overflow(%t: !block, %m: memref<64x64xf16>) -> (!block, !block) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %max = arith.constant 9223372036854775807 : index
  // CHECK-COUNT-2: xetile.update_tile_offset
  %0 = xetile.update_tile_offset %t, [%max, %c0] : !block
  %1 = xetile.update_tile_offset %0, [%c1, %c0] : !block
  // CHECK: %[[T:.*]] = xetile.init_tile %m[0, 9223372036854775807]
  // CHECK-NEXT: xetile.update_tile_offset %[[T]]
  %2 = xetile.init_tile %m[0, 9223372036854775807] : memref<64x64xf16> -> !block
  %3 = xetile.update_tile_offset %2, [%c0, %c1] : !block
  return %1, %3 : !block, !block
}

// CHECK-LABEL: func.func @into_init
func.func @into_init(%m: memref<4x96x80xf16>, %i: index) -> !block {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %0 = xetile.init_tile %m[1, %i, 16] {note} : memref<4x96x80xf16> -> !block
  %1 = xetile.update_tile_offset %0, [%c0, %c16] : !block
  %2 = xetile.update_tile_offset %1, [%c8, %c0] : !block
  // CHECK-NOT: xetile.update_tile_offset
  // CHECK: %[[S:.*]] = arith.addi %i, %{{.*}} : index
  // CHECK-NEXT: %[[T:.*]] = xetile.init_tile %m[1, %[[S]], 32] {note} : memref<4x96x80xf16>
  // CHECK-NEXT: return %[[T]]
  return %2 : !block
}

// CHECK-LABEL: func.func @into_init_of_address
func.func @into_init_of_address(%p: ui64, %h: index, %w: index) -> !block {
  %c64 = arith.constant 64 : index
  %0 = xetile.init_tile %p[0, 0], [%h, %w], [%w, 1] : ui64 -> !block
  %1 = xetile.update_tile_offset %0, [%c64, %w] : !block
  // CHECK-NEXT: %[[T:.*]] = xetile.init_tile %p[64, %w], [%h, %w], [%w, 1] : ui64
  // CHECK-NEXT: return %[[T]]
  return %1 : !block
}

// CHECK-LABEL: func.func @into_scattered_init
func.func @into_scattered_init(%m: memref<4096xf32>, %i: vector<4x16xindex>, %j: vector<4x16xindex>) -> !scattered {
  %0 = xetile.init_tile %m, %i : memref<4096xf32>, vector<4x16xindex> -> !scattered
  %1 = xetile.update_tile_offset %0, %j : !scattered, vector<4x16xindex>
  // CHECK-NEXT: %[[S:.*]] = arith.addi %i, %j : vector<4x16xindex>
  // CHECK-NEXT: %[[T:.*]] = xetile.init_tile %m, %[[S]] : memref<4096xf32>, vector<4x16xindex>
  // CHECK-NEXT: return %[[T]]
  return %1 : !scattered
}

// A tile that moves in a loop is made once.
// CHECK-LABEL: func.func @loop
func.func @loop(%m: memref<96x80xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[T:.*]] = xetile.init_tile %m[0, 0]
  %0 = xetile.init_tile %m[0, 0] : memref<96x80xf16> -> !block
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: xetile.update_tile_offset %[[T]], [%{{.*}}, %{{.*}}]
    %1 = xetile.update_tile_offset %0, [%c0, %i] : !block
    xetile.prefetch_tile %1 : !block
  }
  return
}

// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%m: memref<96x80xf16>, %f: memref<4096xf32>, %i: index, %v: vector<4x16xindex>) {
  %0 = xetile.init_tile %m[0, 0] : memref<96x80xf16> -> !block
  %1 = xetile.update_tile_offset %0, [%i, %i] : !block
  %2 = xetile.init_tile %f, %v : memref<4096xf32>, vector<4x16xindex> -> !scattered
  %3 = xetile.update_tile_offset %2, %v : !scattered, vector<4x16xindex>
  return
}

// Values

// CHECK-LABEL: func.func @transposes
func.func @transposes(%x: vector<32x64xf16>) -> (vector<32x64xf16>, vector<32x64xf16>, vector<64x32xf16>) {
  %0 = xetile.transpose %x, [1, 0] : vector<32x64xf16> -> vector<64x32xf16>
  %1 = xetile.transpose %0, [1, 0] : vector<64x32xf16> -> vector<32x64xf16>
  %2 = xetile.transpose %x, [0, 1] : vector<32x64xf16> -> vector<32x64xf16>
  // CHECK-NEXT: %[[T:.*]] = xetile.transpose %x, [1, 0]
  %3 = xetile.transpose %1, [1, 0] : vector<32x64xf16> -> vector<64x32xf16>
  // CHECK-NEXT: return %x, %x, %[[T]]
  return %1, %2, %3 : vector<32x64xf16>, vector<32x64xf16>, vector<64x32xf16>
}

// CHECK-LABEL: func.func @nothing_combined
func.func @nothing_combined(%x: vector<1x64xf32>, %y: vector<32x1xf32>, %z: vector<32x64xf32>) -> (vector<1x64xf32>, vector<32x1xf32>, vector<32x1xf32>) {
  %0 = xetile.reduction <mul>, %x [0] : vector<1x64xf32> -> vector<1x64xf32>
  %1 = xetile.broadcast %y [1] : vector<32x1xf32> -> vector<32x1xf32>
  // CHECK-NEXT: %[[R:.*]] = xetile.reduction
  %2 = xetile.reduction <add>, %z [1] : vector<32x64xf32> -> vector<32x1xf32>
  // CHECK-NEXT: return %x, %y, %[[R]]
  return %0, %1, %2 : vector<1x64xf32>, vector<32x1xf32>, vector<32x1xf32>
}

// An op with a map of its own deals a work group's value out anew.
// CHECK-LABEL: func.func @mapped
func.func @mapped(%x: vector<32x64xf32>, %y: vector<32x1xf32>) -> (vector<32x64xf32>, vector<32x1xf32>, vector<32x1xf32>) {
  // CHECK-COUNT-2: xetile.transpose
  %0 = xetile.transpose %x, [1, 0] : vector<32x64xf32> -> vector<64x32xf32>
  %1 = xetile.transpose %0, [1, 0] {map = #a} : vector<64x32xf32> -> vector<32x64xf32>
  // CHECK-NEXT: xetile.reduction
  %2 = xetile.reduction <add>, %y [1] {map = #a} : vector<32x1xf32> -> vector<32x1xf32>
  // CHECK-NEXT: xetile.broadcast
  %3 = xetile.broadcast %y [1] {map = #a} : vector<32x1xf32> -> vector<32x1xf32>
  return %1, %2, %3 : vector<32x64xf32>, vector<32x1xf32>, vector<32x1xf32>
}

// CHECK-LABEL: func.func @conversions
func.func @conversions(%x: vector<32x64xf32>) -> (vector<32x64xf32>, vector<32x64xf32>, vector<32x64xf32>, vector<32x64xf32>) {
  %0 = xetile.convert_layout %x {wg_map_source = #a, wg_map_result = #a} : vector<32x64xf32>
  // CHECK-NEXT: %[[C:.*]] = xetile.convert_layout %x {note, wg_map_result = #xetile.wg_map<sg_layout = [8, 1], sg_data = [4, 64]>, wg_map_source = #xetile.wg_map<sg_layout = [4, 2], sg_data = [8, 32]>}
  %1 = xetile.convert_layout %x {wg_map_source = #a, wg_map_result = #b} : vector<32x64xf32>
  %2 = xetile.convert_layout %1 {wg_map_source = #b, wg_map_result = #c, note} : vector<32x64xf32>
  %3 = xetile.convert_layout %1 {wg_map_result = #a} : vector<32x64xf32>
  // CHECK-NEXT: %[[D:.*]] = xetile.convert_layout %x
  // CHECK-SAME: sg_data = [8, 32]
  // CHECK-NOT: wg_map_source
  // CHECK: return %x, %[[C]], %x, %[[D]]
  %4 = xetile.convert_layout %x {wg_map_result = #b} : vector<32x64xf32>
  %5 = xetile.convert_layout %4 {wg_map_result = #a} : vector<32x64xf32>
  return %0, %2, %3, %5 : vector<32x64xf32>, vector<32x64xf32>, vector<32x64xf32>, vector<32x64xf32>
}

// What the text says of the value between contradicts itself.
// CHECK-LABEL: func.func @contradiction
func.func @contradiction(%x: vector<32x64xf32>) -> vector<32x64xf32> {
  // CHECK-COUNT-2: xetile.convert_layout
  %0 = xetile.convert_layout %x {wg_map_result = #b} : vector<32x64xf32>
  %1 = xetile.convert_layout %0 {wg_map_source = #c, wg_map_result = #a} : vector<32x64xf32>
  return %1 : vector<32x64xf32>
}
