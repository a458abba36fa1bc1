// RUN: XEGPU_INVALID

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{expects 2 subscripts for memref<8x16xf32>, got 1}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<8x16xf32> { ^bb0(%old: f32): memref.atomic_yield %old : f32 }
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{expects a result and one argument of type f32, got f32 and i32}}
  %0 = memref.generic_atomic_rmw %m[%i, %j] : memref<8x16xf32> { ^bb0(%old: i32): memref.atomic_yield %old : i32 }
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{expects operations without side effects in its body, got 'memref.store'}}
  %0 = memref.generic_atomic_rmw %m[%i, %j] : memref<8x16xf32> { ^bb0(%old: f32): memref.store %old, %m[%i, %j] : memref<8x16xf32> memref.atomic_yield %old : f32 }
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %j: index, %h: f16) {
  // expected-error@+1 {{expects a memref.atomic_yield of f32 at the end of its body}}
  %0 = memref.generic_atomic_rmw %m[%i, %j] : memref<8x16xf32> { ^bb0(%old: f32): memref.atomic_yield %h : f16 }
  return
}

// -----

func.func @f(%s: f32, %m: memref<8x16xf32>, %i: index, %j: index) {
  // expected-error@+1 {{with kind 'xori' expects an integer, got f32}}
  %0 = memref.atomic_rmw xori %s, %m[%i, %j] : (f32, memref<8x16xf32>) -> f32
  return
}
