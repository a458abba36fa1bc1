// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: vector<256x256xf32>) {
    %0 = xetile.convert_layout %a {wg_map_result = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 256]>} : vector<256x256xf32>
    %1 = xetile.convert_layout %a {wg_map_result = #xetile.wg_map<sg_layout = [32, 1], sg_data = [8, 256]>, wg_map_source = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 64]>} : vector<256x256xf32>
    // Subgroups may share what they get.
    %2 = xetile.convert_layout %a {note, wg_map_result = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 256]>} : vector<256x256xf32>
    return
  }
}

