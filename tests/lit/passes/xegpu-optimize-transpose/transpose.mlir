// RUN: xegpu-opt %s -p xegpu-optimize-transpose | filecheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @folded
  gpu.func @folded(%t: !xegpu.tensor_desc<16x8xf32>) {
    // CHECK-NEXT: xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<cached>, transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
    // CHECK-NEXT: gpu.return
    %v = xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<16x8xf32> -> vector<16x8xf32>
    %w = vector.transpose %v, [1, 0] : vector<16x8xf32> to vector<8x16xf32>
    %x = vector.transpose %v, [1, 0] : vector<16x8xf32> to vector<8x16xf32>
    gpu.return
  }

  // The block is needed as it is, too; elements are too narrow; it is transposed twice; lanes share it.
  // CHECK-LABEL: gpu.func @kept
  gpu.func @kept(%t: !xegpu.tensor_desc<16x8xf32>, %n: !xegpu.tensor_desc<16x8xf16>, %m: !xegpu.tensor_desc<16x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>) {
    // CHECK-COUNT-4: vector.transpose
    %a = xegpu.load_nd %t : !xegpu.tensor_desc<16x8xf32> -> vector<16x8xf32>
    %b = vector.transpose %a, [1, 0] : vector<16x8xf32> to vector<8x16xf32>
    xegpu.store_nd %a, %t : vector<16x8xf32>, !xegpu.tensor_desc<16x8xf32>
    %c = xegpu.load_nd %n : !xegpu.tensor_desc<16x8xf16> -> vector<16x8xf16>
    %d = vector.transpose %c, [1, 0] : vector<16x8xf16> to vector<8x16xf16>
    %e = xegpu.load_nd %t <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
    %f = vector.transpose %e, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
    %g = xegpu.load_nd %m : !xegpu.tensor_desc<16x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>> -> vector<16x16xf32>
    %h = vector.transpose %g, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
    gpu.return
  }
}
