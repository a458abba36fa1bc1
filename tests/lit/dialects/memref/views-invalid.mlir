// RUN: XEGPU_INVALID

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected a permutation map, got (d0, d1) -> (d0, d0)}}
  %0 = memref.transpose %m (i, j) -> (i, i) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected a permutation map of 2 dimensions, got (d0) -> (d0)}}
  %0 = memref.transpose %m (i) -> (i) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected a result of type memref<16x8xf32, strided<[1, 16]>>, got memref<16x8xf32>}}
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<8x16xf32> to memref<16x8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected a result of type memref<16x8xf32, strided<[1, 16]>>, got memref<8x16xf32, strided<[1, 16]>>}}
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<8x16xf32> to memref<8x16xf32, strided<[1, 16]>>
  return
}

// -----

func.func @f(%m1: memref<64xf32>) {
  // expected-error@+1 {{expected a shape of one dimension of integers or index, got memref<64xf32>}}
  %0 = memref.reshape %m1(%m1) : (memref<64xf32>, memref<64xf32>) -> memref<?x?xf32>
  return
}

// -----

func.func @f(%m1: memref<64xf32>, %mi1: memref<2xindex>) {
  // expected-error@+1 {{expected equal element types, got memref<64xf32> and memref<?x?xf16>}}
  %0 = memref.reshape %m1(%mi1) : (memref<64xf32>, memref<2xindex>) -> memref<?x?xf16>
  return
}

// -----

func.func @f(%m1: memref<64xf32>, %mi1: memref<2xindex>) {
  // expected-error@+1 {{expected 3 entries of the shape for memref<?x?x?xf32>, got 2}}
  %0 = memref.reshape %m1(%mi1) : (memref<64xf32>, memref<2xindex>) -> memref<?x?x?xf32>
  return
}

// -----

func.func @f(%mst: memref<8x16xf32, strided<[?, 1], offset: ?>>, %mi1: memref<2xindex>) {
  // expected-error@+1 {{source and result memref type should have identity layout, got memref<8x16xf32, strided<[?, 1], offset: ?>>}}
  %0 = memref.reshape %mst(%mi1) : (memref<8x16xf32, strided<[?, 1], offset: ?>>, memref<2xindex>) -> memref<?x?xf32>
  return
}

// -----

func.func @f(%m1: memref<64xf32>, %mdi: memref<?xindex>) {
  // expected-error@+1 {{cannot use a shape of dynamic length with the statically-ranked memref<?x?xf32>}}
  %0 = memref.reshape %m1(%mdi) : (memref<64xf32>, memref<?xindex>) -> memref<?x?xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected result type with size = 16 instead of 32 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [16], strides: [1] : memref<8x16xf32> to memref<32xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected result type with stride = 2 instead of 1 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [32], strides: [2] : memref<8x16xf32> to memref<32xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected result type with offset = 4 instead of 0}}
  %0 = memref.reinterpret_cast %m to offset: [4], sizes: [32], strides: [1] : memref<8x16xf32> to memref<32xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{different element types or memory spaces of memref<8x16xf32> and memref<32xf16>}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [32], strides: [1] : memref<8x16xf32> to memref<32xf16>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected 1 size values, got 2}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<8x16xf32> to memref<32xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected 1 offset value, got 2}}
  %0 = memref.reinterpret_cast %m to offset: [0, 0], sizes: [32], strides: [1] : memref<8x16xf32> to memref<32xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected sizes of at least 0, got [-1]}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [-1], strides: [1] : memref<8x16xf32> to memref<?xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{expected result type with size = dynamic instead of 32 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [%i], strides: [1] : memref<8x16xf32> to memref<32xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected a result of shape 2x4 and layout strided<[16, 1], offset: 0>, or that without unit dimensions, got memref<2x4xf32>}}
  %0 = memref.subview %m[0, 0] [2, 4] [1, 1] : memref<8x16xf32> to memref<2x4xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected 2 offset values, got 1}}
  %0 = memref.subview %m[0] [2] [1] : memref<8x16xf32> to memref<2x16xf32, strided<[16, 1]>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{different element types or memory spaces of memref<8x16xf32> and memref<2x4xf16, strided<[16, 1]>>}}
  %0 = memref.subview %m[0, 0] [2, 4] [1, 1] : memref<8x16xf32> to memref<2x4xf16, strided<[16, 1]>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected a result of shape 2x4 and layout strided<[16, 1], offset: 0>, or that without unit dimensions, got memref<2x5xf32, strided<[16, 1]>>}}
  %0 = memref.subview %m[0, 0] [2, 4] [1, 1] : memref<8x16xf32> to memref<2x5xf32, strided<[16, 1]>>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{slice along dimension 0 runs out-of-bounds: 8 >= 8}}
  %0 = memref.subview %m[0, 0] [9, 4] [1, 1] : memref<8x16xf32> to memref<9x4xf32, strided<[16, 1]>>
  return
}

// -----

func.func @f(%m1: memref<64xf32>) {
  // expected-error@+1 {{collapsed dim size (64) must equal reassociation group size (72)}}
  %0 = memref.expand_shape %m1 [[0, 1]] output_shape [8, 9] : memref<64xf32> into memref<8x9xf32>
  return
}

// -----

func.func @f(%m1: memref<64xf32>) {
  // expected-error@+1 {{collapsed dim size (64) must equal reassociation group size (32)}}
  %0 = memref.expand_shape %m1 [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x4xf32>
  return
}

// -----

func.func @f(%m1: memref<64xf32>) {
  // expected-error@+1 {{different element types or memory spaces of memref<64xf32> and memref<8x8xf16>}}
  %0 = memref.expand_shape %m1 [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf16>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{collapsed dim size (64) must equal reassociation group size (128)}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<64xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{expected reassociation groups of dimensions 0 to 1, got [[0]]}}
  %0 = memref.collapse_shape %m [[0]] : memref<8x16xf32> into memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{All inner arrays must be contiguous: [[0 : i64], [0 : i64, 1 : i64]]}}
  %0 = memref.collapse_shape %m [[0], [0, 1]] : memref<8x16xf32> into memref<8x16xf32>
  return
}

// -----

func.func @f(%mi32: memref<64xi32>, %i: index) {
  // expected-error@+1 {{Expected attribute i8 but got i32}}
  %0 = memref.view %mi32[%i][] : memref<64xi32> to memref<64xf32>
  return
}

// -----

func.func @f(%mb: memref<2048xi8>, %i: index, %j: index) {
  // expected-error@+1 {{number of size operands must match number of dynamic dims in result type}}
  %0 = memref.view %mb[%i][%j] : memref<2048xi8> to memref<64xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error@+1 {{i64 should be of base attribute index}}
  %0 = memref.extract_aligned_pointer_as_index %m : memref<8x16xf32> -> i64
  return
}

// -----

func.func @f(%m: memref<?xf32>) {
  // expected-error@+1 {{expected 'output_shape [...]', because memref<?x4xf32> leaves sizes open}}
  %0 = memref.expand_shape %m [[0, 1]] : memref<?xf32> into memref<?x4xf32>
  return
}
