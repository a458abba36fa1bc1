// RUN: XEGPU_INVALID

func.func @shape_cast(%a: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op source and result must have the same number of elements, got 16 in vector<4x4xf32> and 15 in vector<15xf32>}}
  %0 = vector.shape_cast %a : vector<4x4xf32> to vector<15xf32>
  return
}

// -----

func.func @shape_cast_type(%a: vector<4xf32>) {
  // expected-error@+1 {{has different source and result element types: vector<4xf32> and vector<4xi32>}}
  %0 = vector.shape_cast %a : vector<4xf32> to vector<4xi32>
  return
}

// -----

func.func @broadcast(%a: vector<4xf32>) {
  // expected-error@+1 {{dimension mismatch (4 vs. 8) from vector<4xf32> to vector<2x8xf32>}}
  %0 = vector.broadcast %a : vector<4xf32> to vector<2x8xf32>
  return
}

// -----

func.func @broadcast_rank(%a: vector<1x4xf32>) {
  // expected-error@+1 {{source rank 2 is higher than destination rank 1}}
  %0 = vector.broadcast %a : vector<1x4xf32> to vector<4xf32>
  return
}

// -----

func.func @broadcast_type(%a: f32) {
  // expected-error@+1 {{source and result must have the same element type, got f32 and vector<4xf16>}}
  %0 = vector.broadcast %a : f32 to vector<4xf16>
  return
}

// -----

func.func @transpose(%a: vector<2x4xf32>) {
  // expected-error@+1 {{dimension size mismatch: expected a result of type vector<4x2xf32>, got vector<2x4xf32>}}
  %0 = vector.transpose %a, [1, 0] : vector<2x4xf32> to vector<2x4xf32>
  return
}

// -----

func.func @permutation(%a: vector<2x4xf32>) {
  // expected-error@+1 {{transposition must be a permutation of 2 dims, got [1, 1]}}
  %0 = vector.transpose %a, [1, 1] : vector<2x4xf32> to vector<4x4xf32>
  return
}

// -----

func.func @bitcast(%a: vector<2x4xf32>) {
  // expected-error@+1 {{dimension size mismatch: only the last dimension may change, got vector<2x4xf32> to vector<4x4xf16>}}
  %0 = vector.bitcast %a : vector<2x4xf32> to vector<4x4xf16>
  return
}

// -----

func.func @bitcast_width(%a: vector<4xf32>) {
  // expected-error@+1 {{source/result bitwidth of the minor 1-D vectors must be equal, got vector<4xf32> to vector<4xf16>}}
  %0 = vector.bitcast %a : vector<4xf32> to vector<4xf16>
  return
}

// -----

func.func @extract(%a: vector<2x4xf32>) {
  // expected-error@+1 {{expected position #2 to be from 0 to 3, got 4}}
  %0 = vector.extract %a[1, 4] : f32 from vector<2x4xf32>
  return
}

// -----

func.func @extract_type(%a: vector<2x4xf32>) {
  // expected-error@+1 {{expected vector<4xf32> at 1 indices of vector<2x4xf32>, got vector<2xf32>}}
  %0 = vector.extract %a[1] : vector<2xf32> from vector<2x4xf32>
  return
}

// -----

func.func @insert_rank(%a: vector<2x4xf32>, %x: f32) {
  // expected-error@+1 {{expected position of rank at most 2, got 3}}
  %0 = vector.insert %x, %a[0, 0, 0] : f32 into vector<2x4xf32>
  return
}

// -----

func.func @insert_type(%a: vector<2x4xf32>, %x: f16) {
  // expected-error@+1 {{expected f32 at 2 indices of vector<2x4xf32>, got f16}}
  %0 = vector.insert %x, %a[0, 0] : f16 into vector<2x4xf32>
  return
}

// -----

func.func @slice(%a: vector<2x4xf32>) {
  // expected-error@+1 {{3 elements at offset 2 do not lie inside dimension 1 of vector<2x4xf32>}}
  %0 = vector.extract_strided_slice %a {offsets = [0, 2], sizes = [1, 3], strides = [1, 1]} : vector<2x4xf32> to vector<1x3xf32>
  return
}

// -----

func.func @slice_result(%a: vector<2x4xf32>) {
  // expected-error@+1 {{expected result type to be vector<1x4xf32>, got vector<1x2xf32>}}
  %0 = vector.extract_strided_slice %a {offsets = [0], sizes = [1], strides = [1]} : vector<2x4xf32> to vector<1x2xf32>
  return
}

// -----

func.func @slice_strides(%a: vector<4xf32>) {
  // expected-error@+1 {{expected strides to be 1, got [2]}}
  %0 = vector.extract_strided_slice %a {offsets = [0], sizes = [2], strides = [2]} : vector<4xf32> to vector<2xf32>
  return
}

// -----

func.func @slice_lists(%a: vector<4xf32>) {
  // expected-error@+1 {{expected offsets, sizes and strides of one rank, at most 1, got [0, 0], [2] and [1]}}
  %0 = vector.extract_strided_slice %a {offsets = [0, 0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  return
}

// -----

func.func @insert_slice(%a: vector<2x4xf32>, %b: vector<3xf32>) {
  // expected-error@+1 {{3 elements at offset 2 do not lie inside dimension 1 of vector<2x4xf32>}}
  %0 = vector.insert_strided_slice %b, %a {offsets = [0, 2], strides = [1]} : vector<3xf32> into vector<2x4xf32>
  return
}

// -----

func.func @insert_slice_offsets(%a: vector<2x4xf32>, %b: vector<3xf32>) {
  // expected-error@+1 {{expected 2 offsets, got 1}}
  %0 = vector.insert_strided_slice %b, %a {offsets = [0], strides = [1]} : vector<3xf32> into vector<2x4xf32>
  return
}

// -----

func.func @from_elements(%x: f32) {
  // expected-error@+1 {{expected 4 elements for vector<2x2xf32>, got 3}}
  %0 = vector.from_elements %x, %x, %x : vector<2x2xf32>
  return
}

// -----

func.func @to_elements(%a: vector<2xf32>) {
  // expected-error@+1 {{expected 2 results of type f32 for vector<2xf32>, got 1}}
  %0 = "vector.to_elements"(%a) : (vector<2xf32>) -> f32
  return
}

// -----

func.func @mask() {
  // expected-error@+1 {{expected a mask size from 0 to 16, got 17}}
  %0 = vector.constant_mask [17] : vector<16xi1>
  return
}

// -----

func.func @empty_mask() {
  // expected-error@+1 {{expected all mask sizes to be 0, or none, got [0, 2]}}
  %0 = vector.constant_mask [0, 2] : vector<4x4xi1>
  return
}

// -----

func.func @reduction(%a: vector<2x4xf32>, %b: vector<2xf32>) {
  // expected-error@+1 {{destination type vector<2xf32> is incompatible with source type, expected vector<4xf32>}}
  %0 = vector.multi_reduction <add>, %a, %b [0] : vector<2x4xf32> to vector<2xf32>
  return
}

// -----

func.func @reduced_dims(%a: vector<2x4xf32>, %b: f32) {
  // expected-error@+1 {{expected different dimensions of vector<2x4xf32> to reduce, got [1, 1]}}
  %0 = vector.multi_reduction <add>, %a, %b [1, 1] : vector<2x4xf32> to f32
  return
}
