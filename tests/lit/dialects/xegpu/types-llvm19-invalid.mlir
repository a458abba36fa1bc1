// RUN: XEGPU_INVALID

// expected-error@+1 {{a scattered descriptor has no blocks: expected array_length = 1, got 2}}
func.func private @f(!xegpu.tensor_desc<16xf32, #xegpu.tdesc_attr<array_length = 2, scattered = true>>)

// -----

// expected-error@+1 {{boundary_check must be false for 1D tensor, got true}}
func.func private @f(!xegpu.tensor_desc<16xf32, #xegpu.tdesc_attr<boundary_check = true>>)

// -----

// expected-error@+1 {{expected array_length of at least 1, got 0}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.tdesc_attr<array_length = 0>>)

// -----

// expected-error@+1 {{invalid chunk size 5, expected one of}}
func.func private @f(!xegpu.tensor_desc<16x5xf32, #xegpu.tdesc_attr<scattered = true>>)

// -----

// expected-error@+1 {{the columns of a scattered descriptor are its chunks: expected their number, got '?'}}
func.func private @f(!xegpu.tensor_desc<16x?xf32, #xegpu.tdesc_attr<scattered = true>>)

// -----

// expected-error@+1 {{expected last dim of tensor to match chunk size 1, got 4}}
func.func private @f(!xegpu.tensor_desc<4x4x4xf32, #xegpu.tdesc_attr<scattered = true>>)

// -----

// expected-error@+1 {{SLM is only supported for 1D block tensor, got rank 2}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.tdesc_attr<memory_scope = slm>>)

// -----

// expected-error@+1 {{unknown field 'memory_space', expected one of 'memory_scope', 'array_length', 'boundary_check', 'scattered'}}
func.func private @f(!xegpu.tensor_desc<8x16xf32, #xegpu.tdesc_attr<memory_space = slm>>)

// -----

// expected-error@+1 {{Expected `global`, or `slm`}}
func.func private @f(memref<4xf32, #xegpu<memory_scope local>>)

// -----

// expected-error@+1 {{Expected `workgroup`, or `gpu`}}
func.func private @f() attributes {a = #xegpu<fence_scope system>}
