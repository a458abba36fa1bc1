// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @prefetch
func.func @prefetch(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // CHECK: xegpu.prefetch %a : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  xegpu.prefetch %a : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  // CHECK: xegpu.prefetch %a <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>}> {note} : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  xegpu.prefetch %a {l2_hint = #xegpu.cache_hint<uncached>, l1_hint = #xegpu.cache_hint<cached>, note} : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}
