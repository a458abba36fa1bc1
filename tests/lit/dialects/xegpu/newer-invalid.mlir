// RUN: XEGPU_INVALID

func.func @convert_layout(%v: vector<16xf32>) {
  // expected-error@+1 {{'xegpu.convert_layout' op has no counterpart in the dialect with sg_map: a value keeps its sg_map}}
  %0 = xegpu.convert_layout %v <{}> : vector<16xf32>
  return
}

// -----

func.func @create_mem_desc(%m: memref<8192xi8, 3>) {
  // expected-error@+1 {{'xegpu.create_mem_desc' op has no counterpart in the dialect with sg_map: local memory is accessed through a tensor_desc}}
  %0 = xegpu.create_mem_desc %m : memref<8192xi8, 3> -> index
  return
}

// -----

func.func @load_matrix(%m: index) {
  // expected-error@+1 {{'xegpu.load_matrix' op has no counterpart}}
  %0 = xegpu.load_matrix %m[0, 16] : index -> vector<8x16xf16>
  return
}

// -----

func.func @store_matrix(%m: index) {
  // expected-error@+1 {{'xegpu.store_matrix' op has no counterpart}}
  "xegpu.store_matrix"(%m) : (index) -> ()
  return
}

// -----

func.func @dpas_mx(%a: vector<8x16xf16>) {
  // expected-error@+1 {{'xegpu.dpas_mx' op has no counterpart in the dialect with sg_map: dpas takes no scales}}
  %0 = xegpu.dpas_mx %a, %a : vector<8x16xf16>, vector<8x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @truncf(%a: vector<8xf32>) {
  // expected-error@+1 {{'xegpu.truncf' op has no counterpart in the dialect with sg_map: arith.truncf converts between types}}
  %0 = xegpu.truncf %a : vector<8xf32> -> vector<8xf16>
  return
}
