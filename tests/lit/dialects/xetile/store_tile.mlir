// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: !xetile.tile<32x64xf16>, %x: vector<32x64xf16>, %b: !xetile.tile<256x256xf32, #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 64]>>>, %y: vector<256x256xf32>, %c: !xetile.tile<128x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [16, 16]>, order = [0, 1]>>, %z: vector<128x64xf32>) {
    xetile.store_tile %x, %a : vector<32x64xf16>, !xetile.tile<32x64xf16>
    xetile.store_tile %x, %a {l1_hint = #xetile.cache_hint<write_back>, l2_hint = #xetile.cache_hint<write_through>, l3_hint = #xetile.cache_hint<uncached>} : vector<32x64xf16>, !xetile.tile<32x64xf16>
    xetile.store_tile %x, %a {l1_hint = #xetile.cache_hint<streaming>, note = 1 : i32} : vector<32x64xf16>, !xetile.tile<32x64xf16>
    xetile.store_tile %y, %b : vector<256x256xf32>, !xetile.tile<256x256xf32, #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 64]>>>
    // Each subgroup owns several blocks.
    xetile.store_tile %z, %c : vector<128x64xf32>, !xetile.tile<128x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [16, 16]>, order = [0, 1]>>
    return
  }
}

