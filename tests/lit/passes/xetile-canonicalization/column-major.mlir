// RUN: xegpu-opt %s -p xetile-canonicalization --split-input-file | filecheck %s

// Tiles whose columns run through memory are those of the transposed plane, wherever they go; padding and hints stay.
#columns = #xetile.tile_attr<order = [0, 1]>
gpu.module @m {
  gpu.func @loop(%a: memref<64x32xf16, strided<[1, 64]>>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %t = xetile.init_tile %a[%i, 16] : memref<64x32xf16, strided<[1, 64]>> -> !xetile.tile<16x8xf16, #columns>
    %last = scf.for %k = %c0 to %c16 step %c4 iter_args(%u = %t) -> (!xetile.tile<16x8xf16, #columns>) {
      %v = xetile.load_tile %u {padding = 1.0 : f32, l1_hint = #xetile.cache_hint<cached>} : !xetile.tile<16x8xf16, #columns> -> vector<16x8xf16>
      xetile.prefetch_tile %u {l3_hint = #xetile.cache_hint<uncached>} : !xetile.tile<16x8xf16, #columns>
      %w = arith.addf %v, %v : vector<16x8xf16>
      %n = xetile.update_tile_offset %u, [%c16, %c4] : !xetile.tile<16x8xf16, #columns>
      xetile.store_tile %w, %n : vector<16x8xf16>, !xetile.tile<16x8xf16, #columns>
      scf.yield %n : !xetile.tile<16x8xf16, #columns>
    }
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @loop
// CHECK: [[PLANE:%.*]] = memref.transpose %a (d0, d1) -> (d1, d0) : memref<64x32xf16, strided<[1, 64]>> to memref<32x64xf16, strided<[64, 1]>>
// CHECK-NEXT: %t = xetile.init_tile [[PLANE]][16, %i] : memref<32x64xf16, strided<[64, 1]>> -> !xetile.tile<8x16xf16>
// CHECK-NEXT: scf.for {{.*}} iter_args(%u = %t) -> (!xetile.tile<8x16xf16>)
// CHECK-NEXT: [[V:%.*]] = xetile.load_tile %u {l1_hint = #xetile.cache_hint<cached>, padding = 1.000000e+00 : f32} : !xetile.tile<8x16xf16> -> vector<8x16xf16>
// CHECK-NEXT: %v = xetile.transpose [[V]], [1, 0] : vector<8x16xf16> -> vector<16x8xf16>
// CHECK-NEXT: xetile.prefetch_tile %u {l3_hint = #xetile.cache_hint<uncached>} : !xetile.tile<8x16xf16>
// CHECK-NEXT: %w = arith.addf %v, %v : vector<16x8xf16>
// CHECK-NEXT: %n = xetile.update_tile_offset %u, [%c4, %c16] : !xetile.tile<8x16xf16>
// CHECK-NEXT: [[W:%.*]] = xetile.transpose %w, [1, 0] : vector<16x8xf16> -> vector<8x16xf16>
// CHECK-NEXT: xetile.store_tile [[W]], %n : vector<8x16xf16>, !xetile.tile<8x16xf16>
// CHECK-NEXT: scf.yield %n : !xetile.tile<8x16xf16>

// -----

// Of memrefs that do not say their shape, and of addresses, the lists are turned; outer dimensions keep their place.
#columns = #xetile.tile_attr<order = [0, 1]>
gpu.module @m {
  gpu.func @lists(%d: memref<?x?x?xf32>, %p: i64, %h: index, %w: index, %s: index, %i: index, %v: vector<16x8xf32>) kernel {
    %t = xetile.init_tile %d[%i, %h, 0], [4, %h, %w], [%s, 1, %h] : memref<?x?x?xf32> -> !xetile.tile<16x8xf32, #columns>
    %u = xetile.init_tile %p[%i, 0], [%h, 64], [1, %h] : i64 -> !xetile.tile<16x8xf32, #columns>
    %old = xetile.atomic_rmw addf %v, %t : vector<16x8xf32>, !xetile.tile<16x8xf32, #columns> -> vector<16x8xf32>
    xetile.store_tile %old, %u : vector<16x8xf32>, !xetile.tile<16x8xf32, #columns>
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @lists
// CHECK: %t = xetile.init_tile %d[%i, 0, %h], [4, %w, %h], [%s, %h, 1] : memref<?x?x?xf32> -> !xetile.tile<8x16xf32>
// CHECK-NEXT: %u = xetile.init_tile %p[0, %i], [64, %h], [%h, 1] : i64 -> !xetile.tile<8x16xf32>
// CHECK-NEXT: [[V:%.*]] = xetile.transpose %v, [1, 0]
// CHECK-NEXT: [[OLD:%.*]] = xetile.atomic_rmw addf [[V]], %t : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>
// CHECK-NEXT: xetile.store_tile [[OLD]], %u : vector<8x16xf32>, !xetile.tile<8x16xf32>

// -----

// Tiles of shared local memory, and those that subgroups share, stay column-major.
gpu.module @m {
  gpu.func @kept(%g: memref<64x64xf32, strided<[1, 64]>>) kernel {
    %m = memref.alloc() : memref<64x64xf32, strided<[1, 64]>, 3>
    %s = xetile.init_tile %m[0, 0] : memref<64x64xf32, strided<[1, 64]>, 3> -> !xetile.tile<16x8xf32, #xetile.tile_attr<order = [0, 1], memory_space = 3>>
    %w = xetile.init_tile %g[0, 0] : memref<64x64xf32, strided<[1, 64]>> -> !xetile.tile<64x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 32]>, order = [0, 1]>>
    xetile.prefetch_tile %w : !xetile.tile<64x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 32]>, order = [0, 1]>>
    xetile.prefetch_tile %s : !xetile.tile<16x8xf32, #xetile.tile_attr<order = [0, 1], memory_space = 3>>
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @kept
// CHECK: %s = xetile.init_tile %m[0, 0] : {{.*}} -> !xetile.tile<16x8xf32, #xetile.tile_attr<order = [0, 1], memory_space = 3 : i64>>
// CHECK: %w = xetile.init_tile %g[0, 0] : {{.*}} -> !xetile.tile<64x64xf32, #xetile.tile_attr<{{.*}}order = [0, 1]>>
