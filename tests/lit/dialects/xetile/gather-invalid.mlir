// RUN: XEGPU_INVALID

func.func @load_of_block(%t: !xetile.tile<4x16xf32>, %m: vector<4x16xi1>) {
  // expected-error@+1 {{'xetile.load' op expected a scattered tile, got !xetile.tile<4x16xf32>}}
  %0 = xetile.load %t, %m : !xetile.tile<4x16xf32>, vector<4x16xi1> -> vector<4x16xf32>
  return
}

// -----

func.func @load_dynamic(%t: !xetile.tile<?xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{expected a tile of static shape}}
  %0 = xetile.load %t, %m : !xetile.tile<?xf32, #xetile.tile_attr<scattered = true>>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @load_rank(%t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{expected value to be a vector of rank 1 or 2, got vector<1x1x16xf32>}}
  %0 = xetile.load %t, %m : !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<16xi1> -> vector<1x1x16xf32>
  return
}

// -----

func.func @load_element_type(%t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{failed to verify that all of {value, tile} have same element type: value has i32, tile has f32}}
  %0 = xetile.load %t, %m : !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<16xi1> -> vector<16xi32>
  return
}

// -----

func.func @load_shape(%t: !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<64xi1>) {
  // expected-error@+1 {{failed to verify that all of {value, tile} have same shape: value has [64], tile has [4, 16]}}
  %0 = xetile.load %t, %m : !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<64xi1> -> vector<64xf32>
  return
}

// -----

func.func @load_mask_shape(%t: !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{failed to verify that all of {value, mask} have same shape: value has [4, 16], mask has [16]}}
  %0 = xetile.load %t, %m : !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<16xi1> -> vector<4x16xf32>
  return
}

// -----

func.func @load_mask_type(%t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi8>) {
  // expected-error@+1 {{expected mask to be a vector of i1, got vector<16xi8>}}
  %0 = xetile.load %t, %m : !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<16xi8> -> vector<16xf32>
  return
}

// -----

func.func @load_mask(%t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: i1) {
  // expected-error@+1 {{expected mask to be a vector of rank 1 or 2, got i1}}
  %0 = xetile.load %t, %m : !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, i1 -> vector<16xf32>
  return
}

// -----

func.func @load_padding(%t: !xetile.tile<16xi32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{expected padding of type i32 for elements of i32, got 0.000000e+00 : f32}}
  %0 = xetile.load %t, %m {padding = 0.0 : f32} : !xetile.tile<16xi32, #xetile.tile_attr<scattered = true>>, vector<16xi1> -> vector<16xi32>
  return
}

// -----

func.func @load_hint(%t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{invalid l1_hint: #xetile.cache_hint<write_back>, expected one of cached, uncached, streaming, read_invalidate}}
  %0 = xetile.load %t, %m {l1_hint = #xetile.cache_hint<write_back>} : !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @store_to_block(%v: vector<4x16xf32>, %t: !xetile.tile<4x16xf32>, %m: vector<4x16xi1>) {
  // expected-error@+1 {{'xetile.store' op expected a scattered tile, got !xetile.tile<4x16xf32>}}
  xetile.store %v, %t, %m : vector<4x16xf32>, !xetile.tile<4x16xf32>, vector<4x16xi1>
  return
}

// -----

func.func @store_rank(%v: f32, %t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{expected value to be a vector of rank 1 or 2, got f32}}
  xetile.store %v, %t, %m : f32, !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<16xi1>
  return
}

// -----

func.func @store_element_type(%v: vector<16xf16>, %t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{failed to verify that all of {value, tile} have same element type: value has f16, tile has f32}}
  xetile.store %v, %t, %m : vector<16xf16>, !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<16xi1>
  return
}

// -----

func.func @store_shape(%v: vector<8xf32>, %t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{failed to verify that all of {value, tile} have same shape: value has [8], tile has [16]}}
  xetile.store %v, %t, %m : vector<8xf32>, !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<16xi1>
  return
}

// -----

func.func @store_mask_shape(%v: vector<16xf32>, %t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<8xi1>) {
  // expected-error@+1 {{failed to verify that all of {value, mask} have same shape: value has [16], mask has [8]}}
  xetile.store %v, %t, %m : vector<16xf32>, !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<8xi1>
  return
}

// -----

func.func @store_mask_type(%v: vector<16xf32>, %t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xf32>) {
  // expected-error@+1 {{expected mask to be a vector of i1, got vector<16xf32>}}
  xetile.store %v, %t, %m : vector<16xf32>, !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<16xf32>
  return
}

// -----

func.func @store_hint(%v: vector<16xf32>, %t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<16xi1>) {
  // expected-error@+1 {{invalid l2_hint: #xetile.cache_hint<read_invalidate>, expected one of cached, uncached, streaming, write_back, write_through}}
  xetile.store %v, %t, %m {l2_hint = #xetile.cache_hint<read_invalidate>} : vector<16xf32>, !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>, vector<16xi1>
  return
}
