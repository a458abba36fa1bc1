// RUN: XEGPU_INVALID

func.func @source(%v: vector<16xf32>) {
  // expected-error@+1 {{'xetile.init_tile' op operand #0 must be a memref of scalars or one of ui64, ui32, i64, i32, but got vector<16xf32>}}
  %0 = xetile.init_tile %v[0] : vector<16xf32> -> !xetile.tile<8x16xf32>
  return
}

// -----

func.func @elements_of_source(%m: memref<8x16xi4>) {
  // expected-error@+1 {{operand #0 must be a memref of scalars or one of ui64, ui32, i64, i32, but got memref<8x16xi4>}}
  %0 = xetile.init_tile %m[0, 0] : memref<8x16xi4> -> !xetile.tile<8x16xi8>
  return
}

// -----

func.func @global_of_slm(%m: memref<64x64xf32, 3>) {
  // expected-error@+1 {{memory space of the tile doesn't match with the source. Source has 3, tile has 0}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x64xf32, 3> -> !xetile.tile<8x16xf32>
  return
}

// -----

func.func @slm_of_address(%p: i64) {
  // expected-error@+1 {{memory space of the tile doesn't match with the source. Source has 0, tile has 3}}
  %0 = xetile.init_tile %p[0, 0], [8, 16], [16, 1] : i64 -> !xetile.tile<8x16xf32, #xetile.tile_attr<memory_space = 3 : i32>>
  return
}

// -----

