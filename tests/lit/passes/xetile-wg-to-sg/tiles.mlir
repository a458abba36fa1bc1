// Blocks go round robin to subgroups; a subgroup has a tile for each.
// RUN: xegpu-opt %s -p xetile-wg-to-sg{target=pvc},cse | filecheck %s
#rows = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 128]>
#even = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 64]>
#cells = #xetile.wg_map<sg_layout = [2, 2], sg_data = [4, 4]>

gpu.module @kernels {
  // Rows wrap around twice; all columns belong to everyone. Batch offsets stay, for every block.
  // CHECK-LABEL: @round_robin
  // CHECK: %[[ID:.*]] = gpu.subgroup_id : index
  // CHECK: %[[C2:.*]] = arith.constant 2 : index
  // CHECK: %[[ROW:.*]] = arith.divui %[[ID]], %[[C2]] : index
  // CHECK: %[[C32:.*]] = arith.constant 32 : index
  // CHECK: %[[Y0:.*]] = arith.muli %[[ROW]], %[[C32]] : index
  // CHECK: %[[AT0:.*]] = arith.addi %i, %[[Y0]] : index
  // CHECK: %[[T0:.*]] = xetile.init_tile %x[%b, %[[AT0]], 16] : memref<8x1024x512xf16> -> !xetile.tile<32x128xf16>
  // CHECK: %[[C64:.*]] = arith.constant 64 : index
  // CHECK: %[[Y1:.*]] = arith.addi %[[Y0]], %[[C64]] : index
  // CHECK: %[[AT1:.*]] = arith.addi %i, %[[Y1]] : index
  // CHECK: %[[T1:.*]] = xetile.init_tile %x[%b, %[[AT1]], 16] : memref<8x1024x512xf16> -> !xetile.tile<32x128xf16>
  // CHECK: xetile.prefetch_tile %[[T0]] {l1_hint = #xetile.cache_hint<cached>} : !xetile.tile<32x128xf16>
  // CHECK: xetile.prefetch_tile %[[T1]] {l1_hint = #xetile.cache_hint<cached>} : !xetile.tile<32x128xf16>
  gpu.func @round_robin(%x: memref<8x1024x512xf16>, %b: index, %i: index) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xetile.init_tile %x[%b, %i, 16] : memref<8x1024x512xf16> -> !xetile.tile<128x128xf16, #xetile.tile_attr<wg_map = #rows>>
    xetile.prefetch_tile %t {l1_hint = #xetile.cache_hint<cached>} : !xetile.tile<128x128xf16, #xetile.tile_attr<wg_map = #rows>>
    gpu.return
  }

  // Sizes, strides, order and memory space are those of the work group's tile.
  // CHECK-LABEL: @forms
  // CHECK: %[[P:.*]] = xetile.init_tile %p[%{{.*}}, %{{.*}}], [%h, %w], [1, %h] : i64 -> !xetile.tile<32x64xf32, #xetile.tile_attr<order = [0, 1]>>
  // CHECK: %[[S:.*]] = xetile.init_tile %s[%{{.*}}, %{{.*}}] : memref<64x128xf32, 3> -> !xetile.tile<32x64xf32, #xetile.tile_attr<memory_space = 3 : i32>>
  // CHECK: %[[MOVED:.*]] = xetile.update_tile_offset %[[P]], [%h, %w]
  // CHECK: %[[V:.*]] = xetile.load_tile %[[MOVED]] {padding = 1.000000e+00 : f32}
  // CHECK: xetile.store_tile %[[V]], %[[S]] {l1_hint = #xetile.cache_hint<write_back>}
  gpu.func @forms(%p: i64, %h: index, %w: index, %s: memref<64x128xf32, 3>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xetile.init_tile %p[%h, %w], [%h, %w], [1, %h] : i64 -> !xetile.tile<64x128xf32, #xetile.tile_attr<wg_map = #even, order = [0, 1]>>
    %u = xetile.init_tile %s[0, 0] : memref<64x128xf32, 3> -> !xetile.tile<64x128xf32, #xetile.tile_attr<wg_map = #even, memory_space = 3 : i32>>
    %m = xetile.update_tile_offset %t, [%h, %w] : !xetile.tile<64x128xf32, #xetile.tile_attr<wg_map = #even, order = [0, 1]>>
    %v = xetile.load_tile %m {padding = 1.0 : f32} : !xetile.tile<64x128xf32, #xetile.tile_attr<wg_map = #even, order = [0, 1]>> -> vector<64x128xf32>
    xetile.store_tile %v, %u {l1_hint = #xetile.cache_hint<write_back>} : vector<64x128xf32>, !xetile.tile<64x128xf32, #xetile.tile_attr<wg_map = #even, memory_space = 3 : i32>>
    gpu.return
  }

  // Elements with addresses of their own: indices and masks are dealt out as the tile is.
  // CHECK-LABEL: @scattered
  // CHECK: %[[I:.*]] = xetile.load_tile %{{.*}} : !xetile.tile<4x4xindex> -> vector<4x4xindex>
  // CHECK: %[[T:.*]] = xetile.init_tile %f, %[[I]] : memref<4096xf32>, vector<4x4xindex> -> !xetile.tile<4x4xf32, #xetile.tile_attr<scattered = true>>
  // CHECK: %[[M:.*]] = arith.constant dense<true> : vector<4x4xi1>
  // CHECK: %[[V:.*]] = xetile.load %[[T]], %[[M]]
  // CHECK: %[[U:.*]] = xetile.update_tile_offset %[[T]], %[[I]]
  // CHECK: xetile.store %[[V]], %[[U]], %[[M]]
  // CHECK: xetile.atomic_rmw addf %[[V]], %[[U]] : vector<4x4xf32>
  gpu.func @scattered(%f: memref<4096xf32>, %g: memref<8x8xindex>) kernel attributes {VectorComputeFunctionINTEL} {
    %gt = xetile.init_tile %g[0, 0] : memref<8x8xindex> -> !xetile.tile<8x8xindex, #xetile.tile_attr<wg_map = #cells>>
    %i = xetile.load_tile %gt : !xetile.tile<8x8xindex, #xetile.tile_attr<wg_map = #cells>> -> vector<8x8xindex>
    %t = xetile.init_tile %f, %i : memref<4096xf32>, vector<8x8xindex> -> !xetile.tile<8x8xf32, #xetile.tile_attr<wg_map = #cells, scattered = true>>
    %m = arith.constant dense<true> : vector<8x8xi1>
    %v = xetile.load %t, %m : !xetile.tile<8x8xf32, #xetile.tile_attr<wg_map = #cells, scattered = true>>, vector<8x8xi1> -> vector<8x8xf32>
    %u = xetile.update_tile_offset %t, %i : !xetile.tile<8x8xf32, #xetile.tile_attr<wg_map = #cells, scattered = true>>, vector<8x8xindex>
    xetile.store %v, %u, %m : vector<8x8xf32>, !xetile.tile<8x8xf32, #xetile.tile_attr<wg_map = #cells, scattered = true>>, vector<8x8xi1>
    %o = xetile.atomic_rmw addf %v, %u : vector<8x8xf32>, !xetile.tile<8x8xf32, #xetile.tile_attr<wg_map = #cells, scattered = true>> -> vector<8x8xf32>
    gpu.return
  }

  // A kernel of subgroups stays what it is.
  // CHECK-LABEL: @subgroup
  // CHECK-NEXT: %t = xetile.init_tile %x[0, 0]
  // CHECK-NEXT: xetile.prefetch_tile %t
  // CHECK-NEXT: gpu.return
  gpu.func @subgroup(%x: memref<64x64xf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xetile.init_tile %x[0, 0] : memref<64x64xf16> -> !xetile.tile<64x64xf16>
    xetile.prefetch_tile %t : !xetile.tile<64x64xf16>
    gpu.return
  }
}
