// RUN: XEGPU_INVALID

func.func @source(%v: vector<8x16xf16>) {
  // expected-error@+1 {{'xetile.load_tile' op vector<8x16xf16> should be of base attribute xetile.tile}}
  %0 = xetile.load_tile %v : vector<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @scattered(%t: !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>>) {
  // expected-error@+1 {{expected a tile that is not scattered, got !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>>}}
  %0 = xetile.load_tile %t : !xetile.tile<8x16xf16, #xetile.tile_attr<scattered = true>> -> vector<8x16xf16>
  return
}

// -----

func.func @dynamic(%t: !xetile.tile<8x?xf16>) {
  // expected-error@+1 {{expected a tile of static shape, got !xetile.tile<8x?xf16>}}
  %0 = xetile.load_tile %t : !xetile.tile<8x?xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @value(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{expected value to be a 2-D vector, got f16}}
  %0 = xetile.load_tile %t : !xetile.tile<8x16xf16> -> f16
  return
}

// -----

func.func @rank(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{expected value to be a 2-D vector, got vector<128xf16>}}
  %0 = xetile.load_tile %t : !xetile.tile<8x16xf16> -> vector<128xf16>
  return
}

// -----

func.func @scalable(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{scalable vectors are not supported, got vector<8x[16]xf16>}}
  %0 = xetile.load_tile %t : !xetile.tile<8x16xf16> -> vector<8x[16]xf16>
  return
}

// -----

func.func @element_type(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{failed to verify that all of {source, value} have same element type: source has f16, value has f32}}
  %0 = xetile.load_tile %t : !xetile.tile<8x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @shape(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{failed to verify that all of {source, value} have same shape: source has [8, 16], value has [16, 8]}}
  %0 = xetile.load_tile %t : !xetile.tile<8x16xf16> -> vector<16x8xf16>
  return
}

// -----

func.func @padding_type(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{expected padding of type i32 or f32, got 0.000000e+00 : f64}}
  %0 = xetile.load_tile %t {padding = 0.0} : !xetile.tile<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @padding_width(%t: !xetile.tile<8x16xi16>) {
  // expected-error@+1 {{expected padding of type i32 or f32, got 0 : i16}}
  %0 = xetile.load_tile %t {padding = 0 : i16} : !xetile.tile<8x16xi16> -> vector<8x16xi16>
  return
}

// -----

func.func @padding_kind(%t: !xetile.tile<8x16xi8>) {
  // expected-error@+1 {{expected padding of type i32 for elements of i8, got 5.000000e-01 : f32}}
  %0 = xetile.load_tile %t {padding = 0.5 : f32} : !xetile.tile<8x16xi8> -> vector<8x16xi8>
  return
}

// -----

func.func @padding_range(%t: !xetile.tile<8x16xi8>) {
  // expected-error@+1 {{expected padding that fits i8, got 256 : i32}}
  %0 = xetile.load_tile %t {padding = 256 : i32} : !xetile.tile<8x16xi8> -> vector<8x16xi8>
  return
}

// -----

func.func @hint(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{invalid l2_hint: #xetile.cache_hint<write_back>, expected one of cached, uncached, streaming, read_invalidate}}
  %0 = xetile.load_tile %t {l2_hint = #xetile.cache_hint<write_back>} : !xetile.tile<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @hint_of_xegpu(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{#xegpu.cache_hint<cached> should be of base attribute xetile.cache_hint}}
  %0 = xetile.load_tile %t {l1_hint = #xegpu.cache_hint<cached>} : !xetile.tile<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @given_twice(%t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{inherent attribute 'padding' is not allowed among the discardable ones}}
  %0 = "xetile.load_tile"(%t) <{padding = 0 : i32}> {padding = 1 : i32} : (!xetile.tile<8x16xf16>) -> vector<8x16xf16>
  return
}
