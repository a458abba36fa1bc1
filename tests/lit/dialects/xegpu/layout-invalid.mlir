// RUN: XEGPU_INVALID

// expected-error@+1 {{expected at least one of sg_layout, inst_data or lane_layout}}
func.func private @f() attributes {a = #xegpu.layout<order = [1, 0]>}

// -----

// expected-error@+1 {{expected lane_layout being used with lane_data}}
func.func private @f() attributes {a = #xegpu.layout<inst_data = [8, 16], lane_data = [1, 1]>}

// -----

// expected-error@+1 {{expected sg_layout being used with sg_data}}
func.func private @f() attributes {a = #xegpu.layout<lane_layout = [1, 16], sg_data = [1, 1]>}

// -----

// expected-error@+1 {{expected sg_layout/lane_layout being used with order}}
func.func private @f() attributes {a = #xegpu.layout<inst_data = [8, 16], order = [1, 0]>}

// -----

// expected-error@+1 {{expected lane_data and lane_layout to have the same rank, got lane_data 1, lane_layout 2}}
func.func private @f() attributes {a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1]>}

// -----

// expected-error@+1 {{expected sg_layout and lane_layout to have the same rank, got sg_layout 2, lane_layout 1}}
func.func private @f() attributes {a = #xegpu.layout<sg_layout = [4, 4], lane_layout = [16]>}

// -----

// expected-error@+1 {{expected lane_layout to have entries, got none}}
func.func private @f() attributes {a = #xegpu.layout<lane_layout = []>}

// -----

// expected-error@+1 {{expected lane_layout entries of at least 1, got [1, -16]}}
func.func private @f() attributes {a = #xegpu.layout<lane_layout = [1, -16]>}

// -----

// expected-error@+1 {{expected inst_data entries of at least 1, got [0, 16]}}
func.func private @f() attributes {a = #xegpu.layout<inst_data = [0, 16]>}

// -----

// expected-error@+1 {{expected order to be a permutation of 0 to 1, got [1, 1]}}
func.func private @f() attributes {a = #xegpu.layout<lane_layout = [1, 16], order = [1, 1]>}

// -----

// expected-error@+1 {{expected a 32-bit integer, got 4294967297}}
func.func private @f() attributes {a = #xegpu.layout<lane_layout = [1, 4294967297]>}

// -----

// expected-error@+1 {{unknown field 'lanes', expected one of 'sg_layout', 'sg_data', 'inst_data', 'lane_layout', 'lane_data', 'order'}}
func.func private @f() attributes {a = #xegpu.layout<lanes = [1, 16]>}

// -----

// expected-error@+1 {{field 'lane_layout' is given twice}}
func.func private @f() attributes {a = #xegpu.layout<lane_layout = [1, 16], lane_layout = [1, 16]>}

// -----

// expected-error@+1 {{expected layout rank to match tensor rank 2, got rank 3 of #xegpu.layout<lane_layout = [1, 1, 16], lane_data = [1, 1, 1]>}}
func.func private @f(!xegpu.tensor_desc<8x16xf16, #xegpu.layout<lane_layout = [1, 1, 16], lane_data = [1, 1, 1]>>)

// -----

// The rules of sg_map hold as well.

// expected-error@+1 {{expected layout rank to match tensor rank 2, got rank 1 of #xegpu.layout<lane_layout = [16], lane_data = [1]>}}
func.func private @f(!xegpu.tensor_desc<8x16xf16, #xegpu.layout<lane_layout = [16], lane_data = [1]>>)

// -----

// expected-error@+1 {{expected layout rank to match tensor rank 1, got rank 2}}
func.func private @f(!xegpu.tensor_desc<32xf16, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>>)

// -----

// expected-error@+1 {{cannot distribute [8, 16] using #xegpu.layout<lane_layout = [1, 32], lane_data = [1, 1]>: 16 elements over 32 lanes with 1 each}}
func.func private @f(!xegpu.tensor_desc<8x16xf16, #xegpu.layout<lane_layout = [1, 32], lane_data = [1, 1]>>)

// -----

// expected-error@+1 {{expected last dim of lane_data to be a multiple of: 2, got 1}}
func.func private @f(!xegpu.tensor_desc<16x4xf16, #xegpu.scatter_tdesc_attr<chunk_size = 4>, #xegpu.layout<lane_layout = [16, 1], lane_data = [1, 1]>>)

// -----

#map = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
// expected-error@+1 {{expected either #xegpu.sg_map or #xegpu.layout, got #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]> and #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}}
func.func private @f(!xegpu.tensor_desc<8x16xf16, #map, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>>)

// -----

#a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#m = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
func.func @f(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{got sg_map_a, layout_a, layout_b, layout_cd}}
  %0 = xegpu.dpas %a, %b {layout_a = #a, layout_b = #a, layout_cd = #a, sg_map_a = #m} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return
}

// -----

#a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
func.func @f(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{layout_b: expected a layout of rank 2, got rank 1 of #xegpu.layout<lane_layout = [16], lane_data = [1]>}}
  %0 = xegpu.dpas %a, %b {layout_a = #a, layout_b = #xegpu.layout<lane_layout = [16], lane_data = [1]>, layout_cd = #a} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return
}

// -----

#a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
func.func @f(%a: vector<8x1xf16>, %b: vector<16x1xf16>) {
  // expected-error@+1 {{expecting rows of 2 elements in the fragment lhs, as lane_data = [1, 2] says, got 1}}
  %0 = xegpu.dpas %a, %b {layout_a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 2]>, layout_b = #a, layout_cd = #a} : vector<8x1xf16>, vector<16x1xf16> -> vector<8x1xf32>
  return
}

