// RUN: xegpu-opt %s -p 'convert-xegpu-to-xetile,canonicalize' | filecheck %s

// Blocks and products with batch dimensions become those of planes.

!a = !xegpu.tensor_desc<2x8x16xf16>
!b = !xegpu.tensor_desc<2x16x16xf16>
!c = !xegpu.tensor_desc<2x8x16xf32>
gpu.module @m {
  // CHECK-LABEL: @batch
  // The planes of A are inside for any offset of rows.
  // CHECK: xetile.init_tile %a[0, %i, 0] : memref<2x64x16xf16>
  // CHECK: xetile.init_tile %a[1, %i, 0] : memref<2x64x16xf16>
  // Whether a plane of B is inside is computed; if not, the block starts below the last row.
  // CHECK: %[[inside:.*]] = arith.cmpi ult, %p, %{{.*}} : index
  // CHECK: %[[row:.*]] = arith.select %[[inside]], %{{.*}}, %{{.*}} : index
  // CHECK: xetile.init_tile %b[%p, %[[row]], 0] : memref<4x16x16xf16>
  // CHECK-COUNT-2: xetile.tile_mma {{.*}} : vector<8x16xf16>, vector<16x16xf16>
  // CHECK: xetile.store_tile {{.*}} : vector<8x16xf32>
  // The second plane of the result is outside.
  // CHECK: xetile.init_tile %c[2, 8, 0] : memref<2x8x16xf32>
  gpu.func @batch(%a: memref<2x64x16xf16>, %b: memref<4x16x16xf16>, %c: memref<2x8x16xf32>, %i: index, %p: index) kernel {
    %ta = xegpu.create_nd_tdesc %a : memref<2x64x16xf16> -> !a
    %tb = xegpu.create_nd_tdesc %b : memref<4x16x16xf16> -> !b
    %tc = xegpu.create_nd_tdesc %c : memref<2x8x16xf32> -> !c
    %va = xegpu.load_nd %ta[0, %i, 0] : !a -> vector<2x8x16xf16>
    %vb = xegpu.load_nd %tb[%p, 0, 0] : !b -> vector<2x16x16xf16>
    %d = xegpu.dpas %va, %vb : vector<2x8x16xf16>, vector<2x16x16xf16> -> vector<2x8x16xf32>
    xegpu.store_nd %d, %tc[1, 0, 0] : vector<2x8x16xf32>, !c
    gpu.return
  }
}
