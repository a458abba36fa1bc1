// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @prefetch
func.func @prefetch(%a: !xegpu.tensor_desc<8x16xf16>, %b: !xegpu.tensor_desc<64xf32>) {
  // CHECK: xegpu.prefetch_nd %a : !xegpu.tensor_desc<8x16xf16>
  xegpu.prefetch_nd %a : !xegpu.tensor_desc<8x16xf16>
  // Properties are printed by name; those of the ordinary dictionary move.
  // CHECK: xegpu.prefetch_nd %a <{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<uncached>}> {note} : !xegpu.tensor_desc<8x16xf16>
  xegpu.prefetch_nd %a <{l3_hint = #xegpu.cache_hint<uncached>}> {note, l1_hint = #xegpu.cache_hint<cached>} : !xegpu.tensor_desc<8x16xf16>
  // CHECK: xegpu.prefetch_nd %b <{l1_hint = #xegpu.cache_hint<streaming>, l2_hint = #xegpu.cache_hint<read_invalidate>}> : !xegpu.tensor_desc<64xf32>
  xegpu.prefetch_nd %b <{l1_hint = #xegpu.cache_hint<streaming>, l2_hint = #xegpu.cache_hint<read_invalidate>}> : !xegpu.tensor_desc<64xf32>
  return
}
