// RUN: XEGPU_CANONICAL
module {
  func.func @f(%x: vector<8x16xf32>, %a: !xetile.tile<8x16xf32>, %y: vector<8x16xi32>, %b: !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>>) {
    %0 = xetile.atomic_rmw addf %x, %a : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
    %1 = xetile.atomic_rmw assign %x, %a {note} : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
    %2 = xetile.atomic_rmw maximumf %x, %a : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
    %3 = xetile.atomic_rmw minimumf %x, %a : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
    %4 = xetile.atomic_rmw mulf %x, %a : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
    %5 = xetile.atomic_rmw maxnumf %x, %a : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
    %6 = xetile.atomic_rmw minnumf %x, %a : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
    %7 = xetile.atomic_rmw addi %y, %b : vector<8x16xi32>, !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>> -> vector<8x16xi32>
    %8 = xetile.atomic_rmw assign %y, %b : vector<8x16xi32>, !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>> -> vector<8x16xi32>
    %9 = xetile.atomic_rmw maxs %y, %b : vector<8x16xi32>, !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>> -> vector<8x16xi32>
    %10 = xetile.atomic_rmw maxu %y, %b : vector<8x16xi32>, !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>> -> vector<8x16xi32>
    %11 = xetile.atomic_rmw mins %y, %b : vector<8x16xi32>, !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>> -> vector<8x16xi32>
    %12 = xetile.atomic_rmw minu %y, %b : vector<8x16xi32>, !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>> -> vector<8x16xi32>
    %13 = xetile.atomic_rmw muli %y, %b : vector<8x16xi32>, !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>> -> vector<8x16xi32>
    %14 = xetile.atomic_rmw ori %y, %b : vector<8x16xi32>, !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>> -> vector<8x16xi32>
    %15 = xetile.atomic_rmw andi %y, %b : vector<8x16xi32>, !xetile.tile<8x16xi32, #xetile.tile_attr<scattered = true>> -> vector<8x16xi32>
    return
  }
}

