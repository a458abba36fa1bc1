// Operations without effects merge and disappear; loads merge with loads, and nothing else does.
// RUN: xegpu-opt %s -p cse,dce | filecheck %s

// CHECK-LABEL: func.func @unused
// CHECK-NEXT: return
func.func @unused(%m: memref<64x64xf16>, %i: index, %a: vector<32x32xf16>, %s: !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, %k: vector<4x16xi1>) {
  %0 = xetile.init_tile %m[0, 0] : memref<64x64xf16> -> !xetile.tile<32x32xf16>
  %1 = xetile.update_tile_offset %0, [%i, %i] : !xetile.tile<32x32xf16>
  %2 = xetile.load_tile %1 : !xetile.tile<32x32xf16> -> vector<32x32xf16>
  %3 = xetile.tile_mma %a, %a : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
  %4 = xetile.transpose %a, [1, 0] : vector<32x32xf16> -> vector<32x32xf16>
  %5 = xetile.reduction <add>, %a [1] : vector<32x32xf16> -> vector<32x1xf16>
  %6 = xetile.broadcast %5 [1] : vector<32x1xf16> -> vector<32x32xf16>
  %7 = xetile.convert_layout %a {wg_map_result = #xetile.wg_map<sg_layout = [1, 1], sg_data = [32, 32]>} : vector<32x32xf16>
  %8 = xetile.load %s, %k : !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<4x16xi1> -> vector<4x16xf32>
  return
}

// CHECK-LABEL: func.func @others_see
func.func @others_see(%t: !xetile.tile<8x16xf32>, %x: vector<8x16xf32>, %s: !xetile.tile<8x16xf32, #xetile.tile_attr<scattered = true>>, %k: vector<8x16xi1>) {
  // CHECK-COUNT-2: xetile.atomic_rmw
  %0 = xetile.atomic_rmw addf %x, %t : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
  %1 = xetile.atomic_rmw addf %x, %t : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
  // CHECK-COUNT-2: xetile.prefetch_tile
  xetile.prefetch_tile %t : !xetile.tile<8x16xf32>
  xetile.prefetch_tile %t : !xetile.tile<8x16xf32>
  // CHECK-COUNT-2: xetile.store_tile
  xetile.store_tile %x, %t : vector<8x16xf32>, !xetile.tile<8x16xf32>
  xetile.store_tile %x, %t : vector<8x16xf32>, !xetile.tile<8x16xf32>
  // CHECK-COUNT-2: xetile.store %x
  xetile.store %x, %s, %k : vector<8x16xf32>, !xetile.tile<8x16xf32, #xetile.tile_attr<scattered = true>>, vector<8x16xi1>
  xetile.store %x, %s, %k : vector<8x16xf32>, !xetile.tile<8x16xf32, #xetile.tile_attr<scattered = true>>, vector<8x16xi1>
  // CHECK-NEXT: return
  return
}

// A store between two loads keeps them apart.
// CHECK-LABEL: func.func @loads
func.func @loads(%t: !xetile.tile<8x16xf32>) {
  // CHECK-COUNT-1: xetile.load_tile
  %0 = xetile.load_tile %t : !xetile.tile<8x16xf32> -> vector<8x16xf32>
  %1 = xetile.load_tile %t : !xetile.tile<8x16xf32> -> vector<8x16xf32>
  // CHECK-NEXT: arith.addf
  %2 = arith.addf %0, %1 : vector<8x16xf32>
  // CHECK-NEXT: xetile.store_tile
  xetile.store_tile %2, %t : vector<8x16xf32>, !xetile.tile<8x16xf32>
  // CHECK-NEXT: xetile.load_tile
  %3 = xetile.load_tile %t : !xetile.tile<8x16xf32> -> vector<8x16xf32>
  // CHECK-NEXT: xetile.store_tile
  xetile.store_tile %3, %t : vector<8x16xf32>, !xetile.tile<8x16xf32>
  return
}
