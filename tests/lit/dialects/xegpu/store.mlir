// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

!points = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
!chunks = !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>
!mapped = !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>

// CHECK-LABEL: func.func @store
func.func @store(%a: !points, %b: !chunks, %c: !mapped, %mask: vector<16xi1>, %own: i1,
                 %v: vector<16xf32>, %w: vector<4x16xf32>, %x: vector<4x1xf32>) {
  // CHECK: xegpu.store %v, %a, %mask : vector<16xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>
  xegpu.store %v, %a, %mask : vector<16xf32>, !points, vector<16xi1>
  // CHECK: xegpu.store %w, %b, %mask <{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<streaming>, transpose}> {note} : vector<4x16xf32>, !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>, vector<16xi1>
  xegpu.store %w, %b, %mask <{transpose, l3_hint = #xegpu.cache_hint<streaming>, l1_hint = #xegpu.cache_hint<write_back>}> {note} : vector<4x16xf32>, !chunks, vector<16xi1>
  // CHECK: xegpu.store %v, %a, %mask :
  xegpu.store_scatter %v, %a, %mask : vector<16xf32>, !points, vector<16xi1>
  // CHECK: xegpu.store %w, %b, %mask <{transpose}> :
  xegpu.store_scatter %w, %b, %mask <{transpose = array<i64: 1, 0>}> : vector<4x16xf32>, !chunks, vector<16xi1>
  // CHECK: xegpu.store %v, %a, %mask :
  "xegpu.store_scatter"(%v, %a, %mask) : (vector<16xf32>, !points, vector<16xi1>) -> ()
  // CHECK: xegpu.store %x, %c, %mask <{transpose}> : vector<4x1xf32>, {{.*}}, vector<16xi1>
  xegpu.store %x, %c, %mask <{transpose}> : vector<4x1xf32>, !mapped, vector<16xi1>
  // CHECK: xegpu.store %x, %c, %own <{transpose}> : vector<4x1xf32>, {{.*}}, i1
  xegpu.store %x, %c, %own <{transpose}> : vector<4x1xf32>, !mapped, i1
  return
}
