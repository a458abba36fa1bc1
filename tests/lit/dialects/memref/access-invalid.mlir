// RUN: XEGPU_INVALID

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{expects 2 subscripts for memref<8x16xf32>, got 1}}
  %0 = memref.load %m[%i] : memref<8x16xf32>
  return
}

// -----

func.func @f(%s: f32, %m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{expects 2 subscripts for memref<8x16xf32>, got 1}}
  memref.store %s, %m[%i] : memref<8x16xf32>
  return
}

// -----

func.func @f(%s: f32, %m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{alignment attribute value 0 is not a power of 2}}
  memref.store %s, %m[%i, %j] {alignment = 0 : i64} : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{alignment attribute value 12 is not a power of 2}}
  %0 = memref.load %m[%i, %j] {alignment = 12 : i64} : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{expects 2 subscripts for memref<8x16xf32>, got 1}}
  memref.prefetch %m[%i], read, locality<1>, data : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{expects a locality from 0 to 3, got 4}}
  memref.prefetch %m[%i, %j], read, locality<4>, data : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{Expected one of 'read', 'write'}}
  memref.prefetch %m[%i, %j], execute, locality<3>, data : memref<8x16xf32>
  return
}

// -----

func.func @f(%s: f32, %i: index) {
  // expected-error@+1 {{Unexpected attribute f32}}
  %0 = memref.dim %s, %i : f32
  return
}
