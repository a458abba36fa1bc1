// RUN: XEGPU_INVALID

func.func @kind(%v: vector<8x16xf32>, %t: !xetile.tile<8x16xf32>) {
  // expected-error@+1 {{unknown atomic kind 'xori', expected one of addf, addi, assign, maximumf, maxs, maxu, minimumf, mins, minu, mulf, muli, ori, andi, maxnumf, minnumf}}
  %0 = xetile.atomic_rmw xori %v, %t : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
  return
}

// -----

func.func @number(%v: vector<8x16xf32>, %t: !xetile.tile<8x16xf32>) {
  // expected-error@+1 {{expected kind from 0 to 14, got 15}}
  %0 = "xetile.atomic_rmw"(%v, %t) <{kind = 15}> : (vector<8x16xf32>, !xetile.tile<8x16xf32>) -> vector<8x16xf32>
  return
}

// -----

func.func @integer_kind(%v: vector<8x16xf32>, %t: !xetile.tile<8x16xf32>) {
  // expected-error@+1 {{atomic kind andi needs integer elements, got f32}}
  %0 = xetile.atomic_rmw andi %v, %t : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
  return
}

// -----

func.func @float_kind(%v: vector<8x16xi32>, %t: !xetile.tile<8x16xi32>) {
  // expected-error@+1 {{atomic kind mulf needs floating-point elements, got i32}}
  %0 = xetile.atomic_rmw mulf %v, %t : vector<8x16xi32>, !xetile.tile<8x16xi32> -> vector<8x16xi32>
  return
}

// -----

func.func @value_rank(%v: vector<16xf32>, %t: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>) {
  // expected-error@+1 {{expected value to be a 2-D vector, got vector<16xf32>}}
  %0 = xetile.atomic_rmw addf %v, %t : vector<16xf32>, !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>> -> vector<16xf32>
  return
}

// -----

func.func @result_rank(%v: vector<8x16xf32>, %t: !xetile.tile<8x16xf32>) {
  // expected-error@+1 {{expected result to be a 2-D vector, got vector<128xf32>}}
  %0 = xetile.atomic_rmw addf %v, %t : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<128xf32>
  return
}

// -----

func.func @element_types(%v: vector<8x16xf32>, %t: !xetile.tile<8x16xf16>) {
  // expected-error@+1 {{failed to verify that all of {value, tile, result} have same element type: value has f32, tile has f16, result has f32}}
  %0 = xetile.atomic_rmw addf %v, %t : vector<8x16xf32>, !xetile.tile<8x16xf16> -> vector<8x16xf32>
  return
}

// -----

func.func @shapes(%v: vector<8x16xf32>, %t: !xetile.tile<8x16xf32>) {
  // expected-error@+1 {{failed to verify that all of {value, tile, result} have same shape: value has [8, 16], tile has [8, 16], result has [16, 8]}}
  %0 = xetile.atomic_rmw addf %v, %t : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<16x8xf32>
  return
}

// -----

func.func @dynamic(%v: vector<8x16xf32>, %t: !xetile.tile<8x?xf32>) {
  // expected-error@+1 {{expected a tile of static shape, got !xetile.tile<8x?xf32>}}
  %0 = xetile.atomic_rmw addf %v, %t : vector<8x16xf32>, !xetile.tile<8x?xf32> -> vector<8x16xf32>
  return
}
