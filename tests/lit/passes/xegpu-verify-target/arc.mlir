// RUN: xegpu-opt %s -p 'xegpu-verify-target{target=arc native=true}' --verify-diagnostics
// RUN: xegpu-opt %s -p 'xegpu-verify-target{target=arc}' | filecheck %s

// CHECK: xegpu.load_nd
func.func @block(%t: !xegpu.tensor_desc<8x16xf16>) {
  // expected-error@+1 {{'xegpu.load_nd' op moves 8x16 elements: arc has no messages for 2-D blocks}}
  %0 = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  return
}
