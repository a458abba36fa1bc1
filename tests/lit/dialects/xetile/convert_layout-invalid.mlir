// RUN: XEGPU_INVALID

func.func @no_result_map(%v: vector<64x64xf32>) {
  // expected-error@+1 {{property 'wg_map_result' expected in operation 'xetile.convert_layout'}}
  %0 = xetile.convert_layout %v : vector<64x64xf32>
  return
}

// -----

func.func @uneven_source(%v: vector<64x64xf32>) {
  // expected-error@+1 {{data is not evenly distributed to each subgroup. The shape [64, 64] should be a multiple of sg_layout * sg_data in wg_map_source, which are [4, 2] and [32, 32]}}
  %0 = xetile.convert_layout %v {wg_map_result = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 32]>, wg_map_source = #xetile.wg_map<sg_layout = [4, 2], sg_data = [32, 32]>} : vector<64x64xf32>
  return
}

// -----

func.func @result_map(%v: vector<64x64xf32>) {
  // expected-error@+1 {{expected sg_data of wg_map_result to divide the shape [64, 64], got [48, 64]}}
  %0 = xetile.convert_layout %v {wg_map_result = #xetile.wg_map<sg_layout = [2, 1], sg_data = [48, 64]>} : vector<64x64xf32>
  return
}

// -----

func.func @rank(%v: vector<64xf32>) {
  // expected-error@+1 {{expected source to be a 2-D vector, got vector<64xf32>}}
  %0 = xetile.convert_layout %v {wg_map_result = #xetile.wg_map<sg_layout = [2, 1], sg_data = [32, 1]>} : vector<64xf32>
  return
}

// -----

func.func @result(%v: vector<64x32xf32>) {
  // expected-error@+1 {{attribute vector<64x32xf32> expected from variable 'T', but got vector<32x64xf32>}}
  %0 = "xetile.convert_layout"(%v) <{wg_map_result = #xetile.wg_map<sg_layout = [2, 1], sg_data = [32, 32]>}> : (vector<64x32xf32>) -> vector<32x64xf32>
  return
}
