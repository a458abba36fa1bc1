// RUN: XEGPU_INVALID

// An op that contradicts its operands says where these come from.

func.func @load(%m: memref<64x64xf16>) {
  // expected-note@+1 {{'source' is defined here}}
  %t = xetile.init_tile %m[0, 0] : memref<64x64xf16> -> !xetile.tile<32x64xf16>
  // expected-error@+1 {{same}}
  %v = xetile.load_tile %t : !xetile.tile<32x64xf16> -> vector<64x32xf16>
  return
}

// -----

func.func @product(
    // expected-note@+1 {{'a' is defined here}}
    %a: vector<32x16xf16>,
    // expected-note@+1 {{'b' is defined here}}
    %b: vector<32x32xf16>) {
  // expected-error@+1 {{incompatible A, B and output sizes}}
  %c = xetile.tile_mma %a, %b : vector<32x16xf16>, vector<32x32xf16> -> vector<32x32xf32>
  return
}

// -----

func.func @update(
    // expected-note@+1 {{'tile' is defined here}}
    %t: !xetile.tile<16x16xf32, #xetile.tile_attr<scattered = true>>, %x: index) {
  // expected-error@+1 {{expected indices, and no offsets, for a scattered tile}}
  %u = xetile.update_tile_offset %t, [%x, %x] : !xetile.tile<16x16xf32, #xetile.tile_attr<scattered = true>>
  return
}
