// RUN: XEGPU_CANONICAL
module {
  func.func @f(%a: !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, %m: vector<4x16xi1>, %b: !xetile.tile<16xi8, #xetile.tile_attr<memory_space = 3 : i32, scattered = true>>, %n: vector<16xi1>) {
    %0 = xetile.load %a, %m : !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<4x16xi1> -> vector<4x16xf32>
    %1 = xetile.load %a, %m {l1_hint = #xetile.cache_hint<cached>, l2_hint = #xetile.cache_hint<uncached>, l3_hint = #xetile.cache_hint<streaming>, padding = 1.000000e+00 : f32} : !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<4x16xi1> -> vector<4x16xf32>
    %2 = xetile.load %b, %n {note, padding = 1 : i32} : !xetile.tile<16xi8, #xetile.tile_attr<memory_space = 3 : i32, scattered = true>>, vector<16xi1> -> vector<16xi8>
    xetile.store %0, %a, %m : vector<4x16xf32>, !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<4x16xi1>
    xetile.store %0, %a, %m {l1_hint = #xetile.cache_hint<write_through>, l2_hint = #xetile.cache_hint<write_back>, l3_hint = #xetile.cache_hint<uncached>} : vector<4x16xf32>, !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<4x16xi1>
    xetile.store %2, %b, %n {note} : vector<16xi8>, !xetile.tile<16xi8, #xetile.tile_attr<memory_space = 3 : i32, scattered = true>>, vector<16xi1>
    return
  }
}

