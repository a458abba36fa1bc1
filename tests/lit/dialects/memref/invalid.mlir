// RUN: XEGPU_INVALID

func.func @cast_shape(%m: memref<4x8xf32>) {
  // expected-error@+1 {{'memref.cast' op operand type 'memref<4x8xf32>' and result type 'memref<4x9xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<4x8xf32> to memref<4x9xf32>
  return
}

// -----

func.func @cast_stride(%m: memref<4x8xf32>) {
  // expected-error@+1 {{operand type 'memref<4x8xf32>' and result type 'memref<4x8xf32, strided<[16, 1]>>' are cast incompatible}}
  %0 = memref.cast %m : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  return
}

// -----

func.func @cast_unranked(%m: memref<*xf32>) {
  // expected-error@+1 {{operand type 'memref<*xf32>' and result type 'memref<*xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<*xf32> to memref<*xf32>
  return
}

// -----

func.func @cast_space(%m: memref<4xf32>) {
  // expected-error@+1 {{are cast incompatible}}
  %0 = memref.cast %m : memref<4xf32> to memref<4xf32, 3>
  return
}

// -----

func.func @space_cast(%m: memref<4xf32>) {
  // expected-error@+1 {{operand type 'memref<4xf32>' and result type 'memref<8xf32, 3 : i64>' differ in more than memory space}}
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<8xf32, 3>
  return
}

// -----

func.func @copy(%m: memref<4xf32>, %n: memref<4xf16>) {
  // expected-error@+1 {{requires the same element type for all operands, got memref<4xf32> and memref<4xf16>}}
  memref.copy %m, %n : memref<4xf32> to memref<4xf16>
  return
}

// -----

func.func @copy_shape(%m: memref<4xf32>, %n: memref<8xf32>) {
  // expected-error@+1 {{requires the same shape for all operands, got memref<4xf32> and memref<8xf32>}}
  memref.copy %m, %n : memref<4xf32> to memref<8xf32>
  return
}

// -----

// expected-error@+1 {{'memref.global' op type should be static shaped memref, but got memref<?xf32>}}
memref.global @g : memref<?xf32>

// -----

// expected-error@+1 {{alignment attribute value 12 is not a power of 2}}
memref.global @g : memref<4xf32> {alignment = 12 : i64}

// -----

// expected-error@+1 {{expected a memref type, got f32}}
memref.global @g : f32

// -----

func.func @atomic_index(%m: memref<4x4xf32>, %x: f32, %i: index) {
  // expected-error@+1 {{'memref.atomic_rmw' op expects 2 subscripts for memref<4x4xf32>, got 1}}
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4x4xf32>) -> f32
  return
}

// -----

func.func @atomic_type(%m: memref<4xf32>, %x: f16, %i: index) {
  // expected-error@+1 {{expects value and result of type f32, got f16 and f16}}
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f16, memref<4xf32>) -> f16
  return
}

// -----

func.func @atomic_kind(%m: memref<4xf32>, %x: f32, %i: index) {
  // expected-error@+1 {{with kind 'addi' expects an integer, got f32}}
  %0 = memref.atomic_rmw addi %x, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}
