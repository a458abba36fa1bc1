// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

!points = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
!chunks = !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>>

// CHECK-LABEL: func.func @subgroup
func.func @subgroup(%a: !points, %b: !chunks, %c: !xegpu.tensor_desc<1xf32, #xegpu.scatter_tdesc_attr<>>,
                    %mask: vector<16xi1>, %one: i1) {
  // CHECK: xegpu.load %a, %mask : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1> -> vector<16xf32>
  %0 = xegpu.load %a, %mask : !points, vector<16xi1> -> vector<16xf32>
  // CHECK: xegpu.load %b, %mask <{l1_hint = #xegpu.cache_hint<cached>, transpose}> {note} : !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>, vector<16xi1> -> vector<4x16xf32>
  %1 = xegpu.load %b, %mask <{transpose, l1_hint = #xegpu.cache_hint<cached>}> {note} : !chunks, vector<16xi1> -> vector<4x16xf32>
  // Other spellings.
  // CHECK: xegpu.load %a, %mask :
  %2 = xegpu.load_gather %a, %mask : !points, vector<16xi1> -> vector<16xf32>
  // CHECK: xegpu.load %b, %mask <{transpose}> :
  %3 = xegpu.load_gather %b, %mask {transpose = array<i64: 1, 0>} : !chunks, vector<16xi1> -> vector<4x16xf32>
  // CHECK: xegpu.load %b, %mask <{transpose}> :
  %4 = "xegpu.load_gather"(%b, %mask) <{transpose}> : (!chunks, vector<16xi1>) -> vector<4x16xf32>
  // A single element.
  // CHECK: xegpu.load %c, %one : !xegpu.tensor_desc<1xf32, #xegpu.scatter_tdesc_attr<>>, i1 -> f32
  %5 = xegpu.load %c, %one : !xegpu.tensor_desc<1xf32, #xegpu.scatter_tdesc_attr<>>, i1 -> f32
  return
}

// With a map the result is the whole or, once distributed, the fragment of a lane, whose mask may be its own.
// CHECK-LABEL: func.func @lanes
func.func @lanes(%a: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>,
                 %b: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>,
                 %c: !xegpu.tensor_desc<16x8xbf16, #xegpu.scatter_tdesc_attr<chunk_size = 8>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>>,
                 %mask: vector<16xi1>, %own: vector<1xi1>) {
  // CHECK: vector<16xi1> -> vector<16xf32>
  %0 = xegpu.load %a, %mask : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>, vector<16xi1> -> vector<16xf32>
  // CHECK: vector<1xi1> -> vector<1xf32>
  %1 = xegpu.load %a, %own : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>, vector<1xi1> -> vector<1xf32>
  // CHECK: vector<16xi1> -> vector<4x1xf32>
  %2 = xegpu.load %b, %mask <{transpose}> : !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>, vector<16xi1> -> vector<4x1xf32>
  // CHECK: vector<16xi1> -> vector<4x2xbf16>
  %3 = xegpu.load %c, %mask <{transpose}> : !xegpu.tensor_desc<16x8xbf16, #xegpu.scatter_tdesc_attr<chunk_size = 8>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>>, vector<16xi1> -> vector<4x2xbf16>
  return
}
