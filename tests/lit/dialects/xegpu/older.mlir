// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// What LLVM 19 writes otherwise is read and becomes canonical.

!points = !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>
!chunks = !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>

// CHECK-LABEL: func.func @lists
func.func @lists(%p: ui64, %x: index) {
  // CHECK-NEXT: %[[OFFSETS:.*]] = arith.constant dense<[0, 8, -16, 24]> : vector<4xindex>
  // CHECK-NEXT: %[[T:.*]] = xegpu.create_tdesc %p, %[[OFFSETS]] {note} : ui64, vector<4xindex> -> !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2 : i64>>
  %0 = xegpu.create_tdesc %p [0, 8, -16, 24] {chunk_size = 2 : i64, note} : ui64 -> !chunks
  // CHECK-NEXT: %[[C16:.*]] = arith.constant 16 : index
  // CHECK-NEXT: %[[C24:.*]] = arith.constant 24 : index
  // CHECK-NEXT: %[[MIXED:.*]] = vector.from_elements %x, %[[C16]], %[[C24]], %x : vector<4xindex>
  // CHECK-NEXT: xegpu.create_tdesc %p, %[[MIXED]] : ui64, vector<4xindex> -> !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>
  %1 = xegpu.create_tdesc %p[%x, 16, 24, %x] : ui64 -> !points
  // CHECK-NEXT: %[[STEP:.*]] = arith.constant dense<4> : vector<4xindex>
  // CHECK-NEXT: xegpu.update_offset %[[T]], %[[STEP]] : {{.*}}, vector<4xindex>
  %2 = xegpu.update_offset %0, [4, 4, 4, 4] : !chunks
  // CHECK-NEXT: %[[MORE:.*]] = vector.from_elements %x, %x, %x, %x : vector<4xindex>
  // CHECK-NEXT: xegpu.update_offset %[[T]], %[[MORE]] {note} : {{.*}}, vector<4xindex>
  %3 = xegpu.update_offset %0, [%x, %x, %x, %x] {note} : !chunks
  // CHECK: scf.if
  %c = arith.constant true
  scf.if %c {
    // CHECK: %[[INNER:.*]] = arith.constant dense<1> : vector<4xindex>
    // CHECK-NEXT: xegpu.update_offset %[[T]], %[[INNER]]
    %4 = xegpu.update_offset %0, [1, 1, 1, 1] : !chunks
  }
  return
}

// CHECK-LABEL: func.func @attributes
func.func @attributes(%t: !xegpu.tensor_desc<8x16xf16>, %a: !points, %b: !chunks, %m: vector<4xi1>, %v: vector<4xf32>, %w: vector<2x4xf32>) {
  // CHECK-NEXT: xegpu.load_nd %t <{packed}> :
  %0 = xegpu.load_nd %t <{vnni_axis = 0 : i64}> : !xegpu.tensor_desc<8x16xf16> -> vector<4x16x2xf16>
  // CHECK-NEXT: xegpu.load_nd %t <{packed}> :
  %1 = "xegpu.load_nd"(%t) <{vnni_axis = 0 : i64}> : (!xegpu.tensor_desc<8x16xf16>) -> vector<4x16x2xf16>
  // CHECK-NEXT: xegpu.load %b, %m <{transpose}> :
  %2 = xegpu.load %b, %m <{transpose = array<i64: 1, 0>}> : !chunks, vector<4xi1> -> vector<2x4xf32>
  // CHECK-NEXT: xegpu.load %b, %m <{transpose}> :
  %3 = "xegpu.load"(%b, %m) <{transpose = array<i64: 1, 0>}> : (!chunks, vector<4xi1>) -> vector<2x4xf32>
  // CHECK-NEXT: xegpu.store %w, %b, %m <{transpose}> :
  "xegpu.store"(%w, %b, %m) <{transpose = array<i64: 1, 0>}> : (vector<2x4xf32>, !chunks, vector<4xi1>) -> ()
  // CHECK-NEXT: xegpu.atomic_rmw addf %a, %m, %v : !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>,
  %4 = xegpu.atomic_rmw addf %a, %m, %v : <4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xi1>, vector<4xf32> -> vector<4xf32>
  return
}

// CHECK-LABEL: func.func @vnni_axis
func.func @vnni_axis(%a: !xegpu.tensor_desc<8x16xf16>, %b: !xegpu.tensor_desc<16x16xbf16>, %c: !xegpu.tensor_desc<32x16xi8>) {
  // CHECK-NEXT: %[[A:.*]] = xegpu.load_nd %a <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  // CHECK-NEXT: %[[A3:.*]] = vector.shape_cast %[[A]] : vector<8x16xf16> to vector<8x8x2xf16>
  %0 = xegpu.load_nd %a <{vnni_axis = 1 : i64, l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x8x2xf16>
  // CHECK-NEXT: arith.negf %[[A3]] : vector<8x8x2xf16>
  %n = arith.negf %0 : vector<8x8x2xf16>
  // CHECK-NEXT: xegpu.load_nd %b <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
  %1 = xegpu.load_nd %b {vnni_axis = 1 : i64} : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
  // CHECK-NEXT: xegpu.load_nd %c <{packed}> : !xegpu.tensor_desc<32x16xi8> -> vector<8x16x4xi8>
  %2 = "xegpu.load_nd"(%c) <{vnni_axis = 1 : i64}> : (!xegpu.tensor_desc<32x16xi8>) -> vector<8x16x4xi8>
  return
}

// CHECK-LABEL: func.func @fence
func.func @fence() {
  // CHECK-NEXT: xegpu.fence memory_kind = global, fence_scope = gpu
  xegpu.fence {scope = "gpu", memory_kind = "global"}
  // CHECK-NEXT: xegpu.fence memory_kind = slm, fence_scope = workgroup
  xegpu.fence {memory_kind = "shared", fence_scope = "workgroup"}
  return
}
