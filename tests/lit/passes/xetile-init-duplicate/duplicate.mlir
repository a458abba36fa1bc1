// RUN: xegpu-opt %s -p xetile-init-duplicate | filecheck %s

// Tiles that are loaded, stored and prefetched are made once for each purpose.
gpu.module @m {
  // CHECK-LABEL: gpu.func @direct
  gpu.func @direct(%a: memref<64x64xf16>) kernel {
    // CHECK: %[[L:.*]] = xetile.init_tile %a[0, 8]
    // CHECK-NEXT: %[[S:.*]] = xetile.init_tile %a[0, 8]
    // CHECK-NEXT: %[[P:.*]] = xetile.init_tile %a[0, 8]
    // CHECK-NOT: init_tile
    %t = xetile.init_tile %a[0, 8] : memref<64x64xf16> -> !xetile.tile<32x32xf16>
    // CHECK: %[[V:.*]] = xetile.load_tile %[[L]]
    // CHECK-NEXT: xetile.load_tile %[[L]]
    %v = xetile.load_tile %t : !xetile.tile<32x32xf16> -> vector<32x32xf16>
    %w = xetile.load_tile %t : !xetile.tile<32x32xf16> -> vector<32x32xf16>
    // CHECK-NEXT: xetile.store_tile %[[V]], %[[S]]
    xetile.store_tile %v, %t : vector<32x32xf16>, !xetile.tile<32x32xf16>
    // CHECK-NEXT: xetile.prefetch_tile %[[P]]
    xetile.prefetch_tile %t : !xetile.tile<32x32xf16>
    gpu.return
  }

  // So are those that loops carry; one that is carried twice is two tiles.
  // CHECK-LABEL: gpu.func @carried
  gpu.func @carried(%a: memref<64x64xf16>, %c0: index, %n: index, %s: index) kernel {
    // CHECK-COUNT-3: xetile.init_tile
    // CHECK-NOT: init_tile
    %t = xetile.init_tile %a[0, 0] : memref<64x64xf16> -> !xetile.tile<32x32xf16>
    // CHECK: scf.for {{.*}} iter_args(%[[L:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}) -> (!xetile.tile<32x32xf16>, !xetile.tile<32x32xf16>, !xetile.tile<32x32xf16>) {
    %r:2 = scf.for %k = %c0 to %n step %s iter_args(%x = %t, %y = %t) -> (!xetile.tile<32x32xf16>, !xetile.tile<32x32xf16>) {
      // CHECK: xetile.load_tile %[[L]]
      %v = xetile.load_tile %x : !xetile.tile<32x32xf16> -> vector<32x32xf16>
      // CHECK-NEXT: xetile.prefetch_tile %[[P]]
      xetile.prefetch_tile %y : !xetile.tile<32x32xf16>
      // CHECK-NEXT: xetile.store_tile %{{.*}}, %[[S]]
      xetile.store_tile %v, %x : vector<32x32xf16>, !xetile.tile<32x32xf16>
      // CHECK-NEXT: %[[L2:.*]] = xetile.update_tile_offset %[[L]], [%c0, %s]
      // CHECK-NEXT: %[[S2:.*]] = xetile.update_tile_offset %[[S]], [%c0, %s]
      %x2 = xetile.update_tile_offset %x, [%c0, %s] : !xetile.tile<32x32xf16>
      // CHECK-NEXT: %[[P2:.*]] = xetile.update_tile_offset %[[P]], [%s, %c0]
      %y2 = xetile.update_tile_offset %y, [%s, %c0] : !xetile.tile<32x32xf16>
      // CHECK-NEXT: scf.yield %[[L2]], %[[S2]], %[[P2]]
      scf.yield %x2, %y2 : !xetile.tile<32x32xf16>, !xetile.tile<32x32xf16>
    }
    gpu.return
  }

  // What serves one purpose stays as it is.
  // CHECK-LABEL: gpu.func @single
  gpu.func @single(%a: memref<64xi32>, %i: vector<1x16xindex>, %v: vector<1x16xi32>) kernel {
    // CHECK: %[[T:.*]] = xetile.init_tile
    // CHECK-NEXT: xetile.atomic_rmw addi %v, %[[T]]
    // CHECK-NEXT: gpu.return
    %t = xetile.init_tile %a, %i : memref<64xi32>, vector<1x16xindex> -> !xetile.tile<1x16xi32, #xetile.tile_attr<scattered = true>>
    %old = xetile.atomic_rmw addi %v, %t : vector<1x16xi32>, !xetile.tile<1x16xi32, #xetile.tile_attr<scattered = true>> -> vector<1x16xi32>
    gpu.return
  }
}
