// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

#rows = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#columns = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>

// CHECK-LABEL: func.func @convert_layout
func.func @convert_layout(%v: vector<16x16xf32>, %l: vector<32xi8>) {
  // CHECK-NEXT: xegpu.convert_layout %v <{input_layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, target_layout = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>}> : vector<16x16xf32>
  %0 = xegpu.convert_layout %v <{input_layout = #rows, target_layout = #columns}> : vector<16x16xf32>
  // CHECK-NEXT: xegpu.convert_layout %l <{input_layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, target_layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 2]>}> {note} : vector<32xi8>
  %1 = xegpu.convert_layout %l {input_layout = #rows, note, target_layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 2]>} : vector<32xi8>
  // CHECK-NEXT: xegpu.convert_layout %v <{input_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, target_layout = #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 1]>}> : vector<16x16xf32>
  %2 = xegpu.convert_layout %v <{input_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, target_layout = #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 1]>}> : vector<16x16xf32>
  return
}
