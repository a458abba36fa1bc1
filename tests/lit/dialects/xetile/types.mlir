// RUN: XEGPU_CANONICAL
module {
  func.func private @plain(!xetile.tile<32x64xf16>, !xetile.tile<?x64xf16>, !xetile.tile<?x?xindex>, !xetile.tile<8x16xf16, #xetile.tile_attr<>>)
  func.func private @elements(!xetile.tile<8x8xi1>, !xetile.tile<8x8xsi8>, !xetile.tile<8x8xui64>, !xetile.tile<8x8xbf16>, !xetile.tile<8x8xtf32>, !xetile.tile<8x8xf64>)
  func.func private @order(!xetile.tile<64x32xf16, #xetile.tile_attr<order = [0, 1]>>)
  func.func private @spaces(!xetile.tile<16x16xf32, #xetile.tile_attr<memory_space = 3 : i32>>, !xetile.tile<16x16xf32, #xetile.tile_attr<memory_space = 0 : i64>>, !xetile.tile<16x16xf32, #xetile.tile_attr<memory_space = #xegpu<memory_space slm>>>, !xetile.tile<16x16xf32, #xetile.tile_attr<memory_space = #gpu.address_space<workgroup>>>)
  func.func private @scattered(!xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, !xetile.tile<16xf32, #xetile.tile_attr<memory_space = 3 : i32, scattered = true>>, !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = false>>)
  func.func private @work_group(!xetile.tile<128x128xf16, #xetile.tile_attr<wg_map = <sg_layout = [4, 4], sg_data = [32, 128]>>>, !xetile.tile<64xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 1], sg_data = [16, 1]>, scattered = true>>)
  func.func private @lanes(!xetile.tile<16x16xf16, #xetile.tile_attr<sg_map = <wi_layout = [1, 16], wi_data = [2, 1]>>>, !xetile.tile<128x128xf16, #xetile.tile_attr<sg_map = <wi_layout = [1, 16], wi_data = [1, 1]>, wg_map = <sg_layout = [4, 4], sg_data = [32, 32]>, order = [0, 1], memory_space = 3 : i32, scattered = false>>)
  func.func private @attributes() attributes {hint = #xetile.cache_hint<read_invalidate>, lanes = #xetile.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, map = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 256]>, tile = #xetile.tile_attr<order = [0, 1]>}
  // Other dialects' ops carry the map of their result.
  func.func @map() -> vector<32x32xf32> {
    %0 = arith.constant {map = #xetile.wg_map<sg_layout = [4, 4], sg_data = [8, 8]>} dense<0.000000e+00> : vector<32x32xf32>
    return %0 : vector<32x32xf32>
  }
}

