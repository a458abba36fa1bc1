// RUN: XEGPU_INVALID

func.func @source(%v: vector<16xf32>) {
  // expected-error@+1 {{'xegpu.create_nd_tdesc' op operand #0 must be a memref of scalars or one of ui64, ui32, i64, i32, but got vector<16xf32>}}
  %0 = xegpu.create_nd_tdesc %v[0] : vector<16xf32> -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @address(%p: i16) {
  // expected-error@+1 {{operand #0 must be a memref of scalars or one of ui64, ui32, i64, i32, but got i16}}
  %0 = xegpu.create_nd_tdesc %p[0] : i16 -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @global_of_slm(%m: memref<64xf32, 3>) {
  // expected-error@+1 {{Memory space mismatch. Source: 3, TensorDesc: 0}}
  %0 = xegpu.create_nd_tdesc %m[0] : memref<64xf32, 3> -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @slm_of_pointer(%p: ui64) {
  // expected-error@+1 {{Memory space mismatch. Source: 0, TensorDesc: 3}}
  %0 = xegpu.create_nd_tdesc %p[0] : ui64 -> !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
  return
}

// -----

func.func @unknown_space(%m: memref<64xf32, "somewhere">) {
  // expected-error@+1 {{expected an integer, #xegpu<memory_space ...> or #gpu.address_space<...>, got "somewhere"}}
  %0 = xegpu.create_nd_tdesc %m[0] : memref<64xf32, "somewhere"> -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @source_rank(%m: memref<24x32xf32>) {
  // expected-error@+1 {{Expecting the rank of shape, strides, offsets, and source (if source is a memref) should match with each other. Source has rank 2, offsets have 1}}
  %0 = xegpu.create_nd_tdesc %m[0] : memref<24x32xf32> -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @desc_rank(%m: memref<1024xf32>) {
  // expected-error@+1 {{'xegpu.create_nd_tdesc' op Expecting the TensorDesc rank is not greater than the ranks of shape, strides, offsets or the memref source. TensorDesc has rank 2, offsets have 1}}
  %0 = xegpu.create_nd_tdesc %m[0] : memref<1024xf32> -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @element_type(%m: memref<24x32xf32>) {
  // expected-error@+1 {{TensorDesc should have the same element type with the source if it is a memref. Source has f32, TensorDesc has f16}}
  %0 = xegpu.create_nd_tdesc %m[0, 0] : memref<24x32xf32> -> !xegpu.tensor_desc<8x16xf16>
  return
}

// -----

func.func @scattered(%m: memref<1024xf32>) {
  // expected-error@+1 {{Expects a non-scattered TensorDesc.}}
  %0 = xegpu.create_nd_tdesc %m[0] : memref<1024xf32> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @sizes(%p: ui64) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed sizes rank (2 vs 3) so the rank of the result type is well-formed.}}
  %0 = xegpu.create_nd_tdesc %p[0, 0], [4, 8, 16], [128, 16, 1] : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @strides(%p: ui64) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed.}}
  %0 = xegpu.create_nd_tdesc %p[0, 0], [8, 16], [1] : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @offset_values(%m: memref<1024xf32>, %i: index) {
  // expected-error@+1 {{expected 1 offset values, got 2}}
  %0 = "xegpu.create_nd_tdesc"(%m, %i, %i) <{const_offsets = array<i64: -9223372036854775808>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}>
    : (memref<1024xf32>, index, index) -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @size_values_without_list(%m: memref<1024xf32>, %i: index) {
  // expected-error@+1 {{expected 0 size values, got 1}}
  %0 = "xegpu.create_nd_tdesc"(%m, %i) <{const_offsets = array<i64: 0>, operandSegmentSizes = array<i32: 1, 0, 1, 0>}>
    : (memref<1024xf32>, index) -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @shape_alone(%m: memref<1024xf32>) {
  // expected-error@+1 {{a shape needs strides}}
  %0 = "xegpu.create_nd_tdesc"(%m) <{const_offsets = array<i64: 0>, const_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
    : (memref<1024xf32>) -> !xegpu.tensor_desc<16xf32>
  return
}

// -----

func.func @strides_alone(%m: memref<8x16xf32>) {
  // expected-error@+1 {{strides without a shape must be those of the source memref<8x16xf32>}}
  %0 = "xegpu.create_nd_tdesc"(%m) <{const_offsets = array<i64: 0, 0>, const_strides = array<i64: 32, 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
    : (memref<8x16xf32>) -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @pointer_without_shape(%p: ui64) {
  // expected-error@+1 {{an integer source needs shape and strides for 2 offsets}}
  %0 = xegpu.create_nd_tdesc %p[0, 0] : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @inner_stride(%p: ui64) {
  // expected-error@+1 {{expected the innermost stride to be 1, got 2}}
  %0 = xegpu.create_nd_tdesc %p[0, 0], [8, 16], [32, 2] : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @inner_stride_of_memref(%m: memref<8x16xf32, strided<[64, 4]>>) {
  // expected-error@+1 {{expected the innermost stride to be 1, got 4}}
  %0 = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32, strided<[64, 4]>> -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @negative_size(%p: ui64) {
  // expected-error@+1 {{expected sizes to be non-negative, but got -8}}
  %0 = xegpu.create_nd_tdesc %p[0, 0], [-8, 16], [16, 1] : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @overflow(%p: ui64) {
  // expected-error@+1 {{index is out of the range of 64-bit integers}}
  %0 = xegpu.create_nd_tdesc %p[9223372036854775808, 0], [8, 16], [16, 1] : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @dynamic_desc(%m: memref<64x64xf32>) {
  // expected-error@+1 {{Expects a TensorDesc of static shape, got !xegpu.tensor_desc<?x16xf32>}}
  %0 = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<?x16xf32>
  return
}

// -----

func.func @no_strides(%p: ui64) {
  // expected-error@+1 {{Expected ',' between shape and strides}}
  %0 = xegpu.create_nd_tdesc %p[0, 0], [8, 16] : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @no_offsets_of_no_descriptor(%p: ui64) {
  // expected-error@+1 {{'xegpu.create_nd_tdesc' op}}
  %0 = "xegpu.create_nd_tdesc"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (ui64) -> f32
  return
}
