// RUN: xegpu-opt %s -p 'xegpu-verify-target{target=arc}' --split-input-file --verify-diagnostics

// Every violation is reported, with the place.
gpu.module @kernels {
  // expected-error@+1 {{'gpu.func' op #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]> arranges 16 work-items, a subgroup of arc has 8}}
  gpu.func @lanes(%u: !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>>, %m: memref<8x16xf16>) kernel {
    // expected-error@+1 {{'xegpu.create_nd_tdesc' op #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]> arranges 16 work-items, a subgroup of arc has 8}}
    %s = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    // expected-error@+1 {{#xegpu.layout<lane_layout = [1, 4], lane_data = [1, 2]> arranges 4 work-items, a subgroup of arc has 8}}
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.layout<lane_layout = [1, 4], lane_data = [1, 2]>>
    gpu.return
  }
}

// -----

// A kernel may ask for another size than the usual one.
gpu.module @kernels {
  gpu.func @asked(%m: memref<8x16xf16>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %s = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    // expected-error@+1 {{arranges 8 work-items, a subgroup of arc has 16}}
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>>
    gpu.return
  }
}

// -----

func.func @types(%a: vector<8x8xtf32>, %b: vector<8x8xtf32>, %c: vector<8x16xf16>, %d: vector<16x8xf16>) {
  // expected-error@+1 {{'xegpu.dpas' op multiplies tf32, which the matrix engine of arc does not support}}
  %0 = xegpu.dpas %a, %b : vector<8x8xtf32>, vector<8x8xtf32> -> vector<8x8xf32>
  // expected-error@+1 {{'xegpu.dpas' op accumulates in f16: expected f32 for f16 on arc}}
  %1 = xegpu.dpas %c, %d : vector<8x16xf16>, vector<16x8xf16> -> vector<8x8xf16>
  return
}

// -----

#one = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
#pair = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]>
#wide = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>
func.func @maps(%a: vector<16x1xf16>, %w: vector<8x2xf16>, %b: vector<8x2xf16>) {
  %0 = xegpu.dpas %w, %b {sg_map_a = #wide, sg_map_b = #pair, sg_map_c = #one} : vector<8x2xf16>, vector<8x2xf16> -> vector<8x1xf32>
  // expected-error@+1 {{'xegpu.dpas' op has sg_map_b = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>: expected #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]> for f16 on arc}}
  %1 = xegpu.dpas %w, %b {sg_map_a = #wide, sg_map_b = #wide, sg_map_c = #one} : vector<8x2xf16>, vector<8x2xf16> -> vector<8x1xf32>
  return
}

// -----

#one = #xegpu.layout<lane_layout = [1, 8], lane_data = [1, 1]>
#pair = #xegpu.layout<lane_layout = [1, 8], lane_data = [2, 1]>
func.func @layouts(%a: vector<8x16xf16>, %b: vector<16x8xf16>) {
  // expected-error@+1 {{has layout_a = #xegpu.layout<lane_layout = [1, 8], lane_data = [1, 1]>: expected #xegpu.layout<lane_layout = [1, 8], lane_data = [1, 2]> for f16 on arc}}
  %0 = xegpu.dpas %a, %b {layout_a = #one, layout_b = #pair, layout_cd = #one} : vector<8x16xf16>, vector<16x8xf16> -> vector<8x8xf32>
  return
}

// -----

func.func @barriers() {
  xegpu.alloc_nbarrier 1
  // expected-error@+1 {{'xegpu.alloc_nbarrier' op allocates 2 named barriers: a kernel of arc has at most 1}}
  xegpu.alloc_nbarrier 2
  return
}

// -----

// What takes several instructions is legal.
func.func @large(%a: vector<32x32xf16>, %b: vector<32x16xf16>, %t: !xegpu.tensor_desc<64x64xf64>) {
  %0 = xegpu.dpas %a, %b : vector<32x32xf16>, vector<32x16xf16> -> vector<32x16xf32>
  xegpu.prefetch_nd %t : !xegpu.tensor_desc<64x64xf64>
  return
}
