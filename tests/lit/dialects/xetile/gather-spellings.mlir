// The draft's names of xetile.load and xetile.store.
// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

!tile = !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>

// CHECK-LABEL: func.func @f
func.func @f(%t: !tile, %m: vector<4x16xi1>) {
  // CHECK-NEXT: %[[A:.*]] = xetile.load %t, %m {l1_hint = #xetile.cache_hint<cached>} : !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<4x16xi1> -> vector<4x16xf32>
  %a = xetile.load_gather %t, %m {l1_hint = #xetile.cache_hint<cached>} : !tile, vector<4x16xi1> -> vector<4x16xf32>
  // CHECK-NEXT: %[[B:.*]] = xetile.load %t, %m {padding = 1 : i32} :
  %b = "xetile.load_gather"(%t, %m) {padding = 1 : i32} : (!tile, vector<4x16xi1>) -> vector<4x16xf32>
  // CHECK-NEXT: xetile.store %[[A]], %t, %m :
  xetile.store_scatter %a, %t, %m : vector<4x16xf32>, !tile, vector<4x16xi1>
  // CHECK-NEXT: xetile.store %[[B]], %t, %m {l1_hint = #xetile.cache_hint<write_back>} :
  "xetile.store_scatter"(%b, %t, %m) <{l1_hint = #xetile.cache_hint<write_back>}> : (vector<4x16xf32>, !tile, vector<4x16xi1>) -> ()
  return
}
