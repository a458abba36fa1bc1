// RUN: xegpu-opt %s -p 'xegpu-verify-target{target=pvc}' --split-input-file --verify-diagnostics
// RUN: xegpu-opt %s -p xegpu-verify-target{target=pvc} --split-input-file --verify-diagnostics
// RUN: not xegpu-opt %s -p 'xegpu-verify-target{target=moon}' --split-input-file 2>&1 | filecheck %s

// CHECK: error: {{.*}}unknown target 'moon', expected one of: pvc, arc

// What PVC has: sixteen lanes, tf32, sums in bf16, 32 named barriers.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#pair = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#rows = #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>
#bytes = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 2]>
#quad = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [4, 1]>
func.func @legal(%d: !xegpu.tensor_desc<8x16xf16, #row>, %a: vector<8x8xtf32>, %b: vector<8x16xtf32>, %c: vector<8x16xbf16>, %e: vector<16x16xbf16>,
                 %f: vector<4x1xtf32>, %g: vector<8x1xtf32>, %h: vector<8x2xi8>, %i: vector<8x4xi8>) {
  %0 = xegpu.dpas %a, %b : vector<8x8xtf32>, vector<8x16xtf32> -> vector<8x16xf32>
  %1 = xegpu.dpas %c, %e : vector<8x16xbf16>, vector<16x16xbf16> -> vector<8x16xbf16>
  %2 = xegpu.dpas %f, %g {sg_map_a = #rows, sg_map_b = #row, sg_map_c = #row} : vector<4x1xtf32>, vector<8x1xtf32> -> vector<8x1xf32>
  %3 = xegpu.dpas %h, %i {sg_map_a = #bytes, sg_map_b = #quad, sg_map_c = #row} : vector<8x2xi8>, vector<8x4xi8> -> vector<8x1xi32>
  xegpu.alloc_nbarrier 32
  return
}

// -----

// A subgroup of 32 lanes is asked for by the kernel.
gpu.module @kernels {
  gpu.func @wide(%m: memref<8x32xf16>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 32>} {
    %s = xegpu.create_nd_tdesc %m[0, 0] : memref<8x32xf16> -> !xegpu.tensor_desc<8x32xf16, #xegpu.sg_map<wi_layout = [1, 32], wi_data = [1, 1]>>
    gpu.return
  }
}

// -----

func.func @lanes(%m: memref<8x16xf16>) {
  // expected-error@+1 {{'xegpu.create_nd_tdesc' op #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]> arranges 8 work-items, a subgroup of pvc has 16}}
  %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>>
  return
}

// -----

// The maps of bytes are not those of words.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#bytes = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 2]>
#pair = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
func.func @maps(%a: vector<8x2xi8>, %b: vector<16x2xi8>) {
  // expected-error@+1 {{'xegpu.dpas' op has sg_map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>: expected #xegpu.sg_map<wi_layout = [1, 16], wi_data = [4, 1]> for i8 on pvc}}
  %0 = xegpu.dpas %a, %b {sg_map_a = #bytes, sg_map_b = #pair, sg_map_c = #row} : vector<8x2xi8>, vector<16x2xi8> -> vector<8x1xi32>
  return
}

// -----

func.func @barriers() {
  // expected-error@+1 {{'xegpu.alloc_nbarrier' op allocates 33 named barriers: a kernel of pvc has at most 32}}
  xegpu.alloc_nbarrier 33
  return
}
