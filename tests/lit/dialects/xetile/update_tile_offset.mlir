// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: !xetile.tile<32x64xf16>, %b: !xetile.tile<64x32xf16, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 16]>, order = [0, 1]>>, %c: !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, %d: !xetile.tile<16xf32, #xetile.tile_attr<memory_space = 3 : i32, scattered = true>>, %i: index, %j: vector<4x16xindex>, %k: vector<16xindex>) {
    %0 = xetile.update_tile_offset %a, [%i, %i] : !xetile.tile<32x64xf16>
    %1 = xetile.update_tile_offset %a, [%i, %i] {note} : !xetile.tile<32x64xf16>
    %2 = xetile.update_tile_offset %b, [%i, %i] : !xetile.tile<64x32xf16, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 16]>, order = [0, 1]>>
    %3 = xetile.update_tile_offset %c, %j : !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<4x16xindex>
    %4 = xetile.update_tile_offset %d, %k {note = 1 : i32} : !xetile.tile<16xf32, #xetile.tile_attr<memory_space = 3 : i32, scattered = true>>, vector<16xindex>
    return
  }
}

