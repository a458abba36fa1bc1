// RUN: xegpu-opt %s -p convert-xetile-to-xegpu{target=pvc} | filecheck %s

// Descriptors are carried in place of tiles; of blocks that are placed, row and column are.
gpu.module @m {
  // CHECK-LABEL: gpu.func @loops
  gpu.func @loops(%a: memref<64x64xf32>, %n: index, %c0: index, %c8: index, %p: i1) kernel {
    // CHECK: %[[T:.*]] = scf.if %p -> (!xegpu.tensor_desc<8x16xf32>) {
    %t = scf.if %p -> (!xetile.tile<8x16xf32>) {
      %x = xetile.init_tile %a[0, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
      scf.yield %x : !xetile.tile<8x16xf32>
    } else {
      %y = xetile.init_tile %a[32, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
      scf.yield %y : !xetile.tile<8x16xf32>
    }
    // CHECK: scf.for %{{.*}} iter_args(%[[X:.*]] = %[[T]]) -> (!xegpu.tensor_desc<8x16xf32>) {
    %r = scf.for %k = %c0 to %n step %c8 iter_args(%x = %t) -> (!xetile.tile<8x16xf32>) {
      // CHECK-NEXT: xegpu.prefetch_nd %[[X]]
      xetile.prefetch_tile %x : !xetile.tile<8x16xf32>
      // CHECK-NEXT: %[[X2:.*]] = xegpu.update_nd_offset %[[X]], [%c8, %c0]
      %x2 = xetile.update_tile_offset %x, [%c8, %c0] : !xetile.tile<8x16xf32>
      // CHECK-NEXT: scf.yield %[[X2]]
      scf.yield %x2 : !xetile.tile<8x16xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @places
  gpu.func @places(%a: memref<64x64xf32>, %i: index, %more: i1) kernel {
    %t = xetile.init_tile %a[%i, 0] : memref<64x64xf32> -> !xetile.tile<8x16xf32>
    // CHECK: cf.br ^[[HEAD:.*]](%i, %{{.*}} : index, index)
    cf.br ^head(%t : !xetile.tile<8x16xf32>)
    // CHECK: ^[[HEAD]](%[[ROW:.*]]: index, %[[COLUMN:.*]]: index):
  ^head(%x: !xetile.tile<8x16xf32>):
    // CHECK: xegpu.create_nd_tdesc %a[%[[ROW]], %[[COLUMN]]]
    %v = xetile.load_tile %x {padding = 1.0 : f32} : !xetile.tile<8x16xf32> -> vector<8x16xf32>
    // CHECK: %[[DOWN:.*]] = arith.addi %[[ROW]], %i
    // CHECK: %[[RIGHT:.*]] = arith.addi %[[COLUMN]], %i
    %y = xetile.update_tile_offset %x, [%i, %i] : !xetile.tile<8x16xf32>
    // CHECK: cf.cond_br %more, ^[[HEAD]](%[[DOWN]], %[[RIGHT]] : index, index), ^{{.*}}
    cf.cond_br %more, ^head(%y : !xetile.tile<8x16xf32>), ^end
  ^end:
    gpu.return
  }
}
