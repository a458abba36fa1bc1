// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// Offsets of zero may be left out, and lists be named, as in newer generations.
// CHECK-LABEL: func.func @create_nd_tdesc
func.func @create_nd_tdesc(%m: memref<64x64xf16>, %n: memref<?x?x?xf16>, %p: ui64, %h: index, %w: index) {
  // CHECK-NEXT: xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16>
  %0 = xegpu.create_nd_tdesc %m : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %p[0, 0], [64, %w], [%w, 1] {note} : ui64
  %1 = xegpu.create_nd_tdesc %p, shape : [64, %w], strides : [%w, 1] {note} : ui64 -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %p[%h, 8], [%h, %w], [%w, 1] : ui64
  %2 = xegpu.create_nd_tdesc %p[%h, 8], shape : [%h, %w], strides : [%w, 1] : ui64 -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %n[0, 0, 0], [2, %h, %w], [%h, %w, 1] : memref<?x?x?xf16>
  %3 = xegpu.create_nd_tdesc %n, shape : [2, %h, %w], strides : [%h, %w, 1] : memref<?x?x?xf16> -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %p[0] : ui64
  %4 = xegpu.create_nd_tdesc %p : ui64 -> !xegpu.tensor_desc<16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16>
  %5 = "xegpu.create_nd_tdesc"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (memref<64x64xf16>) -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %p[0, 0], [64, %w], [%w, 1] : ui64
  %6 = "xegpu.create_nd_tdesc"(%p, %w, %w) <{const_shape = array<i64: 64, -9223372036854775808>, const_strides = array<i64: -9223372036854775808, 1>, operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (ui64, index, index) -> !xegpu.tensor_desc<8x16xf16>
  return
}
