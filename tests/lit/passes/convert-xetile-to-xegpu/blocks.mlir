// RUN: xegpu-opt %s -p convert-xetile-to-xegpu{target=pvc} | filecheck %s

// CHECK-LABEL: gpu.func @hints
gpu.module @m {
  gpu.func @hints(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel {
    // CHECK: %[[A:.*]] = xegpu.create_nd_tdesc %a[0, 16] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
    %t = xetile.init_tile %a[0, 16] : memref<64x64xf16> -> !xetile.tile<8x16xf16>
    %u = xetile.init_tile %b[0, 0] : memref<64x64xf16> -> !xetile.tile<8x16xf16>
    // CHECK: xegpu.prefetch_nd %[[A]] <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>}>
    xetile.prefetch_tile %t {l1_hint = #xetile.cache_hint<cached>, l2_hint = #xetile.cache_hint<uncached>} : !xetile.tile<8x16xf16>
    // CHECK: %[[V:.*]] = xegpu.load_nd %[[A]] <{l1_hint = #xegpu.cache_hint<streaming>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %v = xetile.load_tile %t {l1_hint = #xetile.cache_hint<streaming>, padding = 0.0 : f32} : !xetile.tile<8x16xf16> -> vector<8x16xf16>
    // CHECK: xegpu.store_nd %[[V]], %{{.*}} <{l1_hint = #xegpu.cache_hint<write_back>}>
    xetile.store_tile %v, %u {l1_hint = #xetile.cache_hint<write_back>} : vector<8x16xf16>, !xetile.tile<8x16xf16>
    gpu.return
  }
}

// What is known of lanes stays known.
// CHECK-LABEL: gpu.func @lanes
// CHECK: xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
gpu.module @n {
  gpu.func @lanes(%a: memref<64x64xf16>) kernel {
    %t = xetile.init_tile %a[0, 0] : memref<64x64xf16> -> !xetile.tile<8x16xf16, #xetile.tile_attr<sg_map = <wi_layout = [1, 16], wi_data = [1, 1]>>>
    gpu.return
  }
}

// Descriptors are of memory as it lies: columns are its rows. Moves change places, values are turned.
// CHECK-LABEL: gpu.func @columns
gpu.module @o {
  gpu.func @columns(%a: memref<64x32xf16, strided<[1, 64]>>, %p: i64, %i: index, %j: index) kernel {
    // CHECK: %[[T:.*]] = xegpu.create_nd_tdesc %a[%j, %i], [32, 64], [64, 1] : memref<64x32xf16, strided<[1, 64]>> -> !xegpu.tensor_desc<16x8xf16>
    %t = xetile.init_tile %a[%i, %j] : memref<64x32xf16, strided<[1, 64]>> -> !xetile.tile<8x16xf16, #xetile.tile_attr<order = [0, 1]>>
    // CHECK-NEXT: %[[M:.*]] = xegpu.update_nd_offset %[[T]], [%i, %j]
    %m = xetile.update_tile_offset %t, [%j, %i] : !xetile.tile<8x16xf16, #xetile.tile_attr<order = [0, 1]>>
    // CHECK-NEXT: %[[L:.*]] = xegpu.load_nd %[[M]] : !xegpu.tensor_desc<16x8xf16> -> vector<16x8xf16>
    // CHECK-NEXT: %[[V:.*]] = vector.transpose %[[L]], [1, 0] : vector<16x8xf16> to vector<8x16xf16>
    %v = xetile.load_tile %m : !xetile.tile<8x16xf16, #xetile.tile_attr<order = [0, 1]>> -> vector<8x16xf16>
    // CHECK-NEXT: %[[P:.*]] = xegpu.create_nd_tdesc %p[%j, %i], [32, 64], [64, 1] : i64 -> !xegpu.tensor_desc<16x8xf16>
    %u = xetile.init_tile %p[%i, %j], [64, 32], [1, 64] : i64 -> !xetile.tile<8x16xf16, #xetile.tile_attr<order = [0, 1]>>
    // CHECK-NEXT: %[[W:.*]] = vector.transpose %[[V]], [1, 0] : vector<8x16xf16> to vector<16x8xf16>
    // CHECK-NEXT: xegpu.store_nd %[[W]], %[[P]]
    xetile.store_tile %v, %u : vector<8x16xf16>, !xetile.tile<8x16xf16, #xetile.tile_attr<order = [0, 1]>>
    gpu.return
  }
}

// Lists of sizes and strides are taken over; a layout that says no strides of its own becomes lists.
// CHECK-LABEL: gpu.func @sources
gpu.module @p {
  gpu.func @sources(%a: memref<?x?xf32>, %b: memref<4x64x64xf32>, %c: memref<32x16xf32, affine_map<(i, j) -> (j, i)>>, %h: index, %w: index) kernel {
    // CHECK: xegpu.create_nd_tdesc %a[%h, 0], [%h, %w], [%w, 1] : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>
    %0 = xetile.init_tile %a[%h, 0], [%h, %w], [%w, 1] : memref<?x?xf32> -> !xetile.tile<8x16xf32>
    // CHECK: xegpu.create_nd_tdesc %b[%h, 0, 16] : memref<4x64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %1 = xetile.init_tile %b[%h, 0, 16] : memref<4x64x64xf32> -> !xetile.tile<8x16xf32>
    // CHECK: xegpu.create_nd_tdesc %c[0, 16], [16, 32], [32, 1]
    %2 = xetile.init_tile %c[16, 0] : memref<32x16xf32, affine_map<(i, j) -> (j, i)>> -> !xetile.tile<16x8xf32, #xetile.tile_attr<order = [0, 1]>>
    gpu.return
  }
}
