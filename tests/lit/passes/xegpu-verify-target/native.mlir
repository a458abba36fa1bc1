// RUN: xegpu-opt %s -p 'xegpu-verify-target{target=pvc native=true}' --split-input-file --verify-diagnostics

// The largest that fit.
func.func @legal(%a: vector<8x16xf16>, %b: vector<16x16xf16>, %d: !xegpu.tensor_desc<32x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>,
                 %s: !xegpu.tensor_desc<8x32xf16>, %v: vector<8x32xf16>, %t: !xegpu.tensor_desc<32x8xf32>, %l: !xegpu.tensor_desc<128xf32>,
                 %n: !xegpu.tensor_desc<32x16xf16>) {
  %0 = xegpu.dpas %a, %b : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  %1 = xegpu.load_nd %d : !xegpu.tensor_desc<32x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>> -> vector<2x32x16xf16>
  %2 = xegpu.load_nd %d <{packed}> : !xegpu.tensor_desc<32x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>> -> vector<2x16x16x2xf16>
  %3 = xegpu.load_nd %t <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<32x8xf32> -> vector<8x32xf32>
  %4 = xegpu.load_nd %n <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<32x16xf16> -> vector<8x32x2xf16>
  %5 = xegpu.load_nd %l : !xegpu.tensor_desc<128xf32> -> vector<128xf32>
  xegpu.store_nd %v, %s : vector<8x32xf16>, !xegpu.tensor_desc<8x32xf16>
  xegpu.alloc_nbarrier 32
  return
}

// -----

func.func @dpas(%a: vector<9x16xf16>, %b: vector<16x16xf16>, %c: vector<8x32xf16>, %d: vector<32x16xf16>, %e: vector<16x32xf16>) {
  // expected-error@+1 {{multiplies 9x16 by 16x16 elements of f16: one instruction of pvc takes 1 to 8 rows, 16 along K and 16 columns}}
  %0 = xegpu.dpas %a, %b : vector<9x16xf16>, vector<16x16xf16> -> vector<9x16xf32>
  // expected-error@+1 {{multiplies 8x32 by 32x16 elements of f16}}
  %1 = xegpu.dpas %c, %d : vector<8x32xf16>, vector<32x16xf16> -> vector<8x16xf32>
  // expected-error@+1 {{multiplies 9x16 by 16x32 elements of f16}}
  %2 = xegpu.dpas %a, %e : vector<9x16xf16>, vector<16x32xf16> -> vector<9x32xf32>
  return
}

// -----

func.func @load(%w: !xegpu.tensor_desc<8x48xf16>, %h: !xegpu.tensor_desc<33x16xf16>, %c: !xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 4 : i64>>,
                %n: !xegpu.tensor_desc<8x1xi8>, %l: !xegpu.tensor_desc<129xf32>) {
  // expected-error@+1 {{'xegpu.load_nd' op moves 1 blocks of 8 rows and 48 units of 16 bits: one load of pvc moves 1 or 2 or 4 blocks of 1 to 32 rows and 2 to 32 units, at most 32 per row}}
  %0 = xegpu.load_nd %w : !xegpu.tensor_desc<8x48xf16> -> vector<8x48xf16>
  // expected-error@+1 {{moves 1 blocks of 33 rows and 16 units of 16 bits}}
  %1 = xegpu.load_nd %h : !xegpu.tensor_desc<33x16xf16> -> vector<33x16xf16>
  // expected-error@+1 {{moves 4 blocks of 8 rows and 16 units of 32 bits: one load of pvc moves 1 or 2 blocks}}
  %2 = xegpu.load_nd %c : !xegpu.tensor_desc<8x16xf32, #xegpu.block_tdesc_attr<array_length = 4 : i64>> -> vector<4x8x16xf32>
  // expected-error@+2 {{moves 1 blocks of 8 rows and 1 units of 8 bits}}
  // expected-error@+1 {{moves rows of 1 bytes: expected a multiple of 4 on pvc}}
  %3 = xegpu.load_nd %n : !xegpu.tensor_desc<8x1xi8> -> vector<8x1xi8>
  // expected-error@+1 {{moves 516 bytes: one load of pvc moves at most 512}}
  %4 = xegpu.load_nd %l : !xegpu.tensor_desc<129xf32> -> vector<129xf32>
  return
}

// -----

func.func @packed(%w: !xegpu.tensor_desc<16x32xf16>, %t: !xegpu.tensor_desc<16x16xf16>) {
  // expected-error@+1 {{moves 1 blocks of 16 rows and 32 units of 16 bits: one packed load of pvc moves 1 or 2 or 4 blocks of 2 to 32 rows (a multiple of 2) and 2 to 16 units}}
  %0 = xegpu.load_nd %w <{packed}> : !xegpu.tensor_desc<16x32xf16> -> vector<8x32x2xf16>
  // expected-error@+1 {{moves units of 16 bits: a transposed load of pvc moves units of 32 or 64 bits}}
  %1 = xegpu.load_nd %t <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
  return
}

// -----

func.func @others(%h: !xegpu.tensor_desc<9x32xf16>, %v: vector<9x32xf16>, %p: !xegpu.tensor_desc<40x16xf32>) {
  // expected-error@+2 {{'xegpu.store_nd' op moves 1 blocks of 9 rows and 32 units of 16 bits: one store of pvc moves 1 blocks of 1 to 8 rows and 2 to 32 units}}
  // expected-error@+1 {{moves 576 bytes: one store of pvc moves at most 512}}
  xegpu.store_nd %v, %h : vector<9x32xf16>, !xegpu.tensor_desc<9x32xf16>
  // expected-error@+2 {{'xegpu.prefetch_nd' op moves 1 blocks of 40 rows and 16 units of 32 bits: one prefetch of pvc}}
  // expected-error@+1 {{moves 2560 bytes: one prefetch of pvc moves at most 2048}}
  xegpu.prefetch_nd %p : !xegpu.tensor_desc<40x16xf32>
  return
}
