// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' -t xe-asm | filecheck %s
// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc pipeline-stages=2}' -t xe-asm | filecheck %s --check-prefix=STAGES

// Prefetches arrive where they stand, at every level: in the loop, in front of the products that they run beside.
// CHECK-LABEL:   // kernel work_group
// CHECK:         L1:
// CHECK-COUNT-2: prefetch_block2d
// CHECK-NOT:     prefetch
// CHECK:         dpas
// CHECK:         jmpi {{.*}} L1

// With two stages two turns are one, and the last ones are behind the loop.
// STAGES-LABEL:   // kernel work_group
// STAGES:         L1:
// STAGES-COUNT-4: prefetch_block2d
// STAGES:         jmpi {{.*}} L1
// STAGES-COUNT-4: prefetch_block2d
// STAGES-NOT:     prefetch
// STAGES-LABEL:   // kernel subgroup_tiles
#a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [8, 16]>
#b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
!ga = !xetile.tile<16x16xf16, #xetile.tile_attr<wg_map = #a>>
!gb = !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #b>>
!gc = !xetile.tile<16x32xf32, #xetile.tile_attr<wg_map = #a>>
!sa = !xetile.tile<8x16xf16>
!sb = !xetile.tile<16x16xf16>
!a = !xegpu.tensor_desc<8x16xf16>
!b = !xegpu.tensor_desc<16x16xf16>
!wa = !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
!s = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @m {
  gpu.func @work_group(%a: memref<64x256xf16>, %b: memref<256x64xf16>, %c: memref<64x64xf32>) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %a0 = xetile.init_tile %a[0, 0] : memref<64x256xf16> -> !ga
    %b0 = xetile.init_tile %b[0, 0] : memref<256x64xf16> -> !gb
    %zero = arith.constant dense<0.0> : vector<16x32xf32>
    %r:3 = scf.for %k = %c0 to %c256 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero) -> (!ga, !gb, vector<16x32xf32>) {
      %va = xetile.load_tile %ta : !ga -> vector<16x16xf16>
      %vb = xetile.load_tile %tb : !gb -> vector<16x32xf16>
      %na = xetile.update_tile_offset %ta, [%c0, %c16] : !ga
      %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !gb
      xetile.prefetch_tile %na : !ga
      xetile.prefetch_tile %nb : !gb
      %sum = xetile.tile_mma %va, %vb, %acc {wg_map_a = #a, wg_map_b = #b, wg_map_c = #a}
          : vector<16x16xf16>, vector<16x32xf16>, vector<16x32xf32> -> vector<16x32xf32>
      scf.yield %na, %nb, %sum : !ga, !gb, vector<16x32xf32>
    }
    %tc = xetile.init_tile %c[0, 0] : memref<64x64xf32> -> !gc
    xetile.store_tile %r#2, %tc : vector<16x32xf32>, !gc
    gpu.return
  }

  // CHECK-LABEL:   // kernel subgroup_tiles
  // CHECK:         L1:
  // CHECK-COUNT-2: prefetch_block2d
  // CHECK:         jmpi {{.*}} L1
  gpu.func @subgroup_tiles(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %a0 = xetile.init_tile %a[0, 0] : memref<64x64xf16> -> !sa
    %b0 = xetile.init_tile %b[0, 0] : memref<64x64xf16> -> !sb
    %r:2 = scf.for %k = %c0 to %c64 step %c16 iter_args(%ta = %a0, %tb = %b0) -> (!sa, !sb) {
      xetile.prefetch_tile %ta : !sa
      xetile.prefetch_tile %tb : !sb
      %na = xetile.update_tile_offset %ta, [%c0, %c16] : !sa
      %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !sb
      scf.yield %na, %nb : !sa, !sb
    }
    gpu.return
  }

  // CHECK-LABEL: // kernel subgroup_blocks
  // CHECK:       L1:
  // CHECK:       prefetch_block2d.ugm{{.*}}.ca.ca
  // CHECK:       prefetch_block2d
  // CHECK:       prefetch
  // CHECK:       jmpi {{.*}} L1
  gpu.func @subgroup_blocks(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<1024xf32>) kernel
      attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %lanes = vector.step : vector<16xindex>
    scf.for %k = %c0 to %c64 step %c16 {
      %ta = xegpu.create_nd_tdesc %a[0, %k] : memref<64x64xf16> -> !a
      %tb = xegpu.create_nd_tdesc %b[%k, 0] : memref<64x64xf16> -> !b
      xegpu.prefetch_nd %ta <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<cached>}> : !a
      xegpu.prefetch_nd %tb : !b
      %tc = xegpu.create_tdesc %c, %lanes : memref<1024xf32>, vector<16xindex> -> !s
      xegpu.prefetch %tc : !s
    }
    gpu.return
  }

  // CHECK-LABEL: // kernel work_items
  // CHECK:       L1:
  // CHECK:       prefetch_block2d
  // CHECK:       jmpi {{.*}} L1
  gpu.func @work_items(%a: memref<64x64xf16>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %k = %c0 to %c64 step %c16 {
      %t = xegpu.create_nd_tdesc %a[0, %k] : memref<64x64xf16> -> !wa
      xegpu.prefetch_nd %t : !wa
    }
    gpu.return
  }
}
