// RUN: XEGPU_INVALID

func.func @f(%t: !xegpu.tensor_desc<8x16xf16>, %i: index) {
  // expected-error@+1 {{'xegpu.load_nd' op Mismatched ranks between offsets and tensor descriptor: 1 offsets, rank 2}}
  %0 = xegpu.load_nd %t[%i] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op Mismatched ranks between offsets and tensor descriptor: 3 offsets, rank 2}}
  %0 = xegpu.load_nd %t[0, 0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op expected 1 offset values, got 0}}
  %0 = "xegpu.load_nd"(%t) <{const_offsets = array<i64: 0, -9223372036854775808>}> : (!xegpu.tensor_desc<8x16xf16>) -> vector<8x16xf16>
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<8x16xf16>, %i: index) {
  // expected-error@+1 {{'xegpu.load_nd' op expected 0 offset values, got 1}}
  %0 = "xegpu.load_nd"(%t, %i) : (!xegpu.tensor_desc<8x16xf16>, index) -> vector<8x16xf16>
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op Result shape [7] is not a valid distribution for tensor descriptor !xegpu.tensor_desc<8x16xf16>}}
  %0 = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<7xf16>
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<8x16xf16, #xegpu.layout<inst_data = [8, 16]>>) {
  // expected-error@+1 {{'xegpu.load_nd' op TensorDesc doesn't need LayoutAttr for SIMT code, got !xegpu.tensor_desc<8x16xf16, #xegpu.layout<inst_data = [8, 16]>>}}
  %0 = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf16, #xegpu.layout<inst_data = [8, 16]>> -> vector<8xf16>
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op Unexpected attribute #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}}
  %0 = xegpu.load_nd %t <{layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<8x16xf16>, %v: vector<8x16xf16>) {
  // expected-error@+1 {{'xegpu.store_nd' op Mismatched ranks between offsets and tensor descriptor: 1 offsets, rank 2}}
  xegpu.store_nd %v, %t[0] : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.prefetch_nd' op Mismatched ranks between offsets and tensor descriptor: 1 offsets, rank 2}}
  xegpu.prefetch_nd %t[0] : !xegpu.tensor_desc<8x16xf16>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op Expects offsets.}}
  %0 = xegpu.load %m, %k : memref<64xf32>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: vector<16xindex>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op Value should have the same element type as MemRef. Value is vector<16xf16>, MemRef memref<64xf32>}}
  %0 = xegpu.load %m[%o], %k : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf16>
  return
}

// -----

func.func @f(%m: memref<8x8xf32>, %o: vector<16xindex>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op Expecting the source is a 1D memref or pointer (uint64_t). Got memref<8x8xf32>}}
  %0 = xegpu.load %m[%o], %k : memref<8x8xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @f(%m: f32, %o: vector<16xindex>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op expected a memref or one of ui64, ui32, i64, i32, but got f32}}
  %0 = xegpu.load %m[%o], %k : f32, vector<16xindex>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: vector<16xi32>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op expected offsets of type index or vectors of index, got vector<16xi32>}}
  %0 = xegpu.load %m[%o], %k : memref<64xf32>, vector<16xi32>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: vector<8xindex>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op expected one offset per mask element, got vector<8xindex> and vector<16xi1>}}
  %0 = xegpu.load %m[%o], %k : memref<64xf32>, vector<8xindex>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: vector<16xindex>, %k: vector<8xi1>) {
  // expected-error@+1 {{'xegpu.load' op Mask should match value except the chunk size dim. Mask is vector<8xi1>, value vector<16xf32>, chunk size 2}}
  %0 = xegpu.load %m[%o], %k : memref<64xf32>, vector<16xindex>, vector<8xi1> -> vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: vector<16xindex>, %k: vector<16xf32>) {
  // expected-error@+1 {{'xegpu.load' op the mask must be i1 or a vector of i1, but got vector<16xf32>}}
  %0 = xegpu.load %m[%o], %k : memref<64xf32>, vector<16xindex>, vector<16xf32> -> vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: vector<16xindex>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op Mask should match value except the chunk size dim. Mask is vector<16xi1>, value vector<16x4xf32>, chunk size 2}}
  %0 = xegpu.load %m[%o], %k <{chunk_size = 2 : i64}> : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: index, %k: i1) {
  // expected-error@+1 {{'xegpu.load' op Expecting chunk size == 1 for scalar result, got 2}}
  %0 = xegpu.load %m[%o], %k <{chunk_size = 2 : i64}> : memref<64xf32>, index, i1 -> f32
  return
}

// -----

