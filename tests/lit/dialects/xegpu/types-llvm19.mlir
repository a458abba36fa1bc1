// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// What LLVM 19 writes is printed as later generations write it.

#scattered = #xegpu.tdesc_attr<scattered = true>

// CHECK-LABEL: func.func private @block(
// CHECK-SAME: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<>>
// CHECK-SAME: !xegpu.tensor_desc<64xf16, #xegpu.block_tdesc_attr<memory_space = slm, array_length = 2 : i64, boundary_check = false>>
// CHECK-SAME: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
// CHECK-SAME: !xegpu.tensor_desc<8x16xf16>
func.func private @block(
  !xegpu.tensor_desc<8x16xf16, #xegpu.tdesc_attr<>>,
  !xegpu.tensor_desc<64xf16, #xegpu.tdesc_attr<boundary_check = false, array_length = 2 : i64, memory_scope = slm>>,
  !xegpu.tensor_desc<8x16xf16, #xegpu.tdesc_attr<array_length = 2, scattered = false>>,
  !xegpu<tensor_desc<8x16xf16>>)

// The columns of a scattered descriptor are its chunks.
// CHECK-LABEL: func.func private @scattered(
// CHECK-SAME: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
// CHECK-SAME: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>
// CHECK-SAME: !xegpu.tensor_desc<16x8xf32, #xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 8 : i64>>
func.func private @scattered(
  !xegpu.tensor_desc<16xf32, #scattered>,
  !xegpu.tensor_desc<16x4xf32, #scattered>,
  !xegpu.tensor_desc<16x8xf32, #xegpu.tdesc_attr<memory_scope = slm, array_length = 1, boundary_check = true, scattered = true>>)

// CHECK-LABEL: func.func private @enums(memref<4xf32, #xegpu<memory_space slm>>)
// CHECK-SAME: hint = #xegpu.cache_hint<cached>
func.func private @enums(memref<4xf32, #xegpu<memory_scope slm>>) attributes {hint = #xegpu<cache_hint<cached>>}

// Alone it stays what it is.
// CHECK-LABEL: func.func private @alone
// CHECK-SAME: a = #xegpu.tdesc_attr<memory_scope = slm, array_length = 2 : i64, boundary_check = false, scattered = true>
func.func private @alone() attributes {
  a = #xegpu.tdesc_attr<scattered = true, boundary_check = false, array_length = 2, memory_scope = slm>}

// CHECK-LABEL: func.func @fence
// CHECK: xegpu.fence memory_kind = slm, fence_scope = gpu
func.func @fence() {
  "xegpu.fence"() <{fence_scope = #xegpu<fence_scope gpu>, memory_kind = #xegpu<memory_scope slm>}> : () -> ()
  return
}
