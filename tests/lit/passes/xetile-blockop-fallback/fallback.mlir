// RUN: xegpu-opt %s -p xetile-blockop-fallback{target=pvc} | filecheck %s
// RUN: xegpu-opt %s -p 'xetile-blockop-fallback{target=pvc pitch=false}' | filecheck %s --check-prefix=NARROW
// RUN: xegpu-opt %s -p 'xetile-blockop-fallback{target=arc}' | filecheck %s --check-prefix=NARROW

gpu.module @m {
  // A pitch of 40 bytes is too small for block messages: loops carry row and column, accesses are masked.
  // CHECK-LABEL: gpu.func @narrow
  // NARROW-LABEL: gpu.func @narrow
  gpu.func @narrow(%a: memref<32x20xf16>, %c0: index, %n: index, %s: index) kernel {
    // NARROW: scf.for {{.*}} -> (!xetile.tile<4x8xf16>)
    // CHECK: %[[Y:.*]] = arith.constant 0 : index
    // CHECK: %[[X:.*]] = arith.constant 8 : index
    %t = xetile.init_tile %a[0, 8] : memref<32x20xf16> -> !xetile.tile<4x8xf16>
    // CHECK: scf.for {{.*}} iter_args(%[[ROW:.*]] = %[[Y]], %[[COLUMN:.*]] = %[[X]]) -> (index, index)
    %r = scf.for %k = %c0 to %n step %s iter_args(%x = %t) -> (!xetile.tile<4x8xf16>) {
      // CHECK: %[[INDICES:.*]] = arith.addi %{{.*}} : vector<4x8xindex>
      // CHECK: %[[FLAT:.*]] = memref.reinterpret_cast %a to offset: [0], sizes: [640], strides: [1] : memref<32x20xf16> to memref<640xf16>
      // CHECK: %[[T:.*]] = xetile.init_tile %[[FLAT]], %[[INDICES]] : memref<640xf16>, vector<4x8xindex> -> !xetile.tile<4x8xf16, #xetile.tile_attr<scattered = true>>
      // CHECK: %[[MASK:.*]] = arith.andi %{{.*}} : vector<4x8xi1>
      // CHECK: %[[V:.*]] = xetile.load %[[T]], %[[MASK]] {l1_hint = #xetile.cache_hint<cached>, padding = 1.000000e+00 : f32}
      %v = xetile.load_tile %x {padding = 1.0 : f32, l1_hint = #xetile.cache_hint<cached>} : !xetile.tile<4x8xf16> -> vector<4x8xf16>
      // CHECK: xetile.store %[[V]]
      xetile.store_tile %v, %x : vector<4x8xf16>, !xetile.tile<4x8xf16>
      // CHECK: arith.addi %[[ROW]], %s
      // CHECK: arith.addi %[[COLUMN]], %c0
      %x2 = xetile.update_tile_offset %x, [%s, %c0] : !xetile.tile<4x8xf16>
      scf.yield %x2 : !xetile.tile<4x8xf16>
    }
    gpu.return
  }

  // A pitch that is a multiple of 16 and at least 64 bytes is none of this pass's business.
  // CHECK-LABEL: gpu.func @wide
  gpu.func @wide(%a: memref<32x32xf16>) kernel {
    // CHECK: xetile.init_tile %a[0, 0] : memref<32x32xf16> -> !xetile.tile<4x8xf16>
    // CHECK: xetile.load_tile
    %t = xetile.init_tile %a[0, 0] : memref<32x32xf16> -> !xetile.tile<4x8xf16>
    %v = xetile.load_tile %t : !xetile.tile<4x8xf16> -> vector<4x8xf16>
    gpu.return
  }

  // Nothing of a tile that divides its buffer, and starts at a multiple of its shape, can lie outside.
  // CHECK-LABEL: gpu.func @atomic
  gpu.func @atomic(%a: memref<32x32xi32>, %v: vector<1x16xi32>, %i: index) kernel {
    // CHECK: xetile.atomic_rmw addi %v, %{{.*}} : vector<1x16xi32>, !xetile.tile<1x16xi32, #xetile.tile_attr<scattered = true>>
    %t = xetile.init_tile %a[%i, 16] : memref<32x32xi32> -> !xetile.tile<1x16xi32>
    %x = xetile.atomic_rmw addi %v, %t : vector<1x16xi32>, !xetile.tile<1x16xi32> -> vector<1x16xi32>
    // An atomic update has no mask: the block stays.
    // CHECK: xetile.atomic_rmw addi %v, %{{.*}} : vector<1x16xi32>, !xetile.tile<1x16xi32>
    %u = xetile.init_tile %a[%i, 8] : memref<32x32xi32> -> !xetile.tile<1x16xi32>
    %y = xetile.atomic_rmw addi %v, %u : vector<1x16xi32>, !xetile.tile<1x16xi32> -> vector<1x16xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shared
  // NARROW-LABEL: gpu.func @shared
  gpu.func @shared(%i: index) kernel {
    %slm = memref.alloc() : memref<32x32xf32, 3>
    // CHECK: xetile.load_tile
    // NARROW: xetile.load_tile
    %t = xetile.init_tile %slm[8, 16] : memref<32x32xf32, 3> -> !xetile.tile<8x16xf32, #xetile.tile_attr<memory_space = 3 : i32>>
    %v = xetile.load_tile %t : !xetile.tile<8x16xf32, #xetile.tile_attr<memory_space = 3 : i32>> -> vector<8x16xf32>
    // CHECK: xetile.load %{{.*}} : !xetile.tile<8x16xf32, #xetile.tile_attr<memory_space = 3 : i32, scattered = true>>
    // NARROW: xetile.load %
    %u = xetile.init_tile %slm[%i, 16] : memref<32x32xf32, 3> -> !xetile.tile<8x16xf32, #xetile.tile_attr<memory_space = 3 : i32>>
    %w = xetile.load_tile %u : !xetile.tile<8x16xf32, #xetile.tile_attr<memory_space = 3 : i32>> -> vector<8x16xf32>
    gpu.return
  }
}
