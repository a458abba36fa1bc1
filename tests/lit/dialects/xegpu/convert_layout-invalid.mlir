// RUN: XEGPU_INVALID

#rows = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
func.func @missing(%v: vector<16x16xf32>) {
  // expected-error@+1 {{'xegpu.convert_layout' op property 'target_layout' expected in operation 'xegpu.convert_layout'}}
  %0 = xegpu.convert_layout %v <{input_layout = #rows}> : vector<16x16xf32>
  return
}

// -----

#rows = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
func.func @unknown(%v: vector<16x16xf32>) {
  // expected-error@+1 {{unknown inherent attribute 'layout', expected 'input_layout', 'target_layout'}}
  %0 = xegpu.convert_layout %v <{layout = #rows}> : vector<16x16xf32>
  return
}

// -----

#rows = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
func.func @rank(%v: vector<2x16x16xf32>) {
  // expected-error@+1 {{'xegpu.convert_layout' op an sg_map distributes vectors of rank 1 and 2, got vector<2x16x16xf32>}}
  %0 = xegpu.convert_layout %v <{input_layout = #rows, target_layout = #rows}> : vector<2x16x16xf32>
  return
}

// -----

#rows = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
func.func @size(%v: vector<8x24xf32>) {
  // expected-error@+1 {{'xegpu.convert_layout' op #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]> does not divide vector<8x24xf32>: units are 1x16}}
  %0 = xegpu.convert_layout %v <{input_layout = #rows, target_layout = #rows}> : vector<8x24xf32>
  return
}

// -----

#rows = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
func.func @lanes(%v: vector<16x16xf32>) {
  // expected-error@+1 {{'xegpu.convert_layout' op expected maps for one number of lanes, got 16 and 8}}
  %0 = xegpu.convert_layout %v <{input_layout = #rows, target_layout = #xegpu.sg_map<wi_layout = [8, 1], wi_data = [1, 1]>}> : vector<16x16xf32>
  return
}

// -----

#rows = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
func.func @kinds(%v: vector<16x16xf32>) {
  // expected-error@+1 {{'xegpu.convert_layout' op expected two maps of one kind}}
  %0 = xegpu.convert_layout %v <{input_layout = #rows, target_layout = #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 1]>}> : vector<16x16xf32>
  return
}
