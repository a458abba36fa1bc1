// RUN: XEGPU_INVALID

// expected-error@+1 {{an sg_map distributes 1D and 2D tensors, got rank 3}}
func.func private @f(!xegpu.tensor_desc<8x16x4xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>)

// -----

// expected-error@+1 {{expected non-zero rank tensor}}
func.func private @f(!xegpu.tensor_desc<f32>)

// -----

// expected-error@+1 {{expected dimensions from 1 to 9223372036854775807, got 0}}
func.func private @f(!xegpu.tensor_desc<0x16xf32>)

// -----

// expected-error@+1 {{expected dimensions from 1 to 9223372036854775807, got a negative one}}
func.func private @f(!xegpu.tensor_desc<-8x16xf32>)

// -----

// expected-error@+1 {{expected dimensions from 1 to 9223372036854775807, got 9223372036854775808}}
func.func private @f(!xegpu.tensor_desc<9223372036854775808xf32>)

// -----

// expected-error@+1 {{expected dimensions from 1 to 9223372036854775807, got 18446744073709551617}}
func.func private @f(!xegpu.tensor_desc<8x18446744073709551617xf32>)

// -----

// Units of 2^64 elements.
// expected-error@+1 {{cannot distribute 9223372036854775807 over 4294967295 work items with 4294967295 elements each}}
func.func private @f(!xegpu.tensor_desc<9223372036854775807xf32, #xegpu.sg_map<wi_layout = [1, 4294967295], wi_data = [1, 4294967295]>>)

// -----

// expected-error@+1 {{expected elements of i1, i8, i16, i32, i64 (of any signedness), f16, bf16, tf32, f32 or f64, got i4}}
func.func private @f(!xegpu.tensor_desc<8xi4>)

// -----

// expected-error@+1 {{f16, bf16, tf32, f32 or f64, got vector<4xf32>}}
func.func private @f(!xegpu.tensor_desc<8xvector<4xf32>>)

// -----

// expected-error@+1 {{Failed to parse the attribute field for TensorDescType: expected #xegpu.block_tdesc_attr, #xegpu.scatter_tdesc_attr, #xegpu.sg_map or #xegpu.layout, got 3 : i64}}
func.func private @f(!xegpu.tensor_desc<8xf32, 3>)

// -----

// expected-error@+1 {{SLM is only supported for 1D block tensor, got rank 2}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>)

// -----

// expected-error@+1 {{expected array_length of at least 1, got 0}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 0>>)

// -----

// expected-error@+1 {{unknown field 'chunk_size', expected one of 'memory_space', 'array_length', 'boundary_check'}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<chunk_size = 1>>)

// -----

// expected-error@+1 {{field 'array_length' is given twice}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 1, array_length = 1>>)

// -----

// expected-error@+1 {{expected a 64-bit integer attribute, got 1.000000e+00 : f32}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 1.0 : f32>>)

// -----

// expected-error@+1 {{expected a 64-bit integer attribute, got 9223372036854775808 : i128}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 9223372036854775808 : i128>>)

// -----

// expected-error@+1 {{Integer value 18446744073709551616 is out of range for type i64}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 18446744073709551616>>)

// -----

// expected-error@+1 {{expected array_length of at least 1, got -9223372036854775808}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = -9223372036854775808>>)

// -----

// expected-error@+1 {{invalid chunk size -4, expected one of}}
func.func private @f(!xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = -4>>)

// -----

// expected-error@+1 {{invalid chunk size 9223372036854775807, expected one of}}
func.func private @f(!xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 9223372036854775807>>)

// -----

// expected-error@+1 {{invalid chunk size 5, expected one of 1, 2, 3, 4, 8, 16, 32, 64, 128, 256}}
func.func private @f(!xegpu.tensor_desc<16x5xf32, #xegpu.scatter_tdesc_attr<chunk_size = 5>>)

// -----

// expected-error@+1 {{expected non-contiguous elements for 1D tensor, got chunk size 4}}
func.func private @f(!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>)

// -----

// expected-error@+1 {{expected last dim of tensor to match chunk size 1, got 4}}
func.func private @f(!xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<>>)

// -----

// expected-error@+1 {{expected last dim of tensor to match chunk size 8, got 4}}
func.func private @f(!xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 8>>)

// -----

// expected-error@+1 {{expected last dim of tensor to be a multiple of 2, got 3}}
func.func private @f(!xegpu.tensor_desc<16x3xf16, #xegpu.scatter_tdesc_attr<chunk_size = 3>>)

// -----

// expected-error@+1 {{outer layout distribution and data mapping must be 1 for 1D tensor, got 16 and 1}}
func.func private @f(!xegpu.tensor_desc<64xf32, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>)

// -----

// expected-error@+1 {{boundary_check must be false for 1D tensor, got true}}
func.func private @f(!xegpu.tensor_desc<64xf32, #xegpu.block_tdesc_attr<boundary_check = true>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>)

// -----

// expected-error@+1 {{outer layout distribution and data mapping must be 1 for 1D tensor, got 1 and 2}}
func.func private @f(!xegpu.tensor_desc<64xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>)

// -----

// expected-error@+1 {{cannot map over non-contiguous scattered row elements, got 2 rows in wi_data}}
func.func private @f(!xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>, #xegpu.sg_map<wi_layout = [8, 1], wi_data = [2, 1]>>)

// -----

// expected-error@+1 {{work item data mapping must match the number of contiguous elements, expected the last entry of wi_data to be 2, got 1}}
func.func private @f(!xegpu.tensor_desc<16x4xf16, #xegpu.scatter_tdesc_attr<chunk_size = 4>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>)

// -----

// expected-error@+1 {{work item data mapping must match the number of contiguous elements, expected the last entry of wi_data to be 1, got 2}}
func.func private @f(!xegpu.tensor_desc<16xf16, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>>)

// -----

// expected-error@+1 {{cannot distribute 8 over 16 work items with 1 elements each}}
func.func private @f(!xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>)

// -----

// expected-error@+1 {{cannot distribute 24 over 16 work items with 1 elements each}}
func.func private @f(!xegpu.tensor_desc<8x24xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>)

// -----

// expected-error@+1 {{expected wi_layout of size 2, got 1 entries}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_layout = [16], wi_data = [1, 1]>}

// -----

// expected-error@+1 {{expected wi_data of size 2, got 3 entries}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1, 1]>}

// -----

// expected-error@+1 {{expected wi_data entries of at least 1, got [1, 0]}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 0]>}

// -----

// expected-error@+1 {{unexpected field name. Expected wi_layout.}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_data = [1, 1], wi_layout = [1, 16]>}

// -----

// expected-error@+1 {{unexpected field name. Expected wi_data.}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_layout = [1, 16], data = [1, 1]>}

// -----

// expected-error@+1 {{expected '=' sign.}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_layout [1, 16], wi_data = [1, 1]>}

// -----

// expected-error@+1 {{expected an unsigned 32-bit integer, got 4294967296}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_layout = [1, 4294967296], wi_data = [1, 1]>}

// -----

// expected-error@+1 {{Expected `cached`, `uncached`, `streaming`, `read_invalidate`, `write_back`, or `write_through`}}
func.func private @f() attributes {a = #xegpu.cache_hint<hot>}

// -----

// expected-error@+1 {{Expected `global`, or `slm`}}
func.func private @f() attributes {a = #xegpu.memory_space<slm>}

// -----

// expected-error@+1 {{'xegpu.tile_desc' is not registered}}
func.func private @f(!xegpu.tile_desc<8x16xf32>)

// -----

// expected-error@+1 {{'xegpu.block_attr' is not registered}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.block_attr<array_length = 2>>)

// -----

// expected-error@+1 {{expected wi_layout of size 2, got 0 entries}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_layout = [], wi_data = []>}

// -----

// expected-error@+1 {{expected an unsigned 32-bit integer, got -1}}
func.func private @f() attributes {a = #xegpu.sg_map<wi_layout = [1, -1], wi_data = [1, 1]>}
