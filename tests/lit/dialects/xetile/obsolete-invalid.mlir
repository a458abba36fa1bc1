// What older versions and drafts had is refused by its name.
// RUN: XEGPU_INVALID

// expected-error@+1 {{field 'inner_blocks' is obsolete: tiles and vectors are 2-D, and xetile-blocking cuts them}}
func.func private @f(!xetile.tile<32x32xf16, #xetile.tile_attr<inner_blocks = [8, 16]>>)

// -----

// expected-error@+1 {{field 'wg' is obsolete: it is called wg_map}}
func.func private @f(!xetile.tile<32x32xf16, #xetile.tile_attr<wg = <sg_layout = [1, 1], sg_data = [32, 32]>>>)

// -----

// expected-error@+1 {{field 'sg' is obsolete: it is called sg_map}}
func.func private @f(!xetile.tile<32x32xf16, #xetile.tile_attr<sg = <wi_layout = [1, 16], wi_data = [1, 1]>>>)

// -----

// expected-error@+1 {{field 'mma_block_size' is obsolete: tiles and vectors are 2-D, and xetile-blocking cuts them}}
func.func private @f() attributes {map = #xetile.sg_map<mma_block_size = [8, 16], wi_layout = [1, 16], wi_data = [1, 1]>}

// -----

// expected-error@+1 {{#xetile.xe_map is obsolete: #xetile.tile_attr holds wg_map and sg_map}}
func.func private @f(!xetile.tile<32x32xf16, #xetile.xe_map<wg = <sg_layout = [1, 1], sg_data = [32, 32]>, sg = <>>>)

// -----

func.func @f(%v: vector<32x32xf16>) {
  // expected-error@+1 {{'xetile.tile_pack' op is obsolete: tiles and vectors are 2-D, and xetile-blocking cuts them}}
  %0 = xetile.tile_pack %v {inner_blocks = array<i64: 8, 16>} : vector<32x32xf16> -> vector<4x2x8x16xf16>
  return
}

// -----

func.func @f(%v: vector<4x2x8x16xf16>) {
  // expected-error@+1 {{'xetile.tile_unpack' op is obsolete: tiles and vectors are 2-D, and xetile-blocking cuts them}}
  %0 = "xetile.tile_unpack"(%v) {inner_blocks = array<i64: 8, 16>} : (vector<4x2x8x16xf16>) -> vector<32x32xf16>
  return
}

// -----

func.func @f(%t: !xetile.tile<32x32xf16>) {
  // expected-error@+1 {{expected value to be a 2-D vector, got vector<4x2x8x16xf16> (4-D vectors of blocks are obsolete)}}
  %0 = xetile.load_tile %t : !xetile.tile<32x32xf16> -> vector<4x2x8x16xf16>
  return
}

// -----

func.func @f(%a: vector<4x2x8x16xf16>, %b: vector<2x2x16x16xf16>) {
  // expected-error@+1 {{expected A to be a 2-D vector, got vector<4x2x8x16xf16> (4-D vectors of blocks are obsolete)}}
  %0 = xetile.tile_mma %a, %b : vector<4x2x8x16xf16>, vector<2x2x16x16xf16> -> vector<4x2x8x16xf32>
  return
}

// -----

func.func @f(%t: !xetile.tile<32x32xf16>) {
  // expected-error@+1 {{locality is not supported, use cache hints}}
  xetile.prefetch_tile %t, locality<3> : !xetile.tile<32x32xf16>
  return
}

// -----

func.func @f(%t: !xetile.tile<32x32xf16>) {
  // expected-error@+1 {{'xetile.prefetch_tile' op attribute 'locality' is not supported: it is of a draft or an older version}}
  xetile.prefetch_tile %t {locality = 3} : !xetile.tile<32x32xf16>
  return
}

// -----

func.func @f(%v: vector<32x32xf16>) {
  // expected-error@+1 {{'xetile.reduction' op attribute 'reduction_size' is not supported: it is of a draft or an older version}}
  %0 = xetile.reduction <add>, %v [0] {reduction_size = 32} : vector<32x32xf16> -> vector<1x32xf16>
  return
}

// -----

func.func @f(%v: vector<1x32xf16>) {
  // expected-error@+1 {{'xetile.broadcast' op attribute 'broadcast_size' is not supported: it is of a draft or an older version}}
  %0 = xetile.broadcast %v [0] {broadcast_size = 32} : vector<1x32xf16> -> vector<32x32xf16>
  return
}

// -----

func.func @f(%t: !xetile.tile<32x32xf16>) {
  // expected-error@+1 {{'xetile.load_tile' op attribute 'transpose' is not supported: it is of a draft or an older version}}
  %0 = xetile.load_tile %t {transpose = [1, 0]} : !xetile.tile<32x32xf16> -> vector<32x32xf16>
  return
}

// -----

// expected-error@+1 {{inner_blocks is obsolete: tiles and vectors are 2-D, and xetile-blocking cuts them}}
func.func private @f(!xetile.tile<32x32xf16, inner_blocks = [8, 16]>)

// -----

func.func @f(%t: !xetile.tile<32x32xf16>, %i: index) {
  // expected-error@+1 {{types of offsets and result are obsolete: write the tile's alone}}
  %0 = xetile.update_tile_offset %t, [%i, %i] : !xetile.tile<32x32xf16>, index, index -> !xetile.tile<32x32xf16>
  return
}

// -----

func.func @f(%v: vector<32x32xf16>) {
  // expected-error@+1 {{'xetile.reduce' op is obsolete: it is called xetile.reduction}}
  %0 = xetile.reduce <add>, %v [0] : vector<32x32xf16> -> vector<1x32xf16>
  return
}

// -----

func.func @f(%t: !xetile.tile<32x32xf16>, %i: index) {
  // expected-error@+1 {{'xetile.init_coop_tile' op is obsolete: a tile of a work group has a wg_map}}
  %0 = xetile.init_coop_tile %t, %i, %i : !xetile.tile<32x32xf16>, index, index -> !xetile.tile<8x8xf16>
  return
}
