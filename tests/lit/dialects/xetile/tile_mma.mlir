// RUN: XEGPU_CANONICAL
module {
  func.func @subgroup(%a: vector<32x64xf16>, %b: vector<64x48xf16>, %c: vector<32x48xf32>, %d: vector<32x48xf16>, %e: vector<32x64xbf16>, %f: vector<64x48xbf16>, %g: vector<8x8xtf32>, %h: vector<8x16xtf32>, %i: vector<8x32xi8>, %j: vector<32x16xi8>, %k: vector<8x16xi32>) {
    %0 = xetile.tile_mma %a, %b : vector<32x64xf16>, vector<64x48xf16> -> vector<32x48xf32>
    %1 = xetile.tile_mma %a, %b, %c : vector<32x64xf16>, vector<64x48xf16>, vector<32x48xf32> -> vector<32x48xf32>
    %2 = xetile.tile_mma %a, %b, %d {note} : vector<32x64xf16>, vector<64x48xf16>, vector<32x48xf16> -> vector<32x48xf16>
    %3 = xetile.tile_mma %e, %f : vector<32x64xbf16>, vector<64x48xbf16> -> vector<32x48xbf16>
    %4 = xetile.tile_mma %g, %h : vector<8x8xtf32>, vector<8x16xtf32> -> vector<8x16xf32>
    %5 = xetile.tile_mma %i, %j, %k : vector<8x32xi8>, vector<32x16xi8>, vector<8x16xi32> -> vector<8x16xi32>
    return
  }
  func.func @work_group(%a: vector<256x32xf16>, %b: vector<32x256xf16>, %c: vector<256x256xf32>) {
    %0 = xetile.tile_mma %a, %b, %c {wg_map_a = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 32]>, wg_map_b = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 64]>, wg_map_c = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 64]>} : vector<256x32xf16>, vector<32x256xf16>, vector<256x256xf32> -> vector<256x256xf32>
    %1 = xetile.tile_mma %a, %b {wg_map_a = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 32]>} : vector<256x32xf16>, vector<32x256xf16> -> vector<256x256xf32>
    return
  }
}

