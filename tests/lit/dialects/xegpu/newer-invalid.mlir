// RUN: XEGPU_INVALID

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

// -----

// Forms of ops that this generation has too.
func.func @load_nd(%t: !xegpu.tensor_desc<8x16xf16>, %i: index) {
  // expected-error@+1 {{'xegpu.load_nd' op takes no offsets: the descriptor has them, so write `xegpu.create_nd_tdesc %base[...]`, or `xegpu.update_nd_offset %descriptor, [...]`, and access its result}}
  %0 = xegpu.load_nd %t[8, %i] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @load_nd_generic(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op takes no offsets: the descriptor has them}}
  %0 = "xegpu.load_nd"(%t) <{const_offsets = array<i64: 0, 0>}> : (!xegpu.tensor_desc<8x16xf16>) -> vector<8x16xf16>
  return
}

// -----

func.func @store_nd(%t: !xegpu.tensor_desc<8x16xf16>, %v: vector<8x16xf16>) {
  // expected-error@+1 {{'xegpu.store_nd' op takes no offsets: the descriptor has them}}
  xegpu.store_nd %v, %t[0, 0] : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
  return
}

// -----

func.func @store_nd_generic(%t: !xegpu.tensor_desc<8x16xf16>, %v: vector<8x16xf16>, %i: index) {
  // expected-error@+1 {{'xegpu.store_nd' op takes no offsets: the descriptor has them}}
  "xegpu.store_nd"(%v, %t, %i) <{const_offsets = array<i64: 0, -9223372036854775808>}> : (vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>, index) -> ()
  return
}

// -----

func.func @prefetch_nd(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.prefetch_nd' op takes no offsets: the descriptor has them}}
  xegpu.prefetch_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf16>
  return
}

// -----

func.func @layout_of_load(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op takes no layout: the map of lanes stands in the type of the descriptor, `#xegpu.sg_map<...>`}}
  %0 = xegpu.load_nd %t <{layout = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  return
}

// -----

func.func @load(%m: memref<64xf32>, %off: vector<16xindex>, %mask: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op takes a descriptor, no base and offsets: write `xegpu.create_tdesc %base, %offsets`, and access its result}}
  %0 = xegpu.load %m[%off], %mask <{chunk_size = 2 : i64}> : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16x2xf32>
  return
}

// -----

func.func @load_generic(%m: memref<64xf32>, %off: vector<16xindex>, %mask: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op takes a descriptor, no base and offsets}}
  %0 = "xegpu.load"(%m, %off, %mask) : (memref<64xf32>, vector<16xindex>, vector<16xi1>) -> vector<16xf32>
  return
}

// -----

func.func @chunk_size(%t: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %mask: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.load' op takes no chunk_size: it stands in the type of the descriptor, in `scatter_tdesc_attr`}}
  %0 = xegpu.load %t, %mask <{chunk_size = 1 : i64}> : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1> -> vector<16xf32>
  return
}

// -----

func.func @store(%v: vector<16xf32>, %m: memref<64xf32>, %off: vector<16xindex>, %mask: vector<16xi1>) {
  // expected-error@+1 {{'xegpu.store' op takes a descriptor, no base and offsets}}
  xegpu.store %v, %m[%off], %mask : vector<16xf32>, memref<64xf32>, vector<16xindex>, vector<16xi1>
  return
}

// -----

func.func @prefetch(%p: ui64, %off: vector<16xindex>) {
  // expected-error@+1 {{'xegpu.prefetch' op takes a descriptor, no base and offsets}}
  xegpu.prefetch %p[%off] <{offset_align_byte = 4 : i64}> : ui64, vector<16xindex>
  return
}

// -----

func.func @align(%t: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>) {
  // expected-error@+1 {{'xegpu.prefetch' op takes a descriptor, no base and offsets}}
  xegpu.prefetch %t <{offset_align_byte = 4 : i64}> : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  return
}

// -----

func.func @layout_of_atomic(%t: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %mask: vector<16xi1>, %v: vector<16xf32>) {
  // expected-error@+1 {{'xegpu.atomic_rmw' op takes no layout}}
  %0 = xegpu.atomic_rmw addf %t, %mask, %v <{layout = 1 : i64}> : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  return
}

// -----

func.func @create_without_extent(%p: ui64) {
  // expected-error@+1 {{an integer source needs shape and strides for 2 offsets}}
  %0 = xegpu.create_nd_tdesc %p : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}

// -----

func.func @create_without_keyword(%p: ui64) {
  // expected-error@+1 {{Expected 'strides'}}
  %0 = xegpu.create_nd_tdesc %p, shape : [8, 16], [16, 1] : ui64 -> !xegpu.tensor_desc<8x16xf32>
  return
}