// LLVM takes chunks from the type where the mask has a shape.
func.func @f(%m: memref<64xf32>, %o: index, %k: i1) {
  // expected-error@+1 {{'xegpu.load' op value elements must match chunk size 1, got vector<4xf32>}}
  %0 = xegpu.load %m[%o], %k : memref<64xf32>, index, i1 -> vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: index, %k: i1) {
  // expected-error@+1 {{'xegpu.load' op value elements must match chunk size 4, got vector<3xf32>}}
  %0 = xegpu.load %m[%o], %k <{chunk_size = 4 : i64}> : memref<64xf32>, index, i1 -> vector<3xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: vector<16xindex>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op transpose belongs to accesses through a descriptor}}
  %0 = xegpu.load %m[%o], %k <{transpose}> : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: vector<16xindex>, %k: vector<16xi1>, %t: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{'xegpu.load' op a TensorDesc has its own offsets: expected no offsets, or a memref or integer as source}}
  %0 = xegpu.load %t[%o], %k : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @f(%k: vector<16xi1>, %t: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>) {
  // expected-error@+1 {{'xegpu.load' op expected chunk_size = 4 as in the TensorDesc, got 2}}
  %0 = xegpu.load %t, %k <{chunk_size = 2 : i64}> : !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, vector<16xi1> -> vector<16x4xf32>
  return
}

// -----

func.func @f(%v: vector<16xf32>, %m: memref<64xf32>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.store' op Expects offsets.}}
  xegpu.store %v, %m, %k : vector<16xf32>, memref<64xf32>, vector<16xi1>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %m: memref<64xf32>, %o: vector<16xindex>, %k: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.store' op Mask should match value except the chunk size dim. Mask is vector<16xi1>, value vector<4x8xf32>, chunk size 2}}
  xegpu.store %v, %m[%o], %k : vector<4x8xf32>, memref<64xf32>, vector<16xindex>, vector<16xi1>
  return
}

// -----

func.func @f(%p: ui64) {
  // expected-error@+1 {{'xegpu.prefetch' op Expects offsets.}}
  xegpu.prefetch %p : ui64
  return
}

// -----

func.func @f(%p: ui64, %o: vector<16xindex>) {
  // expected-error@+1 {{'xegpu.prefetch' op offset_align_byte is required with integer source.}}
  xegpu.prefetch %p[%o] : ui64, vector<16xindex>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %o: vector<16xindex>) {
  // expected-error@+1 {{'xegpu.prefetch' op offset_align_byte is not allowed with a memref source.}}
  xegpu.prefetch %m[%o] <{offset_align_byte = 4 : i64}> : memref<64xf32>, vector<16xindex>
  return
}

// -----

func.func @f(%p: ui64, %o: vector<16xindex>) {
  // expected-error@+1 {{'xegpu.prefetch' op expected offset_align_byte of at least 1, got 0 : i64}}
  xegpu.prefetch %p[%o] <{offset_align_byte = 0 : i64}> : ui64, vector<16xindex>
  return
}

// -----

func.func @f(%m: memref<8192xi8>) {
  // expected-error@+1 {{'xegpu.create_mem_desc' op expected a memref in shared local memory (memory space 3), got memref<8192xi8>}}
  %0 = xegpu.create_mem_desc %m : memref<8192xi8> -> !xegpu.mem_desc<64x64xf16>
  return
}

// -----

func.func @f(%m: memref<4096xi8, 3>) {
  // expected-error@+1 {{'xegpu.create_mem_desc' op failed to verify that all of {source, mem_desc} have same size in bits: source has 32768, mem_desc 65536}}
  %0 = xegpu.create_mem_desc %m : memref<4096xi8, 3> -> !xegpu.mem_desc<64x64xf16>
  return
}

// -----

func.func @f(%m: memref<8192xi8, 3>) {
  // expected-error@+1 {{'xegpu.create_mem_desc' op result 'mem_desc' at position 0 does not verify: index should be of base attribute xegpu.mem_desc}}
  %0 = xegpu.create_mem_desc %m : memref<8192xi8, 3> -> index
  return
}

// -----

