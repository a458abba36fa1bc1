// RUN: XEGPU_INVALID

func.func @constants(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{expected a value: the offsets of an update are no constants}}
  %0 = xetile.update_tile_offset %t, [0, 16] : !xetile.tile<8x16xf16>
  return
}

// -----

func.func @one_offset(%t: !xetile.tile<8x16xf16>, %i: index) {
  // expected-error@+1 {{Expected ','}}
  %0 = xetile.update_tile_offset %t, [%i] : !xetile.tile<8x16xf16>
  return
}

// -----

func.func @nothing(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{expected '[' or indices}}
  %0 = xetile.update_tile_offset %t, : !xetile.tile<8x16xf16>
  return
}

// -----

func.func @no_offsets(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{expected two offsets, and no indices, for a block tile, got !xetile.tile<8x16xf16>}}
  %0 = "xetile.update_tile_offset"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!xetile.tile<8x16xf16>) -> !xetile.tile<8x16xf16>
  return
}

// -----

func.func @offset_alone(%t: !xetile.tile<8x16xf16>, %i: index) {
  // expected-error@+1 {{expected two offsets, and no indices, for a block tile, got !xetile.tile<8x16xf16>}}
  %0 = "xetile.update_tile_offset"(%t, %i) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (!xetile.tile<8x16xf16>, index) -> !xetile.tile<8x16xf16>
  return
}

// -----

func.func @indices_of_block(%t: !xetile.tile<8x16xf16>, %i: vector<8x16xindex>) {
  // expected-error@+1 {{expected two offsets, and no indices, for a block tile, got !xetile.tile<8x16xf16>}}
  %0 = xetile.update_tile_offset %t, %i : !xetile.tile<8x16xf16>, vector<8x16xindex>
  return
}

// -----

func.func @offsets_of_scattered(%t: !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>>, %i: index) {
  // expected-error@+1 {{expected indices, and no offsets, for a scattered tile, got !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>>}}
  %0 = xetile.update_tile_offset %t, [%i, %i] : !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @shape_of_indices(%t: !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>>, %i: vector<16xindex>) {
  // expected-error@+1 {{failed to verify that all of {indices, tile} have same shape: indices has [16], tile has [8, 16]}}
  %0 = xetile.update_tile_offset %t, %i : !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>>, vector<16xindex>
  return
}

// -----

func.func @type_of_indices(%t: !xetile.tile<16xf16, #xetile.tile_attr<scattered = true>>, %i: vector<16xi64>) {
  // expected-error@+1 {{expected indices to be a vector of index, got vector<16xi64>}}
  %0 = xetile.update_tile_offset %t, %i : !xetile.tile<16xf16, #xetile.tile_attr<scattered = true>>, vector<16xi64>
  return
}

// -----

func.func @dynamic(%t: !xetile.tile<?x16xf16>, %i: index) {
  // expected-error@+1 {{expected a tile of static shape, got !xetile.tile<?x16xf16>}}
  %0 = xetile.update_tile_offset %t, [%i, %i] : !xetile.tile<?x16xf16>
  return
}

// -----

func.func @result(%t: !xetile.tile<8x16xf16>, %i: index) {
  // expected-error@+1 {{attribute !xetile.tile<8x16xf16> expected from variable 'T', but got !xetile.tile<16x16xf16>}}
  %0 = "xetile.update_tile_offset"(%t, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!xetile.tile<8x16xf16>, index, index) -> !xetile.tile<16x16xf16>
  return
}
