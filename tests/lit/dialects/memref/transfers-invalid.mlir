// RUN: XEGPU_INVALID

func.func @f(%m1: memref<64xf32>, %i: index, %m1s: memref<64xf32, 1>, %tag: memref<1xi32>) {
  // expected-error@+1 {{expected destination to be of memref type, got index}}
  memref.dma_start %m1[%i, %i], %m1s[%i], %i, %tag[%i] : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
  return
}

// -----

func.func @f(%m1: memref<64xf32>, %i: index, %m1s: memref<64xf32, 1>, %tag: memref<1xi32>, %j: index) {
  // expected-error@+1 {{expected a stride and a number of elements per stride of type index, or neither, got 1}}
  memref.dma_start %m1[%i], %m1s[%i], %i, %tag[%i], %j : memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
  return
}

// -----

func.func @f(%m1: memref<64xf32>, %i: index, %m1s: memref<64xf32, 1>, %tag: memref<1xi32>) {
  // expected-error@+1 {{expected 3 memref types, got 2}}
  memref.dma_start %m1[%i], %m1s[%i], %i, %tag[%i] : memref<64xf32>, memref<64xf32, 1>
  return
}

// -----

func.func @f(%tag: memref<1xi32>, %i: index, %j: index) {
  // expected-error@+1 {{expected one number of elements of type index, got 2 operands}}
  memref.dma_wait %tag[%i, %i], %j : memref<1xi32>
  return
}

// -----

func.func @f(%s: f32, %i: index, %m1s: memref<64xf32, 1>, %tag: memref<1xi32>) {
  // expected-error@+1 {{expected source to be of memref type, got f32}}
  memref.dma_start %s[%i], %m1s[%i], %i, %tag[%i] : f32, memref<64xf32, 1>, memref<1xi32>
  return
}
