// RUN: XEGPU_INVALID

func.func @offsets(%p: ui64, %off: vector<16xi32>) {
  // expected-error@+1 {{'xegpu.create_tdesc' op operand #1 must be vector of index values of ranks 1, but got vector<16xi32>}}
  %0 = xegpu.create_tdesc %p, %off : ui64, vector<16xi32> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @rank_of_offsets(%p: ui64, %off: vector<4x4xindex>) {
  // expected-error@+1 {{operand #1 must be vector of index values of ranks 1, but got vector<4x4xindex>}}
  %0 = xegpu.create_tdesc %p, %off : ui64, vector<4x4xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @scalar_offset(%p: ui64, %off: index) {
  // expected-error@+1 {{operand #1 must be vector of index values of ranks 1, but got index}}
  %0 = xegpu.create_tdesc %p, %off : ui64, index -> !xegpu.tensor_desc<1xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @source(%p: i8, %off: vector<16xindex>) {
  // expected-error@+1 {{operand #0 must be a memref of scalars or one of ui64, ui32, i64, i32, but got i8}}
  %0 = xegpu.create_tdesc %p, %off : i8, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @source_rank(%m: memref<8x8xf32>, %off: vector<16xindex>) {
  // expected-error@+1 {{Expecting the source is a 1D memref or pointer (uint64_t). Got memref<8x8xf32>}}
  %0 = xegpu.create_tdesc %m, %off : memref<8x8xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @block(%p: ui64, %off: vector<16xindex>) {
  // expected-error@+1 {{Expects a scattered TensorDesc.}}
  %0 = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @memory_space(%m: memref<64xf32>, %off: vector<16xindex>) {
  // expected-error@+1 {{Memory space mismatch. Source: 0, TensorDesc: 3}}
  %0 = xegpu.create_tdesc %m, %off : memref<64xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<memory_space = slm>>
  return
}

// -----

func.func @local_pointer(%p: ui64, %off: vector<16xindex>) {
  // expected-error@+1 {{Memory space mismatch. Source: 0, TensorDesc: 3}}
  %0 = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<memory_space = slm>>
  return
}

// -----

func.func @element_type(%m: memref<64xf16>, %off: vector<16xindex>) {
  // expected-error@+1 {{TensorDesc should have the same element type with the source if it is a memref. Source has f16, TensorDesc has f32}}
  %0 = xegpu.create_tdesc %m, %off : memref<64xf16>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @shape(%p: ui64, %off: vector<16xindex>) {
  // expected-error@+1 {{Incorrect TensorDesc shape. Expected is [16], got [8]}}
  %0 = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<8xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @shape_of_chunks(%p: ui64, %off: vector<16xindex>) {
  // expected-error@+1 {{Incorrect TensorDesc shape. Expected is [16, 4], got [8, 4]}}
  %0 = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<8x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>
  return
}

// -----

// One offset is that of a lane only under a map.
func.func @one_offset(%p: ui64, %off: vector<1xindex>) {
  // expected-error@+1 {{Incorrect TensorDesc shape. Expected is [1], got [16]}}
  %0 = xegpu.create_tdesc %p, %off : ui64, vector<1xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @dynamic(%p: ui64, %off: vector<16xindex>) {
  // expected-error@+1 {{Expects a TensorDesc of static shape}}
  %0 = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<?xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @operands(%p: ui64) {
  // expected-error@+1 {{expected offsets: a vector, or a list in brackets}}
  %0 = xegpu.create_tdesc %p : ui64 -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}
