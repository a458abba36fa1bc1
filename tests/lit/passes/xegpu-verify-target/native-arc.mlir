// RUN: xegpu-opt %s -p 'xegpu-verify-target{target=arc native=true}' --split-input-file --verify-diagnostics

// ARC multiplies eight columns, and moves lines of up to 512 bytes; blocks of two dimensions it does not move.
func.func @legal(%a: vector<8x16xf16>, %b: vector<16x8xf16>, %i: vector<1x32xi8>, %j: vector<32x8xi8>, %l: !xegpu.tensor_desc<128xf32>, %v: vector<128xf32>) {
  %0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x8xf16> -> vector<8x8xf32>
  %1 = xegpu.dpas %i, %j : vector<1x32xi8>, vector<32x8xi8> -> vector<1x8xi32>
  xegpu.prefetch_nd %l : !xegpu.tensor_desc<128xf32>
  %2 = xegpu.load_nd %l : !xegpu.tensor_desc<128xf32> -> vector<128xf32>
  xegpu.store_nd %v, %l : vector<128xf32>, !xegpu.tensor_desc<128xf32>
  return
}

// -----

func.func @columns(%a: vector<8x16xf16>, %b: vector<16x16xf16>) {
  // expected-error@+1 {{'xegpu.dpas' op multiplies 8x16 by 16x16 elements of f16: one instruction of arc takes 1 to 8 rows, 16 along K and 8 columns}}
  %0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @lines(%l: !xegpu.tensor_desc<129xf32>, %v: vector<129xf32>) {
  // expected-error@+1 {{'xegpu.store_nd' op moves 516 bytes: one store of arc moves at most 512}}
  xegpu.store_nd %v, %l : vector<129xf32>, !xegpu.tensor_desc<129xf32>
  // expected-error@+1 {{'xegpu.prefetch_nd' op moves 516 bytes: one prefetch of arc moves at most 512}}
  xegpu.prefetch_nd %l : !xegpu.tensor_desc<129xf32>
  return
}

// -----

func.func @blocks(%t: !xegpu.tensor_desc<8x8xf32>, %v: vector<8x8xf32>) {
  // expected-error@+1 {{'xegpu.prefetch_nd' op moves 8x8 elements: arc has no messages for 2-D blocks}}
  xegpu.prefetch_nd %t : !xegpu.tensor_desc<8x8xf32>
  // expected-error@+1 {{'xegpu.store_nd' op moves 8x8 elements: arc has no messages for 2-D blocks}}
  xegpu.store_nd %v, %t : vector<8x8xf32>, !xegpu.tensor_desc<8x8xf32>
  return
}
