// RUN: XEGPU_INVALID

func.func @elements(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting 'elem_size_in_bits' to be 8, 16, or 32, got 64}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 64 : i32, tile_width = 8 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<4xi64>
  return
}

// -----

func.func @both(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{transpose and pack_register are mutually exclusive}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 32 : i32, tile_width = 8 : i32, tile_height = 16 : i32, v_blocks = 1 : i32, transpose = true, pack_register = true}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi32>
  return
}

// -----

func.func @transposed(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{transpose is only supported for 32 bit elements, got 16}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 8 : i32, tile_height = 16 : i32, v_blocks = 1 : i32, transpose = true, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  return
}

// -----

func.func @packed(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{pack_register is only supported for 8 and 16 bit elements, got 32}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 16 : i32, v_blocks = 1 : i32, transpose = false, pack_register = true}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<16xi32>
  return
}

// -----

func.func @packed_width(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting tile_width to be 16, got 8}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 8 : i32, tile_height = 16 : i32, v_blocks = 1 : i32, transpose = false, pack_register = true}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<4xi32>
  return
}

// -----

func.func @height(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting tile_height to be 1, 2, 4, 8, 16, or 32, got 12}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 12 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<12xi16>
  return
}

// -----

func.func @width(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting tile_width to be between 2 and 32, got 64}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 64 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<32xi16>
  return
}

// -----

func.func @count(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting v_blocks to be 1, 2, or 4, got 3}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 8 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 3 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<24xi8>
  return
}

// -----

func.func @row(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{tile_width * v_blocks should be less than or equal to 16 for 32 bit elements, got 16 * 2}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 2 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<16xi32>
  return
}

// -----

func.func @transposed_count(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting v_blocks to be 1, got 2}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 32 : i32, tile_width = 8 : i32, tile_height = 16 : i32, v_blocks = 2 : i32, transpose = true, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<16xi32>
  return
}

// -----

func.func @part(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{result size of 64 bits does not match the expected size of 128 bits}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<4xi16>
  return
}

// -----

func.func @word(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting result element type to be 32 bits, got vector<16xi16>}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<16xi16>
  return
}

// -----

func.func @index(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting elements to be integers or floats of 8, 16, or 32 bits, got index}}
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xindex>
  return
}

// -----

func.func @store_height(%p: !llvm.ptr<1>, %i: i32, %v: vector<16xi32>) {
  // expected-error @below {{expecting tile_height to be 1, 2, 4, or 8, got 16}}
  xevm.blockstore2d %p, %i, %i, %i, %i, %i, %v <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 16 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<16xi32>)
  return
}

// -----

func.func @store_width(%p: !llvm.ptr<1>, %i: i32, %v: vector<16xi8>) {
  // expected-error @below {{expecting tile_width to be 16 or 32, got 64}}
  xevm.blockstore2d %p, %i, %i, %i, %i, %i, %v <{elem_size_in_bits = 8 : i32, tile_width = 64 : i32, tile_height = 4 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<16xi8>)
  return
}

// -----

func.func @store_part(%p: !llvm.ptr<1>, %i: i32, %v: vector<8xi32>) {
  // expected-error @below {{store value size of 256 bits does not match the expected size of 128 bits}}
  xevm.blockstore2d %p, %i, %i, %i, %i, %i, %v <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi32>)
  return
}

// -----

func.func @empty(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting tile_height to be 1, 2, 4, 8, 16, or 32, got 0}}
  xevm.blockprefetch2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 0 : i32, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  return
}

// -----

func.func @prefetch_count(%p: !llvm.ptr<1>, %i: i32) {
  // expected-error @below {{expecting v_blocks to be 1, 2, 4, or 8, got 16}}
  xevm.blockprefetch2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 16 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  return
}

// -----

func.func @pitch(%p: !llvm.ptr<1>, %i: i32) {
  %w = arith.constant 64 : i32
  %d = arith.constant 32 : i32
  // expected-error @below {{4th operand (base pitch) should be >= 2nd operand (base width), got 32 and 64}}
  xevm.blockprefetch2d %p, %w, %i, %d, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  return
}

// -----

func.func @line(%p: !llvm.ptr<1>) {
  // expected-error @below {{vector size must be 2, 4 or 8 for element type > 8 bits, got vector<16xi16>}}
  %0 = xevm.blockload %p : (!llvm.ptr<1>) -> vector<16xi16>
  return
}

// -----

func.func @bytes(%p: !llvm.ptr<1>, %v: vector<3xi8>) {
  // expected-error @below {{vector size must be 2, 4, 8 or 16 for 8-bit element type, got vector<3xi8>}}
  xevm.blockstore %p, %v : (!llvm.ptr<1>, vector<3xi8>)
  return
}

// -----

func.func @prefetched(%p: !llvm.ptr<3>) {
  // expected-error @below {{operand #0 must be LLVM pointer in address space 1 or LLVM pointer in address space 4, but got !llvm.ptr<3>}}
  xevm.prefetch %p : (!llvm.ptr<3>)
  return
}

// -----

func.func @id() {
  // expected-error @below {{result #0 must be 32-bit signless integer or 64-bit signless integer, but got i16}}
  %0 = xevm.local_id.x : i16
  return
}

// -----

func.func @types(%a: vector<8xi16>, %b: vector<8xi32>) {
  // expected-error @below {{expected one of [bf16, f16, s8, u8, s4, u4, tf32, f32, s32] for XeVM element type, got: e2m1}}
  %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 64>, types = <d = f32, a = e2m1, b = e2m1>} : (vector<8xi16>, vector<8xi32>) -> vector<8xf32>
  return
}

// -----

// expected-error @below {{Expected `L1uc_L2uc_L3uc`}}
func.func private @f() attributes {a = #xevm.load_cache_control<L1wb_L2uc_L3wb>}

// -----

func.func @accumulator(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error @below {{type of C operand must match result type, got vector<8xf32> and vector<8xf16>}}
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
