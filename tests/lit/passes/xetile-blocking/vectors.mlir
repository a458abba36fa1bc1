// RUN: xegpu-opt %s -p xetile-blocking{target=pvc} --split-input-file | filecheck %s

// Blocks are combined before their elements are; what is repeated is made once; bounds of masks count from each block.
gpu.module @m {
  gpu.func @rows(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %n: index) kernel {
    %c4 = arith.constant 4 : index
    %tx = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<8x32xf32>
    %ty = xetile.init_tile %y[0, 0] : memref<64x64xf32> -> !xetile.tile<8x32xf32>
    %v = xetile.load_tile %tx {padding = 1.0 : f32} : !xetile.tile<8x32xf32> -> vector<8x32xf32>
    %max = xetile.reduction <maximumf>, %v [1] : vector<8x32xf32> -> vector<8x1xf32>
    %all = xetile.broadcast %max [1] : vector<8x1xf32> -> vector<8x32xf32>
    %d = arith.subf %v, %all fastmath<nnan> : vector<8x32xf32>
    %mask = vector.create_mask %c4, %n : vector<8x32xi1>
    %s = arith.select %mask, %d, %v : vector<8x32xi1>, vector<8x32xf32>
    xetile.store_tile %s, %ty {l1_hint = #xetile.cache_hint<streaming>} : vector<8x32xf32>, !xetile.tile<8x32xf32>
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @rows
// CHECK: %v = xetile.load_tile %tx {padding = 1.000000e+00 : f32} : !xetile.tile<8x16xf32> -> vector<8x16xf32>
// CHECK-NEXT: %v_1 = xetile.load_tile %tx_1 {padding = 1.000000e+00 : f32}
// CHECK-NEXT: [[M:%.*]] = arith.maximumf %v, %v_1 : vector<8x16xf32>
// CHECK-NEXT: %max = xetile.reduction <maximumf>, [[M]] [1] : vector<8x16xf32> -> vector<8x1xf32>
// CHECK-NEXT: %all = xetile.broadcast %max [1] : vector<8x1xf32> -> vector<8x16xf32>
// CHECK-NEXT: %d = arith.subf %v, %all fastmath<nnan> : vector<8x16xf32>
// CHECK-NEXT: %d_1 = arith.subf %v_1, %all fastmath<nnan> : vector<8x16xf32>
// CHECK: [[N:%.*]] = arith.subi %n, %{{.*}} : index
// CHECK-NEXT: %mask = vector.create_mask %c4, %n : vector<8x16xi1>
// CHECK-NEXT: %mask_1 = vector.create_mask %c4, [[N]] : vector<8x16xi1>
// CHECK-NEXT: %s = arith.select %mask, %d, %v : vector<8x16xi1>, vector<8x16xf32>
// CHECK: xetile.store_tile %s, %ty {l1_hint = #xetile.cache_hint<streaming>} : vector<8x16xf32>, !xetile.tile<8x16xf32>

// -----

// Nothing but its transpose is wanted of the load: each message brings what one block is made of.
gpu.module @m {
  gpu.func @transposed(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel {
    %ta = xetile.init_tile %a[0, 0] : memref<64x64xf16> -> !xetile.tile<8x16xf16>
    %tb = xetile.init_tile %b[0, 0] : memref<64x64xf16> -> !xetile.tile<32x16xf16>
    %tc = xetile.init_tile %c[0, 0] : memref<64x64xf32> -> !xetile.tile<8x32xf32>
    %va = xetile.load_tile %ta : !xetile.tile<8x16xf16> -> vector<8x16xf16>
    %vb = xetile.load_tile %tb : !xetile.tile<32x16xf16> -> vector<32x16xf16>
    %turned = xetile.transpose %vb, [1, 0] : vector<32x16xf16> -> vector<16x32xf16>
    %product = xetile.tile_mma %va, %turned : vector<8x16xf16>, vector<16x32xf16> -> vector<8x32xf32>
    xetile.store_tile %product, %tc : vector<8x32xf32>, !xetile.tile<8x32xf32>
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @transposed
// CHECK: %tb = xetile.init_tile %b[0, 0] : memref<64x64xf16> -> !xetile.tile<16x16xf16>
// CHECK-NEXT: %tb_1 = xetile.init_tile %b[16, 0] : memref<64x64xf16> -> !xetile.tile<16x16xf16>
// CHECK: %turned = xetile.transpose %vb, [1, 0] : vector<16x16xf16> -> vector<16x16xf16>
// CHECK-NEXT: %turned_1 = xetile.transpose %vb_1, [1, 0] : vector<16x16xf16> -> vector<16x16xf16>
// CHECK-NEXT: %product = xetile.tile_mma %va, %turned : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
// CHECK-NEXT: %product_1 = xetile.tile_mma %va, %turned_1

// -----

// Elements with an address each go by as many as a subgroup has lanes. Constants are cut, equal parts are one.
gpu.module @m {
  gpu.func @scattered(%x: memref<128xf32>) kernel {
    %indices = arith.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47]]> : vector<1x32xindex>
    %step = arith.constant dense<64> : vector<1x32xindex>
    %mask = arith.constant dense<true> : vector<1x32xi1>
    %t = xetile.init_tile %x, %indices : memref<128xf32>, vector<1x32xindex> -> !xetile.tile<1x32xf32, #xetile.tile_attr<scattered = true>>
    %v = xetile.load %t, %mask : !xetile.tile<1x32xf32, #xetile.tile_attr<scattered = true>>, vector<1x32xi1> -> vector<1x32xf32>
    %u = xetile.update_tile_offset %t, %step : !xetile.tile<1x32xf32, #xetile.tile_attr<scattered = true>>, vector<1x32xindex>
    xetile.store %v, %u, %mask : vector<1x32xf32>, !xetile.tile<1x32xf32, #xetile.tile_attr<scattered = true>>, vector<1x32xi1>
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @scattered
// CHECK: %indices = arith.constant dense<{{\[\[}}0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]> : vector<1x16xindex>
// CHECK-NEXT: %indices_1 = arith.constant dense<{{\[\[}}32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47]]> : vector<1x16xindex>
// CHECK-NEXT: %step = arith.constant dense<64> : vector<1x16xindex>
// CHECK: %t = xetile.init_tile %x, %indices : memref<128xf32>, vector<1x16xindex> -> !xetile.tile<1x16xf32, #xetile.tile_attr<scattered = true>>
// CHECK-NEXT: %t_1 = xetile.init_tile %x, %indices_1
// CHECK-NEXT: %v = xetile.load %t, %{{.*}} : !xetile.tile<1x16xf32, #xetile.tile_attr<scattered = true>>, vector<1x16xi1> -> vector<1x16xf32>
// CHECK: %u = xetile.update_tile_offset %t, %step : !xetile.tile<1x16xf32, #xetile.tile_attr<scattered = true>>, vector<1x16xindex>
// CHECK-NEXT: %u_1 = xetile.update_tile_offset %t_1, %step

// -----

// An operation that knows no blocks gets its vector whole; cutting that again finds the blocks that it was made of.
gpu.module @m {
  gpu.func @whole(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %i: index) kernel {
    %tx = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<8x32xf32>
    %ty = xetile.init_tile %y[0, 0] : memref<64x64xf32> -> !xetile.tile<8x32xf32>
    %v = xetile.load_tile %tx : !xetile.tile<8x32xf32> -> vector<8x32xf32>
    %one = vector.extract %v[%i, 3] : f32 from vector<8x32xf32>
    %all = vector.broadcast %one : f32 to vector<8x32xf32>
    %s = arith.addf %v, %all : vector<8x32xf32>
    xetile.store_tile %s, %ty : vector<8x32xf32>, !xetile.tile<8x32xf32>
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @whole
// CHECK: [[ZERO:%.*]] = arith.constant dense<0.000000e+00> : vector<8x32xf32>
// CHECK-NEXT: [[LEFT:%.*]] = vector.insert_strided_slice %v, [[ZERO]] {offsets = [0, 0], strides = [1, 1]} : vector<8x16xf32> into vector<8x32xf32>
// CHECK-NEXT: [[BOTH:%.*]] = vector.insert_strided_slice %v_1, [[LEFT]] {offsets = [0, 16], strides = [1, 1]} : vector<8x16xf32> into vector<8x32xf32>
// CHECK-NEXT: %one = vector.extract [[BOTH]][%i, 3] : f32 from vector<8x32xf32>
// CHECK-NEXT: %all = vector.broadcast %one : f32 to vector<8x16xf32>
// CHECK-NEXT: %s = arith.addf %v, %all : vector<8x16xf32>
// CHECK-NEXT: %s_1 = arith.addf %v_1, %all : vector<8x16xf32>

// -----

// What has nothing to do with tiles stays as it is.
gpu.module @m {
  gpu.func @none(%x: memref<64x64xf32>, %v: vector<64x64xf32>) kernel {
    %t = xetile.init_tile %x[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
    %s = arith.addf %v, %v : vector<64x64xf32>
    xetile.prefetch_tile %t : !xetile.tile<8x16xf32>
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @none
// CHECK: arith.addf %v, %v : vector<64x64xf32>
