// RUN: xegpu-opt %s -p convert-xetile-to-xegpu{target=pvc} | filecheck %s

// Scattered tiles become a descriptor for each stretch of lanes; padding is put where the mask says no.
gpu.module @m {
  // CHECK-LABEL: gpu.func @scattered
  gpu.func @scattered(%a: memref<1024xf32>, %i: vector<3x8xindex>, %m: vector<3x8xi1>) kernel {
    // CHECK: %[[I:.*]] = vector.shape_cast %i : vector<3x8xindex> to vector<24xindex>
    // CHECK-NEXT: %[[I0:.*]] = vector.extract_strided_slice %[[I]] {offsets = [0], sizes = [16], strides = [1]}
    // CHECK-NEXT: %[[I1:.*]] = vector.extract_strided_slice %[[I]] {offsets = [16], sizes = [8], strides = [1]}
    // CHECK-NEXT: %[[D0:.*]] = xegpu.create_tdesc %a, %[[I0]] : memref<1024xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
    // CHECK-NEXT: %[[D1:.*]] = xegpu.create_tdesc %a, %[[I1]] : memref<1024xf32>, vector<8xindex> -> !xegpu.tensor_desc<8xf32, #xegpu.scatter_tdesc_attr<>>
    %t = xetile.init_tile %a, %i : memref<1024xf32>, vector<3x8xindex> -> !xetile.tile<3x8xf32, #xetile.tile_attr<scattered = true>>
    // CHECK: %[[U0:.*]] = xegpu.update_offset %[[D0]]
    // CHECK: %[[U1:.*]] = xegpu.update_offset %[[D1]]
    %u = xetile.update_tile_offset %t, %i : !xetile.tile<3x8xf32, #xetile.tile_attr<scattered = true>>, vector<3x8xindex>
    // CHECK: xegpu.prefetch %[[U0]]
    // CHECK: xegpu.prefetch %[[U1]]
    xetile.prefetch_tile %u : !xetile.tile<3x8xf32, #xetile.tile_attr<scattered = true>>
    // CHECK: xegpu.load %[[U0]]
    // CHECK: xegpu.load %[[U1]]
    // CHECK: %[[LOADED:.*]] = vector.shape_cast %{{.*}} : vector<24xf32> to vector<3x8xf32>
    // CHECK-NEXT: %[[PADDING:.*]] = arith.constant dense<2.000000e+00> : vector<3x8xf32>
    // CHECK-NEXT: arith.select %m, %[[LOADED]], %[[PADDING]]
    %v = xetile.load %u, %m {padding = 2.0 : f32} : !xetile.tile<3x8xf32, #xetile.tile_attr<scattered = true>>, vector<3x8xi1> -> vector<3x8xf32>
    // CHECK: xegpu.store %{{.*}}, %[[D0]], %{{.*}} : vector<16xf32>
    // CHECK: xegpu.store %{{.*}}, %[[D1]], %{{.*}} : vector<8xf32>
    xetile.store %v, %t, %m : vector<3x8xf32>, !xetile.tile<3x8xf32, #xetile.tile_attr<scattered = true>>, vector<3x8xi1>
    gpu.return
  }

  // Shared local memory: a line for each row, as long as the tile cannot cross an edge.
  // CHECK-LABEL: gpu.func @shared
  gpu.func @shared(%k: index, %v: vector<2x16xf16>) kernel {
    %slm = memref.alloc() : memref<8x32xf16, 3>
    %c16 = arith.constant 16 : index
    %x = arith.muli %k, %c16 : index
    %t = xetile.init_tile %slm[2, %x] : memref<8x32xf16, 3> -> !xetile.tile<2x16xf16, #xetile.tile_attr<memory_space = 3 : i32>>
    // CHECK: %[[R0:.*]] = xegpu.create_nd_tdesc %slm[2, %x] : memref<8x32xf16, 3> -> !xegpu.tensor_desc<16xf16, #xegpu.block_tdesc_attr<memory_space = slm, boundary_check = false>>
    // CHECK: xegpu.store_nd %{{.*}}, %[[R0]] : vector<16xf16>
    // CHECK: %[[R1:.*]] = xegpu.create_nd_tdesc %slm[3, %x]
    // CHECK: xegpu.store_nd %{{.*}}, %[[R1]] : vector<16xf16>
    xetile.store_tile %v, %t : vector<2x16xf16>, !xetile.tile<2x16xf16, #xetile.tile_attr<memory_space = 3 : i32>>
    // CHECK-NOT: prefetch
    xetile.prefetch_tile %t : !xetile.tile<2x16xf16, #xetile.tile_attr<memory_space = 3 : i32>>
    // Rows that follow one another are one line.
    // CHECK: xegpu.create_nd_tdesc %slm[4, 0] : memref<8x32xf16, 3> -> !xegpu.tensor_desc<64xf16, #xegpu.block_tdesc_attr<memory_space = slm, boundary_check = false>>
    %w = xetile.init_tile %slm[4, 0] : memref<8x32xf16, 3> -> !xetile.tile<2x32xf16, #xetile.tile_attr<memory_space = 3 : i32>>
    %y = xetile.load_tile %w : !xetile.tile<2x32xf16, #xetile.tile_attr<memory_space = 3 : i32>> -> vector<2x32xf16>
    // CHECK: xegpu.create_tdesc
    // CHECK: xegpu.load %{{.*}} : !xegpu.tensor_desc<16xf16, #xegpu.scatter_tdesc_attr<memory_space = slm>>
    %u = xetile.init_tile %slm[%k, %x] : memref<8x32xf16, 3> -> !xetile.tile<2x16xf16, #xetile.tile_attr<memory_space = 3 : i32>>
    %z = xetile.load_tile %u : !xetile.tile<2x16xf16, #xetile.tile_attr<memory_space = 3 : i32>> -> vector<2x16xf16>
    gpu.return
  }

  // Padding other than zero needs to know what lies outside.
  // CHECK-LABEL: gpu.func @padding
  gpu.func @padding(%a: memref<64x60xf32>, %i: index) kernel {
    %t = xetile.init_tile %a[%i, 48] : memref<64x60xf32> -> !xetile.tile<8x16xf32>
    // CHECK: %[[D:.*]] = xegpu.create_nd_tdesc %a[%i, %{{.*}}]
    // CHECK: %[[L:.*]] = xegpu.load_nd %[[D]]
    // CHECK: arith.cmpi ult, %{{.*}} : vector<8xindex>
    // CHECK: arith.cmpi ult, %{{.*}} : vector<16xindex>
    // CHECK: %[[IN:.*]] = arith.andi %{{.*}} : vector<8x16xi1>
    // CHECK: arith.select %[[IN]], %[[L]], %{{.*}}
    %v = xetile.load_tile %t {padding = 1.0 : f32} : !xetile.tile<8x16xf32> -> vector<8x16xf32>
    gpu.return
  }

  // Atomic updates go element by element, as far as these lie inside.
  // CHECK-LABEL: gpu.func @atomics
  gpu.func @atomics(%a: memref<64x64xi32>, %i: index, %v: vector<1x16xi32>) kernel {
    // CHECK: %[[LINE:.*]] = memref.reinterpret_cast %a to offset: [0], sizes: [4096], strides: [1] : memref<64x64xi32> to memref<4096xi32>
    // CHECK: %[[D:.*]] = xegpu.create_tdesc %[[LINE]]
    // CHECK: xegpu.atomic_rmw addi %[[D]], %{{.*}}, %{{.*}} : !xegpu.tensor_desc<16xi32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xi32> -> vector<16xi32>
    %t = xetile.init_tile %a[%i, 0] : memref<64x64xi32> -> !xetile.tile<1x16xi32>
    %old = xetile.atomic_rmw addi %v, %t : vector<1x16xi32>, !xetile.tile<1x16xi32> -> vector<1x16xi32>
    gpu.return
  }
}
