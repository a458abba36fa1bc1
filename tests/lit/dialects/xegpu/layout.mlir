// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// Fields in any order are printed in one.
// CHECK-LABEL: func.func private @attributes
// CHECK-SAME: all = #xegpu.layout<sg_layout = [8, 4], sg_data = [32, 64], inst_data = [8, 16], lane_layout = [1, 16], lane_data = [1, 1], order = [0, 1]>
// CHECK-SAME: cube = #xegpu.layout<lane_layout = [1, 1, 16], lane_data = [1, 1, 1], order = [2, 1, 0]>
// CHECK-SAME: inst = #xegpu.layout<inst_data = [8, 16]>
func.func private @attributes() attributes {
  all = #xegpu.layout<order = [0, 1], lane_data = [1, 1], lane_layout = [1, 16], inst_data = [8, 16], sg_data = [32, 64], sg_layout = [8, 4]>,
  cube = #xegpu.layout<lane_layout = [1, 1, 16], lane_data = [1, 1, 1], order = [2, 1, 0]>,
  inst = #xegpu<layout<inst_data = [8, 16]>>
}

// CHECK-LABEL: func.func private @descriptors(
// CHECK-SAME: !xegpu.tensor_desc<16x16xf16, #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>>
// CHECK-SAME: !xegpu.tensor_desc<8x32xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 2], order = [1, 0]>>
// CHECK-SAME: !xegpu.tensor_desc<32xf32, #xegpu.layout<lane_layout = [16], lane_data = [2], order = [0]>>
// CHECK-SAME: !xegpu.tensor_desc<16xf16, #xegpu.scatter_tdesc_attr<>, #xegpu.layout<lane_layout = [16], lane_data = [1]>>
// CHECK-SAME: !xegpu.tensor_desc<16x4xf16, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>, #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 2]>>
func.func private @descriptors(
  !xegpu.tensor_desc<16x16xf16, #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>>,
  !xegpu.tensor_desc<8x32xf16, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 2], order = [1, 0]>, #xegpu.block_tdesc_attr<array_length = 2 : i64>>,
  !xegpu.tensor_desc<32xf32, #xegpu.layout<lane_layout = [16], lane_data = [2], order = [0]>>,
  !xegpu.tensor_desc<16xf16, #xegpu.scatter_tdesc_attr<>, #xegpu.layout<lane_layout = [16], lane_data = [1]>>,
  !xegpu.tensor_desc<16x4xf16, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>, #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 2]>>)

// Fragments of lanes are checked as with an sg_map.
// CHECK-LABEL: func.func @ops
// CHECK: xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf16, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>> -> vector<8x1xf16>
// CHECK: xegpu.dpas %a, %b {layout_a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, layout_b = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>, layout_cd = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
#a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#b = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>
func.func @ops(%t: !xegpu.tensor_desc<8x16xf16, #a>, %b: vector<8x2xf16>) {
  %a = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf16, #a> -> vector<8x1xf16>
  %c = xegpu.dpas %a, %b {layout_a = #a, layout_b = #b, layout_cd = #a} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
  return
}
