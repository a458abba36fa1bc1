// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @update
func.func @update(%a: !xegpu.tensor_desc<8x16xf16>, %b: !xegpu.tensor_desc<64xf32>, %i: index) {
  // CHECK: xegpu.update_nd_offset %a, [%i, 32] : !xegpu.tensor_desc<8x16xf16>
  %0 = xegpu.update_nd_offset %a, [%i, 32] : !xegpu.tensor_desc<8x16xf16>
  // CHECK: xegpu.update_nd_offset %a, [0, -16] {unit} : !xegpu.tensor_desc<8x16xf16>
  %1 = xegpu.update_nd_offset %a, [0, -16] {unit} : !xegpu.tensor_desc<8x16xf16>
  // CHECK: xegpu.update_nd_offset %b, [64] : !xegpu.tensor_desc<64xf32>
  %2 = xegpu.update_nd_offset %b, [64] : !xegpu.tensor_desc<64xf32>
  return
}

