// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

#c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>

// CHECK-LABEL: func.func @store
func.func @store(%a: !xegpu.tensor_desc<8x16xf16>, %b: !xegpu.tensor_desc<64xf32>, %c: !xegpu.tensor_desc<8x16xf32, #c>,
                 %u: vector<8x16xf16>, %v: vector<64xf32>, %w: vector<8x16xf32>, %x: vector<8x1xf32>) {
  // CHECK: xegpu.store_nd %u, %a <{l1_hint = #xegpu.cache_hint<write_back>}> : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
  xegpu.store_nd %u, %a <{l1_hint = #xegpu.cache_hint<write_back>}> : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
  // CHECK: xegpu.store_nd %v, %b <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<streaming>, l3_hint = #xegpu.cache_hint<write_through>}> {note} : vector<64xf32>, !xegpu.tensor_desc<64xf32>
  xegpu.store_nd %v, %b {l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<streaming>, l3_hint = #xegpu.cache_hint<write_through>, note} : vector<64xf32>, !xegpu.tensor_desc<64xf32>
  // CHECK: xegpu.store_nd %w, %c : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
  xegpu.store_nd %w, %c : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #c>
  // CHECK: xegpu.store_nd %x, %c : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
  xegpu.store_nd %x, %c : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, #c>
  return
}
