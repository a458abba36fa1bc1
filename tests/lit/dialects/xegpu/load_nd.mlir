// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#at = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
#bt = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>

// CHECK-LABEL: func.func @subgroup
func.func @subgroup(%a: !xegpu.tensor_desc<8x16xf16>, %b: !xegpu.tensor_desc<16x16xf16>, %c: !xegpu.tensor_desc<16x8xf32>,
                    %d: !xegpu.tensor_desc<32x16xf16>, %e: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>>,
                    %f: !xegpu.tensor_desc<32x16xi8, #xegpu.block_tdesc_attr<array_length = 4>>, %g: !xegpu.tensor_desc<64xf32>) {
  // CHECK: xegpu.load_nd %a <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  %0 = xegpu.load_nd %a <{l2_hint = #xegpu.cache_hint<uncached>, l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  // CHECK: xegpu.load_nd %b <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
  %1 = xegpu.load_nd %b {packed} : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
  // CHECK: xegpu.load_nd %c <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
  %2 = xegpu.load_nd %c <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
  // CHECK: xegpu.load_nd %d <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<32x16xf16> -> vector<8x32x2xf16>
  %3 = xegpu.load_nd %d <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<32x16xf16> -> vector<8x32x2xf16>
  // The same in the flat shape.
  // CHECK: -> vector<8x64xf16>
  %4 = xegpu.load_nd %d <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<32x16xf16> -> vector<8x64xf16>
  // CHECK: -> vector<2x8x16xf16>
  %5 = xegpu.load_nd %e : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>> -> vector<2x8x16xf16>
  // CHECK: -> vector<4x8x16x4xi8>
  %6 = xegpu.load_nd %f <{packed}> : !xegpu.tensor_desc<32x16xi8, #xegpu.block_tdesc_attr<array_length = 4>> -> vector<4x8x16x4xi8>
  // CHECK: -> vector<64xf32>
  %7 = xegpu.load_nd %g : !xegpu.tensor_desc<64xf32> -> vector<64xf32>
  // CHECK: xegpu.load_nd %a <{transpose = array<i64: 0, 1>}> {note = 1 : i64} : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  %8 = xegpu.load_nd %a <{transpose = array<i64: 0, 1>}> {note = 1} : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  // 64-bit units of 32-bit elements.
  // CHECK: -> vector<4x16x2xf32>
  %9 = xegpu.load_nd %c <{transpose = array<i64: 1, 0>, transpose_bit_width = 64 : i32}> : !xegpu.tensor_desc<16x8xf32> -> vector<4x16x2xf32>
  return
}

// With a map the result is the whole block or, once distributed, the fragment of a lane.
// CHECK-LABEL: func.func @lanes
func.func @lanes(%a: !xegpu.tensor_desc<8x16xf16, #a>, %b: !xegpu.tensor_desc<16x16xf16, #b>, %c: !xegpu.tensor_desc<16x8xf32, #at>,
                 %d: !xegpu.tensor_desc<16x16xbf16, #bt>, %e: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>, #a>,
                 %f: !xegpu.tensor_desc<64xf32, #a>) {
  // CHECK: -> vector<8x16xf16>
  %0 = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf16, #a> -> vector<8x16xf16>
  // CHECK: -> vector<8x1xf16>
  %1 = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf16, #a> -> vector<8x1xf16>
  // CHECK: -> vector<8x16x2xf16>
  %2 = xegpu.load_nd %b <{packed}> : !xegpu.tensor_desc<16x16xf16, #b> -> vector<8x16x2xf16>
  // CHECK: -> vector<8x2xf16>
  %3 = xegpu.load_nd %b <{packed}> : !xegpu.tensor_desc<16x16xf16, #b> -> vector<8x2xf16>
  // CHECK: -> vector<8x1xf32>
  %4 = xegpu.load_nd %c <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32, #at> -> vector<8x1xf32>
  // CHECK: -> vector<8x2xbf16>
  %5 = xegpu.load_nd %d <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x16xbf16, #bt> -> vector<8x2xbf16>
  // CHECK: -> vector<16x1xf16>
  %6 = xegpu.load_nd %e : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>, #a> -> vector<16x1xf16>
  // CHECK: -> vector<4x1xf32>
  %7 = xegpu.load_nd %f : !xegpu.tensor_desc<64xf32, #a> -> vector<4x1xf32>
  return
}