func.func @indices_of_matrix(%m: memref<64x64xf32>, %i: vector<4x16xindex>) {
  // expected-error@+1 {{Expecting a 0-D or 1-D memref as source. Got memref<64x64xf32>}}
  %0 = xetile.init_tile %m, %i : memref<64x64xf32>, vector<4x16xindex> -> !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @indices_of_address(%p: i64, %i: vector<4x16xindex>) {
  // expected-error@+1 {{Expecting a 0-D or 1-D memref as source. Got i64}}
  %0 = xetile.init_tile %p, %i : i64, vector<4x16xindex> -> !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @indices_of_block(%m: memref<64xf32>, %i: vector<4x16xindex>) {
  // expected-error@+1 {{Expecting a scattered TileType. Got !xetile.tile<4x16xf32>}}
  %0 = xetile.init_tile %m, %i : memref<64xf32>, vector<4x16xindex> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @indices_and_lists(%m: memref<?xf32>, %i: vector<16xindex>) {
  // expected-error@+1 {{indices take the place of offsets, sizes and strides, got sizes, strides too}}
  %0 = xetile.init_tile %m, %i, [64], [1] : memref<?xf32>, vector<16xindex> -> !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @shape_of_indices(%m: memref<64xf32>, %i: vector<16xindex>) {
  // expected-error@+1 {{failed to verify that all of {indices, tile} have same shape: indices has [16], tile has [4, 16]}}
  %0 = xetile.init_tile %m, %i : memref<64xf32>, vector<16xindex> -> !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @rank_of_indices(%m: memref<64xf32>, %i: vector<1x4x16xindex>) {
  // expected-error@+1 {{expected indices to be a vector of rank 1 or 2, got vector<1x4x16xindex>}}
  %0 = xetile.init_tile %m, %i : memref<64xf32>, vector<1x4x16xindex> -> !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @type_of_indices(%m: memref<64xf32>, %i: vector<16xi32>) {
  // expected-error@+1 {{expected indices to be a vector of index, got vector<16xi32>}}
  %0 = xetile.init_tile %m, %i : memref<64xf32>, vector<16xi32> -> !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @no_vector(%m: memref<64xf32>, %i: index) {
  // expected-error@+1 {{expected indices to be a vector of rank 1 or 2, got index}}
  %0 = xetile.init_tile %m, %i : memref<64xf32>, index -> !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @scattered_without_indices(%m: memref<64x64xf32>) {
  // expected-error@+1 {{Expecting indices for a scattered TileType. Got !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x64xf32> -> !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @row_of_memory(%m: memref<64xf32>) {
  // expected-error@+1 {{a block tile needs a source of rank 2 or more, got memref<64xf32>}}
  %0 = xetile.init_tile %m[0] : memref<64xf32> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @sizes_of_static(%m: memref<64x64xf32>) {
  // expected-error@+1 {{dynamic sizes are not allowed with a static shaped memref as source. The source is memref<64x64xf32>}}
  %0 = xetile.init_tile %m[0, 0], [64, 64], [64, 1] : memref<64x64xf32> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @offsets_of_static(%m: memref<4x64x64xf32>) {
  // expected-error@+1 {{expected 3 offsets for memref<4x64x64xf32>, got 2}}
  %0 = xetile.init_tile %m[0, 0] : memref<4x64x64xf32> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @no_offsets(%m: memref<64x64xf32>) {
  // expected-error@+1 {{expected 2 offsets for memref<64x64xf32>, got 0}}
  %0 = "xetile.init_tile"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (memref<64x64xf32>) -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @column_major_as_rows(%m: memref<64x32xf32, strided<[1, 64]>>) {
  // expected-error@+1 {{memref operand is expected to have a row-major layout: expected the last stride to be 1, got 64}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x32xf32, strided<[1, 64]>> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @row_major_as_columns(%m: memref<64x32xf32>) {
  // expected-error@+1 {{memref operand is expected to have a column-major layout: expected the last but one stride to be 1, got 32}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x32xf32> -> !xetile.tile<4x16xf32, #xetile.tile_attr<order = [0, 1]>>
  return
}

// -----

func.func @row_major_address_as_columns(%p: i64, %w: index) {
  // expected-error@+1 {{memref operand is expected to have a column-major layout: expected the last but one stride to be 1, got 64}}
  %0 = xetile.init_tile %p[0, 0], [%w, 64], [64, 1] : i64 -> !xetile.tile<4x16xf32, #xetile.tile_attr<order = [0, 1]>>
  return
}

// -----

func.func @column_major_address_as_rows(%p: i64) {
  // expected-error@+1 {{memref operand is expected to have a row-major layout: expected the last stride to be 1, got 64}}
  %0 = xetile.init_tile %p[0, 0], [64, 64], [1, 64] : i64 -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @no_strides_in_layout(%m: memref<64x64xf32, affine_map<(d0, d1) -> (d0 floordiv 8, d1)>>) {
  // expected-error@+1 {{expected a valid affine map in the layout, got memref<64x64xf32, affine_map<(d0, d1) -> ((d0 floordiv 8), d1)>>}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x64xf32, affine_map<(d0, d1) -> (d0 floordiv 8, d1)>> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @nonlinear_layout(%m: memref<64x64xf32, affine_map<(d0, d1) -> (d0 * 64 + d1 mod 8)>>) {
  // expected-error@+1 {{expected a valid affine map in the layout}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x64xf32, affine_map<(d0, d1) -> (d0 * 64 + d1 mod 8)>> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @too_few_strides(%m: memref<64x64xf32, strided<[1]>>) {
  // expected-error@+1 {{expected a valid affine map in the layout}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x64xf32, strided<[1]>> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @dynamic_strides(%m: memref<64x64xf32, strided<[?, 1]>>) {
  // expected-error@+1 {{expected static strides in a memref of static shape, got memref<64x64xf32, strided<[?, 1]>>: cast it to a dynamic memref and give sizes and strides}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x64xf32, strided<[?, 1]>> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @dynamic_without_lists(%m: memref<?x?xf32>) {
  // expected-error@+1 {{memref with a dynamic shape or raw address is used as source but dynamic shape argument missing or it is not of valid rank: got 2 offsets, 0 sizes and 0 strides for a tile of rank 2}}
  %0 = xetile.init_tile %m[0, 0] : memref<?x?xf32> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @lists_of_different_lengths(%p: i64) {
  // expected-error@+1 {{is not of valid rank: got 2 offsets, 3 sizes and 2 strides for a tile of rank 2}}
  %0 = xetile.init_tile %p[0, 0], [4, 64, 64], [64, 1] : i64 -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @lists_of_rank_1(%p: i64) {
  // expected-error@+1 {{is not of valid rank: got 1 offsets, 1 sizes and 1 strides for a tile of rank 2}}
  %0 = xetile.init_tile %p[0], [64], [1] : i64 -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @lists_of_another_rank(%m: memref<?x?xf32>) {
  // expected-error@+1 {{expected 2 offsets for memref<?x?xf32>, got 3}}
  %0 = xetile.init_tile %m[0, 0, 0], [4, 64, 64], [4096, 64, 1] : memref<?x?xf32> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @address_without_lists(%p: i64) {
  // expected-error@+1 {{dynamic shape and strides must not be empty for an address, got 0 sizes and 0 strides}}
  %0 = xetile.init_tile %p[0, 0] : i64 -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @negative_size(%p: i64) {
  // expected-error@+1 {{expected sizes to be non-negative, but got -64}}
  %0 = xetile.init_tile %p[0, 0], [-64, 64], [64, 1] : i64 -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @overflow(%m: memref<64x64xf32>) {
  // expected-error@+1 {{index is out of the range of 64-bit integers}}
  %0 = xetile.init_tile %m[9223372036854775808, 0] : memref<64x64xf32> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @element_type(%m: memref<64x64xf32>) {
  // expected-error@+1 {{expected the tile to have the element type of the source. Source has f32, tile has f16}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x64xf32> -> !xetile.tile<4x16xf16>
  return
}

// -----

func.func @dynamic_tile(%m: memref<64x64xf32>) {
  // expected-error@+1 {{expected a tile of static shape, got !xetile.tile<?x16xf32>}}
  %0 = xetile.init_tile %m[0, 0] : memref<64x64xf32> -> !xetile.tile<?x16xf32>
  return
}

// -----

func.func @values_without_places(%m: memref<64x64xf32>, %i: index) {
  // expected-error@+1 {{expected 0 values in the offsets, got 1}}
  %0 = "xetile.init_tile"(%m, %i) <{const_offsets = array<i64: 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (memref<64x64xf32>, index) -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @places_without_values(%m: memref<64x64xf32>) {
  // expected-error@+1 {{expected 1 values in the offsets, got 0}}
  %0 = "xetile.init_tile"(%m) <{const_offsets = array<i64: -9223372036854775808, 0>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (memref<64x64xf32>) -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @sizes_alone(%p: i64) {
  // expected-error@+1 {{Expected ',' between sizes and strides}}
  %0 = xetile.init_tile %p[0, 0], [64, 64] : i64 -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @inherent_attribute(%m: memref<64x64xf32>) {
  // expected-error@+1 {{inherent attribute 'const_sizes' is not allowed among the discardable ones}}
  %0 = xetile.init_tile %m[0, 0] {const_sizes = 3} : memref<64x64xf32> -> !xetile.tile<4x16xf32>
  return
}

// -----

func.func @type_of_indices_missing(%m: memref<64xf32>, %i: vector<16xindex>) {
  // expected-error@+1 {{Expected ',' before the type of the indices}}
  %0 = xetile.init_tile %m, %i : memref<64xf32> -> !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>
  return
}

// -----

// A constant counts as known.
func.func @column_major_constants(%p: i64) {
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  // expected-error @+1 {{memref operand is expected to have a row-major layout: expected the last stride to be 1, got 1024}}
  %t = xetile.init_tile %p[%c1, %c1], [%c1024, %c1024], [%c1, %c1024] : i64 -> !xetile.tile<32x64xf16>
  return
}

// -----

func.func @row_major_constants(%p: i64) {
  %c1 = index.constant 1
  %c1024 = index.constant 1024
  // expected-error @+1 {{memref operand is expected to have a column-major layout: expected the last but one stride to be 1, got 1024}}
  %t = xetile.init_tile %p[%c1, %c1], [%c1024, %c1024], [%c1024, %c1] : i64 -> !xetile.tile<32x64xf16, #xetile.tile_attr<order = [0, 1]>>
  return
}
