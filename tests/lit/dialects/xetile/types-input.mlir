// What types and attributes may look like on input: any order, defaults written out, names of nested attributes, aliases.
// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

#wg = #xetile.wg_map<sg_data = [32, 128], sg_layout = [4, 4]>
#sg = #xetile.sg_map<wi_data = [1, 1], wi_layout = [1, 16]>
#tile = #xetile.tile_attr<scattered = false, memory_space = 3, order = [1, 0], wg_map = #wg, sg_map = #sg>

// CHECK-LABEL: func.func private @aliases
// CHECK-SAME: #xetile.tile_attr<sg_map = <wi_layout = [1, 16], wi_data = [1, 1]>, wg_map = <sg_layout = [4, 4], sg_data = [32, 128]>, memory_space = 3 : i64, scattered = false>
func.func private @aliases(!xetile.tile<128x128xf16, #tile>)

// CHECK-LABEL: func.func private @names
// CHECK-SAME: !xetile.tile<32x32xf16, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [16, 16]>>>
func.func private @names(!xetile.tile<32x32xf16, #xetile.tile_attr<wg_map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>>>)

// CHECK-LABEL: func.func private @defaults
// CHECK-SAME: !xetile.tile<32x32xf16, #xetile.tile_attr<>>
func.func private @defaults(!xetile.tile<32x32xf16, #xetile.tile_attr<order = [1, 0]>>)
