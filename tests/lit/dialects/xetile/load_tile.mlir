// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: !xetile.tile<32x64xf16>, %b: !xetile.tile<32x64xi8>, %c: !xetile.tile<16x16xf32, #xetile.tile_attr<order = [0, 1], memory_space = 3 : i32>>, %d: !xetile.tile<256x256xf16, #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 64]>>>, %e: !xetile.tile<8x16xindex>) {
    %0 = xetile.load_tile %a : !xetile.tile<32x64xf16> -> vector<32x64xf16>
    %1 = xetile.load_tile %a {l1_hint = #xetile.cache_hint<cached>, l2_hint = #xetile.cache_hint<uncached>, l3_hint = #xetile.cache_hint<streaming>, padding = 0.000000e+00 : f32} : !xetile.tile<32x64xf16> -> vector<32x64xf16>
    %2 = xetile.load_tile %a {l1_hint = #xetile.cache_hint<read_invalidate>, note} : !xetile.tile<32x64xf16> -> vector<32x64xf16>
    %3 = xetile.load_tile %a {padding = 1 : i32} : !xetile.tile<32x64xf16> -> vector<32x64xf16>
    %4 = xetile.load_tile %b {padding = -128 : i32} : !xetile.tile<32x64xi8> -> vector<32x64xi8>
    %5 = xetile.load_tile %b {padding = 255 : i32} : !xetile.tile<32x64xi8> -> vector<32x64xi8>
    %6 = xetile.load_tile %c : !xetile.tile<16x16xf32, #xetile.tile_attr<order = [0, 1], memory_space = 3 : i32>> -> vector<16x16xf32>
    %7 = xetile.load_tile %d : !xetile.tile<256x256xf16, #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 64]>>> -> vector<256x256xf16>
    %8 = xetile.load_tile %e {padding = 7 : i32} : !xetile.tile<8x16xindex> -> vector<8x16xindex>
    return
  }
}

