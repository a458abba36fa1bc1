// RUN: xegpu-opt %s -p convert-xegpu-to-xetile | filecheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @product
  gpu.func @product(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>, %i: index) kernel {
    // CHECK-NOT: xegpu
    // CHECK: %[[A:.*]] = xetile.init_tile %a[%i, 32] : memref<64x64xf16> -> !xetile.tile<32x32xf16>
    // CHECK-NEXT: xetile.prefetch_tile %[[A]]
    // CHECK: xetile.load_tile %{{.*}} {l1_hint = #xetile.cache_hint<cached>}
    // CHECK: xetile.tile_mma
    // CHECK: xetile.store_tile
    // CHECK-NOT: xegpu
    // CHECK: gpu.return
    %ta = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16, #xegpu.layout<inst_data = [8, 16]>>
    %tb = xegpu.create_nd_tdesc %b : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16>
    %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<32x32xf32>
    xegpu.prefetch_nd %ta[%i, 32] : !xegpu.tensor_desc<32x32xf16, #xegpu.layout<inst_data = [8, 16]>>
    %va = xegpu.load_nd %ta[%i, 32] <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<32x32xf16, #xegpu.layout<inst_data = [8, 16]>> -> vector<32x32xf16>
    %vb = xegpu.load_nd %tb[0, 0] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
    %vc = xegpu.dpas %va, %vb {layout_cd = #xegpu.layout<inst_data = [8, 16]>} : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
    xegpu.store_nd %vc, %tc[%i, 0] : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }

  // Offsets of the descriptor and of the access add up; a descriptor that moves in a loop becomes a tile that moves.
  // CHECK-LABEL: gpu.func @offsets
  gpu.func @offsets(%a: memref<2x64x64xf32>, %i: index) kernel {
    // CHECK: %[[FIRST:.*]] = xetile.init_tile %a[1, 8, 16] : memref<2x64x64xf32>
    // CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %i
    // CHECK: xetile.init_tile %a[1, %[[SUM]], 24] : memref<2x64x64xf32>
    // CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %[[FIRST]]) -> (!xetile.tile<24x48xf32>)
    // CHECK-NEXT: xetile.load_tile %[[T]]
    // CHECK: xetile.update_tile_offset %[[T]]
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = xegpu.create_nd_tdesc %a[1, 8, 16] : memref<2x64x64xf32> -> !xegpu.tensor_desc<24x48xf32>
    %v = xegpu.load_nd %t[%i, 8] : !xegpu.tensor_desc<24x48xf32> -> vector<24x48xf32>
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%d = %t) -> !xegpu.tensor_desc<24x48xf32> {
      %w = xegpu.load_nd %d : !xegpu.tensor_desc<24x48xf32> -> vector<24x48xf32>
      %n = xegpu.update_nd_offset %d, [0, 16] : !xegpu.tensor_desc<24x48xf32>
      scf.yield %n : !xegpu.tensor_desc<24x48xf32>
    }
    gpu.return
  }

  // Sizes and strides of a dynamic memref are those that it has at run time.
  // CHECK-LABEL: gpu.func @dynamic
  gpu.func @dynamic(%a: memref<?x64xf32>) kernel {
    // CHECK: memref.extract_strided_metadata %a
    // CHECK: xetile.init_tile %a[0, 0], [%{{.*}}, 64], [64, 1] : memref<?x64xf32>
    %t = xegpu.create_nd_tdesc %a : memref<?x64xf32> -> !xegpu.tensor_desc<24x48xf32>
    %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<24x48xf32> -> vector<24x48xf32>
    gpu.return
  }

  // What XeTile has no tile for stays: rank 1, packed and transposed blocks, several blocks, fragments of lanes.
  // CHECK-LABEL: gpu.func @stays
  // CHECK-NOT: xetile
  gpu.func @stays(%a: memref<64xf32>, %b: memref<64x64xf16>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t[0] : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %u = xegpu.create_nd_tdesc %b : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %w = xegpu.load_nd %u[0, 0] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
    %l = xegpu.load_nd %u[0, 0] : !xegpu.tensor_desc<16x16xf16> -> vector<16xf16>
    gpu.return
  }

  // So do kernels in the form of the RFC.
  // CHECK-LABEL: gpu.func @older
  // CHECK-NOT: xetile
  gpu.func @older(%b: memref<64x64xf16>) kernel {
    %u = xegpu.create_nd_tdesc %b[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
    %w = xegpu.load_nd %u : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    gpu.return
  }
}
