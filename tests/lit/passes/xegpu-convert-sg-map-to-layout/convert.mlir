// RUN: xegpu-opt %s -p xegpu-convert-sg-map-to-layout | filecheck %s
// RUN: xegpu-opt %s > %t && xegpu-opt %s -p xegpu-convert-sg-map-to-layout,xegpu-convert-layout-to-sg-map | diff %t -

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#rows = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>

// CHECK-NOT: sg_map

// CHECK-LABEL: func.func @product
// CHECK: xegpu.dpas %a, %b {layout_a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, layout_b = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>, layout_cd = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>} :
func.func @product(%a: vector<8x1xf16>, %b: vector<8x2xf16>) -> vector<8x1xf32> {
  %c = xegpu.dpas %a, %b {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
  return %c : vector<8x1xf32>
}

// One entry a field for descriptors of one dimension, two for others.
// CHECK-LABEL: func.func private @types(
// CHECK-SAME: !xegpu.tensor_desc<32xf32, #xegpu.layout<lane_layout = [16], lane_data = [1]>>
// CHECK-SAME: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.layout<lane_layout = [16], lane_data = [1]>>
// CHECK-SAME: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>, #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 1]>>
// CHECK-SAME: map = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>
func.func private @types(!xegpu.tensor_desc<32xf32, #a>,
                         !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #a>,
                         !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>, #rows>)
  attributes {map = #b}

// Conversions of vectors, whose rank decides about that of the layouts.
// CHECK-LABEL: func.func @conversions
// CHECK-NEXT: xegpu.convert_layout %v <{input_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, target_layout = #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 1]>}>
// CHECK-NEXT: xegpu.convert_layout %l <{input_layout = #xegpu.layout<lane_layout = [16], lane_data = [1]>, target_layout = #xegpu.layout<lane_layout = [16], lane_data = [2]>}>
func.func @conversions(%v: vector<16x16xf32>, %l: vector<32xi8>) {
  %0 = xegpu.convert_layout %v <{input_layout = #a, target_layout = #rows}> : vector<16x16xf32>
  %1 = xegpu.convert_layout %l <{input_layout = #a, target_layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 2]>}> : vector<32xi8>
  return
}
