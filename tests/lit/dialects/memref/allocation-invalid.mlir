// RUN: XEGPU_INVALID

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expects memrefs of one dimension with identity layout, got memref<8x16xf32>}}
  %0 = memref.realloc %m : memref<8x16xf32> to memref<124xf32>
  return
}

// -----

func.func @f(%m1: memref<64xf32>) {
  // expected-error@+1 {{missing dynamic size for memref<?xf32>}}
  %0 = memref.realloc %m1 : memref<64xf32> to memref<?xf32>
  return
}

// -----

func.func @f(%m1: memref<64xf32>, %i: index) {
  // expected-error@+1 {{unnecessary dynamic size for memref<124xf32>}}
  %0 = memref.realloc %m1(%i) : memref<64xf32> to memref<124xf32>
  return
}

// -----

func.func @f(%m1: memref<64xf32>) {
  // expected-error@+1 {{different element types or memory spaces of memref<64xf32> and memref<124xf16>}}
  %0 = memref.realloc %m1 : memref<64xf32> to memref<124xf16>
  return
}

// -----

func.func @f(%m1: memref<64xf32>) {
  // expected-error@+1 {{different element types or memory spaces of memref<64xf32> and memref<124xf32, 3 : i64>}}
  %0 = memref.realloc %m1 : memref<64xf32> to memref<124xf32, 3>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expects its body to return f32}}
  %0 = memref.alloca_scope -> (f32) { memref.alloca_scope.return }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expects parent op 'memref.alloca_scope'}}
  memref.alloca_scope.return
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %m1: memref<64xf32>) {
  // expected-error@+1 {{expects results of the types of its operands}}
  %0:2 = "memref.distinct_objects"(%m, %m1) : (memref<8x16xf32>, memref<64xf32>) -> (memref<64xf32>, memref<64xf32>)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expects at least one operand}}
  "memref.distinct_objects"() : () -> ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error@+1 {{dimension operand count does not equal memref dynamic dimension count.}}
  %0 = memref.alloc(%i) : memref<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{Alignment attribute must be positive, got -64}}
  %0 = memref.alloc() {alignment = -64 : i64} : memref<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{symbol operand count does not equal memref symbol count: expected 1, got 0}}
  %0 = memref.alloc() : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{result 'memref' at position 0 does not verify: f32 should be of base attribute memref}}
  %0 = memref.alloc() : f32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{Expected shape type.}}
  %0 = memref.alloc() : memref<-4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{alignment must be power of 2, got 3}}
  %0 = memref.assume_alignment %m, 3 : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{alignment must be power of 2, got 0}}
  %0 = memref.assume_alignment %m, 0 : memref<8x16xf32>
  return
}
