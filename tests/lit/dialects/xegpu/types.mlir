// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// Aliases, and attributes in any order; a later attribute of a kind replaces an earlier one.
#map = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#two = #xegpu.block_tdesc_attr<array_length = 2 : i32>

// CHECK-LABEL: func.func private @plain(!xegpu.tensor_desc<32xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.nbarrier)
func.func private @plain(!xegpu.tensor_desc<32xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.nbarrier)

// CHECK-LABEL: func.func private @elements
// CHECK-SAME: tensor_desc<8xi1>
// CHECK-SAME: tensor_desc<8xsi8>
// CHECK-SAME: tensor_desc<8xui64>
// CHECK-SAME: tensor_desc<8xtf32>
// CHECK-SAME: tensor_desc<8xf64>
func.func private @elements(!xegpu.tensor_desc<8xi1>, !xegpu.tensor_desc<8xsi8>, !xegpu.tensor_desc<8xui64>,
                            !xegpu.tensor_desc<8xtf32>, !xegpu.tensor_desc<8xf64>)

// CHECK-LABEL: func.func private @block
// CHECK-SAME: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<>>
// CHECK-SAME: !xegpu.tensor_desc<64xf16, #xegpu.block_tdesc_attr<memory_space = slm, array_length = 2 : i64, boundary_check = false>>
// CHECK-SAME: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<memory_space = global>>
func.func private @block(
  !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<>>,
  !xegpu.tensor_desc<64xf16, #xegpu.block_tdesc_attr<boundary_check = false, array_length = 2 : i64, memory_space = slm>>,
  !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<memory_space = global>>)

// CHECK-LABEL: func.func private @mapped
// CHECK-SAME: !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>
// CHECK-SAME: !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>
// CHECK-SAME: !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>
func.func private @mapped(
  !xegpu.tensor_desc<16x16xf16, #map>,
  !xegpu.tensor_desc<16x16xf16, #map, #two>,
  !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<>, #two, #map>)

// CHECK-LABEL: func.func private @scattered
// CHECK-SAME: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
// CHECK-SAME: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 4 : i64>>
// CHECK-SAME: !xegpu.tensor_desc<16xf16, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
// CHECK-SAME: !xegpu.tensor_desc<16x8xbf16, #xegpu.scatter_tdesc_attr<chunk_size = 8 : i64>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>>
// CHECK-SAME: !xegpu.tensor_desc<16x4xf64, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>
func.func private @scattered(
  !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>,
  !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4, memory_space = slm>>,
  !xegpu.tensor_desc<16xf16, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>,
  !xegpu.tensor_desc<16x8xbf16, #xegpu.scatter_tdesc_attr<chunk_size = 8>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>>,
  !xegpu.tensor_desc<16x4xf64, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>)

// CHECK-LABEL: func.func private @enums(memref<4xf32, #xegpu<memory_space slm>>)
// CHECK-SAME: hint = #xegpu.cache_hint<write_back>
// CHECK-SAME: scope = #xegpu<fence_scope gpu>
func.func private @enums(memref<4xf32, #xegpu<memory_space slm>>) attributes {
  hint = #xegpu.cache_hint<write_back>, scope = #xegpu<fence_scope gpu>}
