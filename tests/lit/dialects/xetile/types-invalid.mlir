// RUN: XEGPU_INVALID

// expected-error@+1 {{failed to parse XeTile encoding parameter which is to be a #xetile.tile_attr<...>, got 3 : i64}}
func.func private @f(!xetile.tile<8x16xf16, 3>)

// -----

// expected-error@+1 {{expected elements of i1, i8, i16, i32, i64 (of any signedness), f16, bf16, tf32, f32, f64 or index, got i4}}
func.func private @f(!xetile.tile<8x16xi4>)

// -----

// expected-error@+1 {{expected a block tile of rank 2, got rank 1}}
func.func private @f(!xetile.tile<16xf16>)

// -----

// expected-error@+1 {{expected a tile of rank 2 at most, got more dimensions}}
func.func private @f(!xetile.tile<2x2x8x16xf16>)

// -----

// expected-error@+1 {{expected a scattered tile of rank 1 or 2, got rank 3}}
func.func private @f(!xetile.tile<2x8x16xf16, #xetile.tile_attr<scattered = true>>)

// -----

// expected-error@+1 {{expected dimensions from 1 to 9223372036854775807, got a negative one}}
func.func private @f(!xetile.tile<-8x16xf16>)

// -----

// expected-error@+1 {{expected dimensions from 1 to 9223372036854775807, got a negative one}}
func.func private @f(!xetile.tile<8x-16xf16>)

// -----

// expected-error@+1 {{expected a block tile of rank 2, got rank 3}}
func.func private @f(!xetile.tile<2x8x16xf16>)

// -----

// expected-error@+1 {{expected dimensions from 1 to 9223372036854775807, got 0}}
func.func private @f(!xetile.tile<8x0xf16>)

// -----

// expected-error@+1 {{expected dimensions from 1 to 9223372036854775807, got 9223372036854775808}}
func.func private @f(!xetile.tile<9223372036854775808x1xf16>)

// -----

// expected-error@+1 {{unknown field 'blocks', expected one of 'sg_map', 'wg_map', 'order', 'memory_space', 'scattered'}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<blocks = [8, 16]>>)

// -----

// expected-error@+1 {{field 'order' is given twice}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<order = [1, 0], order = [0, 1]>>)

// -----

// expected-error@+1 {{expect integer array of size 2 for order, got [1, 0, 2]}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<order = [1, 0, 2]>>)

// -----

// expected-error@+1 {{expected order to be [1, 0] or [0, 1], got [1, 1]}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<order = [1, 1]>>)

// -----

// expected-error@+1 {{expected a 32-bit integer, got 2147483648}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<order = [2147483648, 0]>>)

// -----

// expected-error@+1 {{expected an integer, #xegpu<memory_space ...> or #gpu.address_space<...>, got "slm"}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<memory_space = "slm">>)

// -----

// expected-error@+1 {{Expected boolean literal}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<scattered = 1>>)

// -----

// expected-error@+1 {{expected #xetile.wg_map<...>, got #xetile.sg_map<wi_layout = [4, 4], wi_data = [2, 4]>}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<wg_map = #xetile.sg_map<wi_layout = [4, 4], wi_data = [2, 4]>>>)

// -----

// expected-error@+1 {{expected sg_data to divide the tile [8, 16], got [3, 16]}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<wg_map = <sg_layout = [4, 4], sg_data = [3, 16]>>>)

// -----

// expected-error@+1 {{cannot distribute 8 over 4 work items with 4 elements each}}
func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<sg_map = <wi_layout = [4, 4], wi_data = [4, 4]>>>)

// -----

// Lanes share what one subgroup has.
// expected-error@+1 {{cannot distribute 8 over 16 work items with 1 elements each}}
func.func private @f(!xetile.tile<32x32xf16, #xetile.tile_attr<sg_map = <wi_layout = [1, 16], wi_data = [1, 1]>, wg_map = <sg_layout = [1, 4], sg_data = [32, 8]>>>)

// -----

// expected-error@+1 {{field 'sg_data' is missing}}
func.func private @f() attributes {map = #xetile.wg_map<sg_layout = [4, 4]>}

// -----

// expected-error@+1 {{expect integer array of size 2 for sg_layout, got [4]}}
func.func private @f() attributes {map = #xetile.wg_map<sg_layout = [4], sg_data = [8, 16]>}

// -----

// expected-error@+1 {{expect integer array of size 2 for sg_data, got []}}
func.func private @f() attributes {map = #xetile.wg_map<sg_layout = [4, 4], sg_data = []>}

// -----

// expected-error@+1 {{expected sg_layout entries of at least 1, got [0, 4]}}
func.func private @f() attributes {map = #xetile.wg_map<sg_layout = [0, 4], sg_data = [8, 16]>}

// -----

// expected-error@+1 {{expected sg_data entries of at least 1, got [8, -16]}}
func.func private @f() attributes {map = #xetile.wg_map<sg_layout = [4, 4], sg_data = [8, -16]>}

// -----

// expected-error@+1 {{expect integer array of size 2 for wi_layout, got [1, 4, 4]}}
func.func private @f() attributes {map = #xetile.sg_map<wi_layout = [1, 4, 4], wi_data = [1, 1]>}

// -----

// expected-error@+1 {{expected wi_data entries of at least 1, got [0, 1]}}
func.func private @f() attributes {map = #xetile.sg_map<wi_layout = [1, 16], wi_data = [0, 1]>}

// -----

// expected-error@+1 {{Expected `cached`, `uncached`, `streaming`, `read_invalidate`, `write_back`, or `write_through`}}
func.func private @f() attributes {hint = #xetile.cache_hint<evict>}

// -----

// expected-error@+1 {{'xetile.block_attr' is not registered}}
func.func private @f() attributes {map = #xetile.block_attr<>}
