// RUN: XEGPU_INVALID

func.func @elements(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expects elements of 8, 16 or 32 bits, got 64}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 64 : i32, tile_width = 8 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = true, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<4xi64>
  return
}

// -----

func.func @empty(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expects a block with rows and columns, got 0x16}}
  xevm.blockprefetch2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 0 : i32, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  return
}

// -----

func.func @accumulator(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error @below {{expects an accumulator of the type of its result, vector<8xf16>, got vector<8xf32>}}
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f16, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf16>
  return
}

// -----

func.func @pointer(%p: i64, %v: vector<2xi32>) {
  // expected-error @below {{i64 should be of base attribute llvm.ptr}}
  xevm.blockstore %p, %v : (i64, vector<2xi32>)
  return
}

// -----

func.func @floats(%p: !llvm.ptr<1>) {
  // expected-error @below {{expects integers of 8, 16, 32 or 64 bits, one or a vector of rank 1, got vector<2xf32>}}
  %0 = xevm.blockload %p : (!llvm.ptr<1>) -> vector<2xf32>
  return
}
