// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: !xetile.tile<32x64xf16>, %b: !xetile.tile<256x32xf16, #xetile.tile_attr<wg_map = <sg_layout = [32, 1], sg_data = [8, 32]>>>, %c: !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>) {
    xetile.prefetch_tile %a : !xetile.tile<32x64xf16>
    xetile.prefetch_tile %a {l1_hint = #xetile.cache_hint<uncached>, l2_hint = #xetile.cache_hint<cached>, l3_hint = #xetile.cache_hint<read_invalidate>} : !xetile.tile<32x64xf16>
    xetile.prefetch_tile %a {note} : !xetile.tile<32x64xf16>
    xetile.prefetch_tile %b : !xetile.tile<256x32xf16, #xetile.tile_attr<wg_map = <sg_layout = [32, 1], sg_data = [8, 32]>>>
    xetile.prefetch_tile %c {l1_hint = #xetile.cache_hint<streaming>} : !xetile.tile<16xf32, #xetile.tile_attr<scattered = true>>
    return
  }
}

