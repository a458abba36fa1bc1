// RUN: xegpu-opt %s -p xegpu-apply-vnni-transformation | filecheck %s

gpu.module @m {
  // Slices of what is loaded are slices of packed rows.
  // CHECK-LABEL: gpu.func @slices
  gpu.func @slices(%t: !xegpu.tensor_desc<32x16xf16>, %a: vector<8x16xf16>) {
    // CHECK-NEXT: %[[V:.*]] = xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<cached>, packed}> : !xegpu.tensor_desc<32x16xf16> -> vector<16x16x2xf16>
    %v = xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<32x16xf16> -> vector<32x16xf16>
    // CHECK-NEXT: %[[B:.*]] = vector.extract_strided_slice %[[V]] {offsets = [8, 0, 0], sizes = [8, 16, 2], strides = [1, 1, 1]}
    %b = vector.extract_strided_slice %v {offsets = [16, 0], sizes = [16, 16], strides = [1, 1]} : vector<32x16xf16> to vector<16x16xf16>
    // CHECK-NEXT: xegpu.dpas %a, %[[B]] : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
    // CHECK-NEXT: gpu.return
    %c = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    gpu.return
  }

  // Words of a transposed block are packed columns. Memory is read where it was.
  // CHECK-LABEL: gpu.func @transposed
  gpu.func @transposed(%t: !xegpu.tensor_desc<16x32xi8>, %a: vector<8x32xi8>) {
    // CHECK-NEXT: %[[V:.*]] = xegpu.load_nd %t <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x32xi8> -> vector<8x16x4xi8>
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: xegpu.dpas %a, %[[V]]
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16x32xi8> -> vector<16x32xi8>
    gpu.barrier
    %b = vector.transpose %v, [1, 0] : vector<16x32xi8> to vector<32x16xi8>
    %c = xegpu.dpas %a, %b : vector<8x32xi8>, vector<32x16xi8> -> vector<8x16xi32>
    gpu.return
  }

  // What is computed element by element is computed with packed elements; whoever needs others loads them.
  // CHECK-LABEL: gpu.func @elementwise
  gpu.func @elementwise(%t: !xegpu.tensor_desc<16x16xbf16>, %a: vector<8x16xbf16>) {
    // CHECK-NEXT: %{{.*}} = xegpu.load_nd %t <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
    // CHECK-NEXT: %[[PLAIN:.*]] = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xbf16> -> vector<16x16xbf16>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xbf16> -> vector<16x16xbf16>
    %two = arith.constant dense<2.0> : vector<16x16xbf16>
    // CHECK: arith.mulf %{{.*}} : vector<8x16x2xbf16>
    %b = arith.mulf %v, %two : vector<16x16xbf16>
    %c = xegpu.dpas %a, %b : vector<8x16xbf16>, vector<16x16xbf16> -> vector<8x16xf32>
    // CHECK: xegpu.store_nd %[[PLAIN]], %t
    xegpu.store_nd %v, %t : vector<16x16xbf16>, !xegpu.tensor_desc<16x16xbf16>
    gpu.return
  }

  // Elements of 32 bits have nothing to be packed with, an odd number of rows has no pairs, and what comes from
  // elsewhere is packed when it is multiplied.
  // CHECK-LABEL: gpu.func @kept
  gpu.func @kept(%t: !xegpu.tensor_desc<8x16xtf32>, %u: !xegpu.tensor_desc<17x16xf16>, %x: vector<8x8xtf32>, %y: vector<8x16xf16>, %b: vector<16x16xf16>) {
    // CHECK-NOT: packed
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xtf32> -> vector<8x16xtf32>
    %0 = xegpu.dpas %x, %v : vector<8x8xtf32>, vector<8x16xtf32> -> vector<8x16xf32>
    %w = xegpu.load_nd %u : !xegpu.tensor_desc<17x16xf16> -> vector<17x16xf16>
    %s = vector.extract_strided_slice %w {offsets = [1, 0], sizes = [16, 16], strides = [1, 1]} : vector<17x16xf16> to vector<16x16xf16>
    %1 = xegpu.dpas %y, %s : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    %2 = xegpu.dpas %y, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    // CHECK: gpu.return
    gpu.return
  }
}
