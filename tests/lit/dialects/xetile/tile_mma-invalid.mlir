// RUN: XEGPU_INVALID

func.func @ranks(%a: vector<8x16xf16>, %b: vector<8x16x2xf16>) {
  // expected-error@+1 {{'xetile.tile_mma' op A and B inputs must have the same rank. A has rank 2, B has rank 3}}
  %0 = xetile.tile_mma %a, %b : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @rank_3(%a: vector<8x8x2xf16>, %b: vector<8x16x2xf16>) {
  // expected-error@+1 {{expected A to be a 2-D vector, got vector<8x8x2xf16>}}
  %0 = xetile.tile_mma %a, %b : vector<8x8x2xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @scalar(%a: vector<8x16xf16>, %b: f16) {
  // expected-error@+1 {{expected B to be a 2-D vector, got f16}}
  %0 = xetile.tile_mma %a, %b : vector<8x16xf16>, f16 -> vector<8x16xf32>
  return
}

// -----

func.func @rank_of_c(%a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<128xf32>) {
  // expected-error@+1 {{expected C to be a 2-D vector, got vector<128xf32>}}
  %0 = xetile.tile_mma %a, %b, %c : vector<8x16xf16>, vector<16x16xf16>, vector<128xf32> -> vector<8x16xf32>
  return
}

// -----

func.func @rank_of_output(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{expected output to be a 2-D vector, got vector<128xf32>}}
  %0 = xetile.tile_mma %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<128xf32>
  return
}

// -----

func.func @element_types(%a: vector<8x16xf16>, %b: vector<16x16xbf16>) {
  // expected-error@+1 {{A and B inputs must have the same type. A has f16, B has bf16}}
  %0 = xetile.tile_mma %a, %b : vector<8x16xf16>, vector<16x16xbf16> -> vector<8x16xf32>
  return
}

// -----

func.func @accumulator_type(%a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<8x16xf16>) {
  // expected-error@+1 {{C and output vector must have the same type. C has f16, output has f32}}
  %0 = xetile.tile_mma %a, %b, %c : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @k(%a: vector<8x32xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{incompatible A, B and output sizes for 2D tile mma op. 2D tile mma should have the shape (m x k) x (k x n) = (m x n). Got (8 x 32) x (16 x 16) = (8 x 16)}}
  %0 = xetile.tile_mma %a, %b : vector<8x32xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @m(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{incompatible A, B and output sizes for 2D tile mma op.}}
  %0 = xetile.tile_mma %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<16x16xf32>
  return
}

// -----

func.func @n(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{incompatible A, B and output sizes for 2D tile mma op.}}
  %0 = xetile.tile_mma %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x32xf32>
  return
}

// -----

func.func @shape_of_c(%a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<16x8xf32>) {
  // expected-error@+1 {{input C must have the same shape as output. C has [16, 8], output has [8, 16]}}
  %0 = xetile.tile_mma %a, %b, %c : vector<8x16xf16>, vector<16x16xf16>, vector<16x8xf32> -> vector<8x16xf32>
  return
}

// -----

func.func @combination(%a: vector<8x16xf32>, %b: vector<16x16xf32>) {
  // expected-error@+1 {{cannot multiply f32 by f32 into f32: expected f16 into f32 or f16, bf16 into f32 or bf16, tf32 into f32, or 8-bit integers into 32-bit integers}}
  %0 = xetile.tile_mma %a, %b : vector<8x16xf32>, vector<16x16xf32> -> vector<8x16xf32>
  return
}

// -----

func.func @map_of_a(%a: vector<64x32xf16>, %b: vector<32x64xf16>) {
  // expected-error@+1 {{expected sg_data of wg_map_a to divide the shape [64, 32], got [32, 64]}}
  %0 = xetile.tile_mma %a, %b {wg_map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 64]>} : vector<64x32xf16>, vector<32x64xf16> -> vector<64x64xf32>
  return
}

// -----

func.func @map_of_b(%a: vector<64x32xf16>, %b: vector<32x64xf16>) {
  // expected-error@+1 {{expected sg_data of wg_map_b to divide the shape [32, 64], got [64, 32]}}
  %0 = xetile.tile_mma %a, %b {wg_map_b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [64, 32]>} : vector<64x32xf16>, vector<32x64xf16> -> vector<64x64xf32>
  return
}

// -----

func.func @map_of_c(%a: vector<64x32xf16>, %b: vector<32x64xf16>) {
  // expected-error@+1 {{expected sg_data of wg_map_c to divide the shape [64, 64], got [24, 64]}}
  %0 = xetile.tile_mma %a, %b {wg_map_c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [24, 64]>} : vector<64x32xf16>, vector<32x64xf16> -> vector<64x64xf32>
  return
}

// -----

func.func @kind_of_map(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{#xetile.sg_map<wi_layout = [1, 16], wi_data = [1, 1]> should be of base attribute xetile.wg_map}}
  %0 = xetile.tile_mma %a, %b {wg_map_a = #xetile.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @operands(%a: vector<8x8xf16>) {
  // expected-error@+1 {{Expected ','}}
  %0 = xetile.tile_mma %a : vector<8x8xf16> -> vector<8x8xf32>
  return
}
