// RUN: xegpu-opt %s -p xegpu-optimize-group-transpose{target=pvc} | filecheck %s
// RUN: xegpu-opt %s -p 'xegpu-optimize-group-transpose{target=arc}' | filecheck %s --check-prefix=ARC
// RUN: not xegpu-opt %s -p 'xegpu-optimize-group-transpose{target=gen9}' 2>&1 | filecheck %s --check-prefix=UNKNOWN

// ARC has no such messages.
// ARC-NOT: transpose_bit_width
// UNKNOWN: gen9

gpu.module @m {
  // CHECK-LABEL: gpu.func @folded
  gpu.func @folded(%t: !xegpu.tensor_desc<16x16xf16>, %b: !xegpu.tensor_desc<16x32xi8>, %i: index) {
    // CHECK-NEXT: xegpu.load_nd %t[%i, 32] <{l1_hint = #xegpu.cache_hint<cached>, transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
    // CHECK-NEXT: xegpu.load_nd %b <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x32xi8> -> vector<8x16x4xi8>
    // CHECK-NEXT: gpu.return
    %v = xegpu.load_nd %t[%i, 32] <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %w = vector.shape_cast %v : vector<16x16xf16> to vector<16x8x2xf16>
    %x = vector.transpose %w, [1, 0, 2] : vector<16x8x2xf16> to vector<8x16x2xf16>
    %y = vector.transpose %w, [1, 0, 2] : vector<16x8x2xf16> to vector<8x16x2xf16>
    %c = xegpu.load_nd %b : !xegpu.tensor_desc<16x32xi8> -> vector<16x32xi8>
    %d = vector.shape_cast %c : vector<16x32xi8> to vector<16x8x4xi8>
    %e = vector.transpose %d, [1, 0, 2] : vector<16x8x4xi8> to vector<8x16x4xi8>
    gpu.return
  }

  // Groups of 16 bits; another permutation; a cast, and a block, that have other users; more than a message has.
  // CHECK-LABEL: gpu.func @kept
  // CHECK-COUNT-5: vector.transpose
  gpu.func @kept(%t: !xegpu.tensor_desc<16x16xf16>, %b: !xegpu.tensor_desc<16x32xi8>, %l: !xegpu.tensor_desc<16x64xf16>) -> (vector<16x8x2xf16>, vector<16x16xf16>) {
    %c = xegpu.load_nd %b : !xegpu.tensor_desc<16x32xi8> -> vector<16x32xi8>
    %d = vector.shape_cast %c : vector<16x32xi8> to vector<16x16x2xi8>
    %e = vector.transpose %d, [1, 0, 2] : vector<16x16x2xi8> to vector<16x16x2xi8>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %w = vector.shape_cast %v : vector<16x16xf16> to vector<16x8x2xf16>
    %x = vector.transpose %w, [2, 0, 1] : vector<16x8x2xf16> to vector<2x16x8xf16>
    %f = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %g = vector.shape_cast %f : vector<16x16xf16> to vector<16x8x2xf16>
    %h = vector.transpose %g, [1, 0, 2] : vector<16x8x2xf16> to vector<8x16x2xf16>
    %i = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %j = vector.shape_cast %i : vector<16x16xf16> to vector<16x8x2xf16>
    %k = vector.transpose %j, [1, 0, 2] : vector<16x8x2xf16> to vector<8x16x2xf16>
    %m = xegpu.load_nd %l : !xegpu.tensor_desc<16x64xf16> -> vector<16x64xf16>
    %n = vector.shape_cast %m : vector<16x64xf16> to vector<16x32x2xf16>
    %o = vector.transpose %n, [1, 0, 2] : vector<16x32x2xf16> to vector<32x16x2xf16>
    gpu.return %g, %i : vector<16x8x2xf16>, vector<16x16xf16>
  }
}
