// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @memrefs
func.func @memrefs(%m: memref<96x80xf16>, %d: memref<?x?xf32>, %flat: memref<1024xf32>, %cube: memref<4x96x80xf16>,
                   %slm: memref<1024xf32, 3>, %i: index, %j: index) {
  // CHECK: xegpu.create_nd_tdesc %m[%i, 16] : memref<96x80xf16> -> !xegpu.tensor_desc<8x16xf16>
  %0 = xegpu.create_nd_tdesc %m[%i, 16] : memref<96x80xf16> -> !xegpu.tensor_desc<8x16xf16>
  // CHECK: xegpu.create_nd_tdesc %d[0, %j], [%i, %j], [%j, 1] : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>
  %1 = xegpu.create_nd_tdesc %d[0, %j], [%i, %j], [%j, 1] : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>
  // CHECK: xegpu.create_nd_tdesc %flat[64] {note = "first"} : memref<1024xf32> -> !xegpu.tensor_desc<32xf32>
  %2 = xegpu.create_nd_tdesc %flat[64] {note = "first"} : memref<1024xf32> -> !xegpu.tensor_desc<32xf32>
  // CHECK: xegpu.create_nd_tdesc %cube[%i, %j, 0] : memref<4x96x80xf16> -> !xegpu.tensor_desc<8x16xf16>
  %3 = xegpu.create_nd_tdesc %cube[%i, %j, 0] : memref<4x96x80xf16> -> !xegpu.tensor_desc<8x16xf16>
  // CHECK: xegpu.create_nd_tdesc %slm[%i] : memref<1024xf32, 3> -> !xegpu.tensor_desc<32xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
  %4 = xegpu.create_nd_tdesc %slm[%i] : memref<1024xf32, 3> -> !xegpu.tensor_desc<32xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
  // Explicit lists override what a static memref says; a row of a matrix may be described alone.
  // CHECK: xegpu.create_nd_tdesc %m[%i, %j], [96, 40], [160, 1] : memref<96x80xf16> -> !xegpu.tensor_desc<16xf16>
  %5 = xegpu.create_nd_tdesc %m[%i, %j], [96, 40], [160, 1] : memref<96x80xf16> -> !xegpu.tensor_desc<16xf16>
  return
}

// LLVM 19 and 20 write the strides of a static memref into the generic form.
// CHECK-LABEL: func.func @own_strides
func.func @own_strides(%m: memref<96x80xf16>) {
  // CHECK: xegpu.create_nd_tdesc %m[0, 0] : memref<96x80xf16> -> !xegpu.tensor_desc<8x16xf16>
  %0 = "xegpu.create_nd_tdesc"(%m) <{const_offsets = array<i64: 0, 0>, const_strides = array<i64: 80, 1>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
    : (memref<96x80xf16>) -> !xegpu.tensor_desc<8x16xf16>
  return
}

// CHECK-LABEL: func.func @spaces
func.func @spaces(%a: memref<64xf32, #xegpu<memory_space slm>>, %b: memref<64xf32, #gpu.address_space<workgroup>>,
                  %c: memref<64xf32, #xegpu<memory_space global>>, %d: memref<64xf32, #gpu.address_space<global>>,
                  %e: memref<8x64xf32, strided<[128, 1], offset: ?>>) {
  // CHECK-COUNT-2: -> !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
  %0 = xegpu.create_nd_tdesc %a[0] : memref<64xf32, #xegpu<memory_space slm>> -> !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
  %1 = xegpu.create_nd_tdesc %b[0] : memref<64xf32, #gpu.address_space<workgroup>> -> !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
  // CHECK-COUNT-2: -> !xegpu.tensor_desc<16xf32>
  %2 = xegpu.create_nd_tdesc %c[0] : memref<64xf32, #xegpu<memory_space global>> -> !xegpu.tensor_desc<16xf32>
  %3 = xegpu.create_nd_tdesc %d[0] : memref<64xf32, #gpu.address_space<global>> -> !xegpu.tensor_desc<16xf32>
  // CHECK: memref<8x64xf32, strided<[128, 1], offset: ?>> -> !xegpu.tensor_desc<8x16xf32>
  %4 = xegpu.create_nd_tdesc %e[0, 0] : memref<8x64xf32, strided<[128, 1], offset: ?>> -> !xegpu.tensor_desc<8x16xf32>
  return
}

// CHECK-LABEL: func.func @pointers
func.func @pointers(%p: ui64, %q: i32, %i: index, %h: index, %w: index) {
  // CHECK: xegpu.create_nd_tdesc %p[%i, 0], [%h, %w], [%w, 1] : ui64 -> !xegpu.tensor_desc<8x16xf16>
  %0 = xegpu.create_nd_tdesc %p[%i, 0], [%h, %w], [%w, 1] : ui64 -> !xegpu.tensor_desc<8x16xf16>
  // CHECK: xegpu.create_nd_tdesc %p[-8, 0], [32, 64], [64, 1] : ui64 -> !xegpu.tensor_desc<8x16xf16>
  %1 = xegpu.create_nd_tdesc %p[-8, 0], [32, 64], [64, 1] : ui64 -> !xegpu.tensor_desc<8x16xf16>
  // One dimension needs neither shape nor strides.
  // CHECK: xegpu.create_nd_tdesc %q[%i] : i32 -> !xegpu.tensor_desc<32xf32>
  %2 = xegpu.create_nd_tdesc %q[%i] : i32 -> !xegpu.tensor_desc<32xf32>
  return
}
