// RUN: XEGPU_INVALID

memref.global "private" @g : memref<4xf32>
func.func @f() {
  // expected-error@+1 {{result type memref<5xf32> does not match type memref<4xf32> of the global memref @g}}
  %a = memref.get_global @g : memref<5xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'@g' does not reference a valid global memref}}
  %a = memref.get_global @g : memref<5xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'@f' does not reference a valid global memref}}
  %a = memref.get_global @f : memref<5xf32>
  return
}
