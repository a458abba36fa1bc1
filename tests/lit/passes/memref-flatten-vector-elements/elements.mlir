// RUN: xegpu-opt %s -p memref-flatten-vector-elements | filecheck %s

// CHECK-LABEL: memref.global "private" @table : memref<8x2x4xi32> = uninitialized
memref.global "private" @table : memref<8xvector<2x4xi32>> = uninitialized

// CHECK-LABEL: func.func @accesses
// CHECK-SAME: (%[[M:.*]]: memref<16x?x4xf32>, %[[I:.*]]: index, %[[X:.*]]: vector<4xf32>) -> memref<16x?x4xf32>
func.func @accesses(%m: memref<16x?xvector<4xf32>>, %i: index, %x: vector<4xf32>) -> memref<16x?xvector<4xf32>> {
  // CHECK: vector.load %[[M]][%[[I]], %[[I]], %{{.*}}] {alignment = 16 : i64} : memref<16x?x4xf32>, vector<4xf32>
  %a = memref.load %m[%i, %i] {alignment = 16 : i64} : memref<16x?xvector<4xf32>>
  // CHECK: vector.load %[[M]][%[[I]], %[[I]], %{{.*}}] : memref<16x?x4xf32>, vector<4xf32>
  %b = vector.load %m[%i, %i] : memref<16x?xvector<4xf32>>, vector<4xf32>
  // CHECK: vector.store %[[X]], %[[M]][%[[I]], %[[I]], %{{.*}}] : memref<16x?x4xf32>, vector<4xf32>
  memref.store %x, %m[%i, %i] : memref<16x?xvector<4xf32>>
  return %m : memref<16x?xvector<4xf32>>
}

// The last dimension of a vector takes a power of two of elements, as in the data layout of MLIR.
// CHECK-LABEL: func.func @sizes
func.func @sizes(%i: index, %s: memref<4xvector<f32>>) {
  // CHECK: memref.alloc() : memref<4x4xf32, 3>
  %a = memref.alloc() : memref<4xvector<3xf32>, 3>
  // CHECK: vector.load %{{.*}} : memref<4x4xf32, 3>, vector<3xf32>
  %x = memref.load %a[%i] : memref<4xvector<3xf32>, 3>
  // CHECK: memref.alloca(%{{.*}}) : memref<?x2x8xi8>
  %b = memref.alloca(%i) : memref<?xvector<2x5xi8>>
  // CHECK: vector.load %{{.*}} : memref<?x2x8xi8>, vector<2x5xi8>
  %y = memref.load %b[%i] : memref<?xvector<2x5xi8>>
  // CHECK: vector.load %{{.*}} : memref<4xf32>, vector<f32>
  %z = memref.load %s[%i] : memref<4xvector<f32>>
  return
}

// CHECK-LABEL: func.func @views
// CHECK-SAME: (%[[M:.*]]: memref<8x6x2x4xi32>, %[[S:.*]]: memref<8x2x4xi32, strided<[?, 4, 1], offset: ?>>
func.func @views(%m: memref<8x6xvector<2x4xi32>>, %s: memref<8xvector<2x4xi32>, strided<[?], offset: ?>>, %i: index) {
  // CHECK: memref.subview %[[M]][%{{.*}}, 2, 0, 0] [3, 4, 2, 4] [2, 1, 1, 1]
  // CHECK-SAME: to memref<3x4x2x4xi32, strided<[96, 8, 4, 1], offset: ?>>
  %a = memref.subview %m[%i, 2] [3, 4] [2, 1]
    : memref<8x6xvector<2x4xi32>> to memref<3x4xvector<2x4xi32>, strided<[12, 1], offset: ?>>
  // CHECK: %[[O:.*]] = arith.muli %{{.*}}, %{{.*}} : index
  // CHECK: memref.reinterpret_cast %[[M]] to offset: [%[[O]]], sizes: [%{{.*}}, 2, 4], strides: [24, 4, 1]
  // CHECK-SAME: to memref<?x2x4xi32, strided<[24, 4, 1], offset: ?>>
  %b = memref.reinterpret_cast %m to offset: [%i], sizes: [%i], strides: [3]
    : memref<8x6xvector<2x4xi32>> to memref<?xvector<2x4xi32>, strided<[3], offset: ?>>
  // CHECK: memref.get_global @table : memref<8x2x4xi32>
  %c = memref.get_global @table : memref<8xvector<2x4xi32>>
  // CHECK: memref.cast %{{.*}} : memref<8x2x4xi32> to memref<?x2x4xi32>
  %d = memref.cast %c : memref<8xvector<2x4xi32>> to memref<?xvector<2x4xi32>>
  return
}

// A buffer as one vector is the buffer.
// CHECK-LABEL: func.func @whole
func.func @whole(%m: memref<4x8xf32>, %n: memref<4xvector<8xf32>>, %x: vector<4x8xf32>) {
  // CHECK-NOT: type_cast
  // CHECK: vector.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<4x8xf32>, vector<4x8xf32>
  %a = vector.type_cast %m : memref<4x8xf32> to memref<vector<4x8xf32>>
  memref.store %x, %a[] : memref<vector<4x8xf32>>
  // CHECK: vector.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<4x8xf32>, vector<4x8xf32>
  %b = memref.load %a[] : memref<vector<4x8xf32>>
  return
}

// CHECK-LABEL: func.func private @declared(memref<2x4xf32>) -> memref<4x4xf32>
func.func private @declared(memref<2xvector<4xf32>>) -> memref<4xvector<4xf32>>

// CHECK-LABEL: func.func @control_flow
func.func @control_flow(%c: i1, %m: memref<2xvector<4xf32>>) {
  // CHECK: scf.if %{{.*}} -> (memref<4x4xf32>)
  %r = scf.if %c -> (memref<4xvector<4xf32>>) {
    // CHECK: func.call @declared(%{{.*}}) : (memref<2x4xf32>) -> memref<4x4xf32>
    %a = func.call @declared(%m) : (memref<2xvector<4xf32>>) -> memref<4xvector<4xf32>>
    scf.yield %a : memref<4xvector<4xf32>>
  } else {
    %b = memref.alloc() : memref<4xvector<4xf32>>
    scf.yield %b : memref<4xvector<4xf32>>
  }
  return
}
