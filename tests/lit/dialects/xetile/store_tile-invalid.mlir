// RUN: XEGPU_INVALID

func.func @scattered(%v: vector<8x16xf16>, %t: !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>>) {
  // expected-error@+1 {{expected a tile that is not scattered}}
  xetile.store_tile %v, %t : vector<8x16xf16>, !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>>
  return
}

// -----

func.func @dynamic(%v: vector<8x16xf16>, %t: !xetile.tile<?x16xf16>) {
  // expected-error@+1 {{expected a tile of static shape, got !xetile.tile<?x16xf16>}}
  xetile.store_tile %v, %t : vector<8x16xf16>, !xetile.tile<?x16xf16>
  return
}

// -----

func.func @rank(%v: vector<1x8x16xf16>, %t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{expected value to be a 2-D vector, got vector<1x8x16xf16>}}
  xetile.store_tile %v, %t : vector<1x8x16xf16>, !xetile.tile<8x16xf16>
  return
}

// -----

func.func @element_type(%v: vector<8x16xbf16>, %t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{failed to verify that all of {value, tile} have same element type: value has bf16, tile has f16}}
  xetile.store_tile %v, %t : vector<8x16xbf16>, !xetile.tile<8x16xf16>
  return
}

// -----

func.func @shape(%v: vector<8x32xf16>, %t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{failed to verify that all of {value, tile} have same shape: value has [8, 32], tile has [8, 16]}}
  xetile.store_tile %v, %t : vector<8x32xf16>, !xetile.tile<8x16xf16>
  return
}

// -----

// Two blocks of rows for four subgroups: two would store the same.
func.func @shared(%v: vector<64x64xf16>, %t: !xetile.tile<64x64xf16, #xetile.tile_attr<wg_map = <sg_layout = [4, 2], sg_data = [32, 32]>>>) {
  // expected-error@+1 {{data is not evenly distributed to each subgroup. The shape [64, 64] should be a multiple of sg_layout * sg_data in the wg_map of the tile, which are [4, 2] and [32, 32]}}
  xetile.store_tile %v, %t : vector<64x64xf16>, !xetile.tile<64x64xf16, #xetile.tile_attr<wg_map = <sg_layout = [4, 2], sg_data = [32, 32]>>>
  return
}

// -----

// Three blocks of columns for two subgroups.
func.func @uneven(%v: vector<64x96xf16>, %t: !xetile.tile<64x96xf16, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 32]>>>) {
  // expected-error@+1 {{data is not evenly distributed to each subgroup. The shape [64, 96] should be a multiple of sg_layout * sg_data}}
  xetile.store_tile %v, %t : vector<64x96xf16>, !xetile.tile<64x96xf16, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 32]>>>
  return
}

// -----

func.func @hint(%v: vector<8x16xf16>, %t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{invalid l3_hint: #xetile.cache_hint<read_invalidate>, expected one of cached, uncached, streaming, write_back, write_through}}
  xetile.store_tile %v, %t {l3_hint = #xetile.cache_hint<read_invalidate>} : vector<8x16xf16>, !xetile.tile<8x16xf16>
  return
}