func.func @f(%m: !xegpu.mem_desc<64x64xf16>) {
  // expected-error@+1 {{'xegpu.load_matrix' op Mismatched ranks between offsets and mem_desc: 1 offsets, rank 2}}
  %0 = xegpu.load_matrix %m[0] : !xegpu.mem_desc<64x64xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @f(%m: !xegpu.mem_desc<64x64xf16>) {
  // expected-error@+1 {{'xegpu.load_matrix' op failed to verify that all of {result, mem_desc} have same element type: result has f32, mem_desc has f16}}
  %0 = xegpu.load_matrix %m[0, 0] : !xegpu.mem_desc<64x64xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @f(%m: !xegpu.mem_desc<64x64xf16>) {
  // expected-error@+1 {{'xegpu.load_matrix' op Result shape must not exceed mem_desc shape: [8, 128] in [64, 64]}}
  %0 = xegpu.load_matrix %m[0, 0] : !xegpu.mem_desc<64x64xf16> -> vector<8x128xf16>
  return
}

// -----

func.func @f(%m: !xegpu.mem_desc<64x64xf16>) {
  // expected-error@+1 {{'xegpu.load_matrix' op Result must have rank 1 or that of mem_desc !xegpu.mem_desc<64x64xf16>, got vector<1x8x16xf16>}}
  %0 = xegpu.load_matrix %m[0, 0] : !xegpu.mem_desc<64x64xf16> -> vector<1x8x16xf16>
  return
}

// -----

func.func @f(%m: !xegpu.mem_desc<64x64xf16>, %i: index) {
  // expected-error@+1 {{expected type index of an offset, got i32}}
  %0 = xegpu.load_matrix %m[0, %i] : !xegpu.mem_desc<64x64xf16>, i32 -> vector<8x16xf16>
  return
}

// -----

func.func @f(%m: !xegpu.mem_desc<64x64xf16>) {
  // expected-error@+1 {{'xegpu.load_matrix' op With subgroup_block_io, accessed data must be contiguous and coalesced.}}
  %0 = xegpu.load_matrix %m[0, 0] <{subgroup_block_io, layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>}> : !xegpu.mem_desc<64x64xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @f(%m: !xegpu.mem_desc<64x64xf16>) {
  // expected-error@+1 {{'xegpu.load_matrix' op With subgroup_block_io, the block shape must match the lane layout. Blocks are [1, 1], lanes [1, 16]}}
  %0 = xegpu.load_matrix %m[0, 0] <{subgroup_block_io, layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> : !xegpu.mem_desc<64x64xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @f(%m: !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<block = [2, 8]>>) {
  // expected-error@+1 {{'xegpu.load_matrix' op With subgroup_block_io, the distributed dimensions must be contiguous.}}
  %0 = xegpu.load_matrix %m[0, 0] <{subgroup_block_io, layout = #xegpu.layout<lane_layout = [2, 8], lane_data = [1, 1]>}> : !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<block = [2, 8]>> -> vector<8x16xf16>
  return
}

// -----

func.func @f(%v: vector<8x16xf32>, %m: !xegpu.mem_desc<64x64xf16>) {
  // expected-error@+1 {{'xegpu.store_matrix' op failed to verify that all of {value, mem_desc} have same element type: value has f32, mem_desc has f16}}
  xegpu.store_matrix %v, %m[0, 0] : vector<8x16xf32>, !xegpu.mem_desc<64x64xf16>
  return
}

// -----

func.func @f(%a: vector<8xf16>, %b: vector<16xf16>) {
  // expected-error@+1 {{'xegpu.dpas' op cannot multiply f16 by f16 into i32: expected f16 into f32 or f16, bf16 into f32 or bf16, tf32 into f32, or 8-bit integers into 32-bit integers}}
  %0 = xegpu.dpas %a, %b : vector<8xf16>, vector<16xf16> -> vector<8xi32>
  return
}

// -----

func.func @f(%a: vector<2x8x16xf16>, %b: vector<3x16x16xf16>) {
  // expected-error@+1 {{'xegpu.dpas' op expected equal leading dimensions of a batch of matrices, got [2, 8, 16], [3, 16, 16] and [2, 8, 16]}}
  %0 = xegpu.dpas %a, %b : vector<2x8x16xf16>, vector<3x16x16xf16> -> vector<2x8x16xf32>
  return
}

// -----

func.func @f(%v: vector<64x64xf16>) {
  // expected-error@+1 {{'xegpu.convert_layout' op cannot distribute vector<64x64xf16> using #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 24]>: 64 elements over 2 subgroups in blocks of 24}}
  %0 = xegpu.convert_layout %v <{input_layout = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 24]>, target_layout = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16]>}> : vector<64x64xf16>
  return
}

// -----

func.func @f(%a: vector<8x16xf16>) {
  // expected-error@+1 {{'xegpu.dpas_mx' op is not supported: the 8- and 4-bit floats that it handles are those of later GPUs (Xe3p)}}
  %0 = xegpu.dpas_mx %a, %a : vector<8x16xf16>, vector<8x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @f(%a: vector<8xf32>) {
  // expected-error@+1 {{'xegpu.truncf' op is not supported: the 8- and 4-bit floats that it handles are those of later GPUs (Xe3p)}}
  %0 = xegpu.truncf %a : vector<8xf32> -> vector<8xf16>
  return
}

// -----

func.func @f(%p: ui64) {
  // expected-error@+1 {{'xegpu.create_nd_tdesc' op an integer source needs shape and strides for 2 offsets}}
  %0 = xegpu.create_nd_tdesc %p : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @f(%p: ui64) {
  // expected-error@+1 {{Expected 'strides'}}
  %0 = xegpu.create_nd_tdesc %p, shape : [8, 16], [16, 1] : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

// expected-error@+1 {{invalid dim (2) in slice attribute.}}
func.func private @f() attributes {a = #xegpu.slice<#xegpu.layout<sg_layout = [4, 8], sg_data = [16, 16]>, dims = [2]>}

// -----

// expected-error@+1 {{repeated dim (0) in slice attribute.}}
func.func private @f() attributes {a = #xegpu.slice<#xegpu.layout<sg_layout = [4, 8], sg_data = [16, 16]>, dims = [0, 0]>}

// -----

// expected-error@+1 {{expected #xegpu.layout or #xegpu.slice, got 3 : i64}}
func.func private @f() attributes {a = #xegpu.slice<3 : i64, dims = [0]>}

// -----

// expected-error@+1 {{'end' : 4 must be greater than 'start' : 4}}
func.func private @f() attributes {a = #xegpu.range<[4, 4]>}

// -----

// expected-error@+1 {{expected two integers, got ['4 : i64']}}
func.func private @f() attributes {a = #xegpu.range<[4]>}

// -----

// expected-error@+1 {{expected stride or block, got no field}}
func.func private @f() attributes {a = #xegpu.mem_layout<>}

// -----

// expected-error@+1 {{expected stride to be a list of integers, got 3 : i64}}
func.func private @f() attributes {a = #xegpu.mem_layout<stride = 3>}

// -----

// expected-error@+1 {{expected stride to have 2 entries of at least 1, got [1]}}
func.func private @f(!xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<stride = [1]>>)

// -----

// expected-error@+1 {{expected a static shape of at least one dimension, got [64, -9223372036854775808]}}
func.func private @f(!xegpu.mem_desc<64x?xf16>)

// -----

// expected-error@+1 {{expected blocks of [3, 1] to divide a matrix of [64, 64] with strides [64, 1]}}
func.func private @f(!xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<block = [3, 1]>>)

// -----

// expected-error@+1 {{expected a matrix of scalars, got elements of type !xegpu.nbarrier}}
func.func private @f(!xegpu.mem_desc<64x64x!xegpu.nbarrier>)

// -----

// expected-error@+1 {{expected #xegpu.mem_layout, got 3 : i64}}
func.func private @f(!xegpu.mem_desc<64x64xf16, 3>)

// -----

// expected-error@+1 {{cannot distribute [8, 24] using #xegpu.layout<sg_layout = [1, 1], sg_data = [8, 32]>: 24 elements over 1 subgroups in blocks of 32}}
func.func private @f(!xegpu.tensor_desc<8x24xf16, #xegpu.layout<sg_layout = [1, 1], sg_data = [8, 32]>>)

// -----

func.func @f(%m: !xegpu.mem_desc<64x64xf16>) {
  // expected-error@+1 {{subgroup_block_io are only allowed when result is a VectorType.}}
  %0 = xegpu.load_matrix %m[0, 0] <{subgroup_block_io}> : !xegpu.mem_desc<64x64xf16> -> f16
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<2x8x16xf32>) {
  // expected-error@+1 {{'xegpu.load_nd' op transpose needs a 1D or 2D TensorDesc, got !xegpu.tensor_desc<2x8x16xf32>}}
  %0 = xegpu.load_nd %t[0, 0, 0] <{transpose = array<i64: 0, 2, 1>}> : !xegpu.tensor_desc<2x8x16xf32> -> vector<2x16x8xf32>
  return
}

// -----

func.func @f(%t: !xegpu.tensor_desc<2x8x16xf32>) {
  // expected-error@+1 {{Result shape [16] is not consistent with tensor descriptor !xegpu.tensor_desc<2x8x16xf32>, expected [2, 8, 16]}}
  %0 = xegpu.load_nd %t[0, 0, 0] : !xegpu.tensor_desc<2x8x16xf32> -> vector<16xf32>
  return
}

// -----

!desc = !xegpu.tensor_desc<2x8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>>
func.func @f(%t: !desc) {
  // expected-error@+1 {{Expects a 1D or 2D TensorDesc for an array_length of 2}}
  %0 = xegpu.load_nd %t[0, 0, 0] : !desc -> vector<2x2x8x16xf16>
  return
}
