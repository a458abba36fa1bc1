// RUN: xegpu-opt %s -p xegpu-wg-to-sg-distribute{target=pvc},cse | filecheck %s
#rounds = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 16], inst_data = [8, 16]>
#columns_first = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 16], order = [0, 1]>
#rows = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>

gpu.module @kernels {
  // Blocks are dealt out in rounds. What layouts say of instructions and lanes stays.
  // CHECK-LABEL: @rounds
  // CHECK: %[[T:.*]] = xegpu.create_nd_tdesc %x : memref<32x32xf32> -> !xegpu.tensor_desc<8x16xf32>
  // CHECK: %[[ID:.*]] = gpu.subgroup_id : index
  // CHECK: %[[TWO:.*]] = arith.constant 2 : index
  // CHECK: %[[ROW:.*]] = arith.divui %[[ID]], %[[TWO]]
  // CHECK: %[[I:.*]] = arith.muli %[[ROW]]
  // CHECK: %[[COLUMN:.*]] = arith.remui %[[ID]], %[[TWO]]
  // CHECK: %[[J:.*]] = arith.muli %[[COLUMN]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[I]]
  // CHECK: xegpu.load_nd %[[T]][%[[I]], %[[J]]] <{layout = #xegpu.layout<inst_data = [8, 16]>}> : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
  // CHECK: xegpu.load_nd %[[T]][%[[NEXT]], %[[J]]]
  // CHECK-COUNT-2: arith.addf
  // CHECK-COUNT-2: xegpu.store_nd
  // CHECK-NOT: xegpu.store_nd
  gpu.func @rounds(%x: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = xegpu.create_nd_tdesc %x : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %v = xegpu.load_nd %t[0, 0] <{layout = #rounds}> : !xegpu.tensor_desc<32x32xf32> -> vector<32x32xf32>
    %w = arith.addf %v, %v {layout_result_0 = #rounds} : vector<32x32xf32>
    xegpu.store_nd %w, %t[0, 0] <{layout = #rounds}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }

  // The order says in which dimension neighbours are numbered.
  // CHECK-LABEL: @order
  // CHECK: %[[ID:.*]] = gpu.subgroup_id : index
  // CHECK: %[[ROW:.*]] = arith.remui %[[ID]]
  // CHECK: %[[I:.*]] = arith.muli %[[ROW]]
  // CHECK: %[[COLUMN:.*]] = arith.divui %[[ID]]
  // CHECK: %[[J:.*]] = arith.muli %[[COLUMN]]
  // CHECK: xegpu.prefetch_nd %{{.*}}[%[[I]], %[[J]]] : !xegpu.tensor_desc<8x16xf32>
  gpu.func @order(%x: memref<16x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = xegpu.create_nd_tdesc %x : memref<16x32xf32> -> !xegpu.tensor_desc<16x32xf32, #columns_first>
    xegpu.prefetch_nd %t[0, 0] : !xegpu.tensor_desc<16x32xf32, #columns_first>
    gpu.return
  }

  // One descriptor serves accesses of two shapes, through updates and loops.
  // CHECK-LABEL: @shapes
  // CHECK: %[[T:.*]] = xegpu.create_nd_tdesc {{.*}} -> !xegpu.tensor_desc<8x32xf32>
  // CHECK: %[[U:.*]] = xegpu.create_nd_tdesc {{.*}} -> !xegpu.tensor_desc<8x16xf32>
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[T]], %{{.*}} = %[[U]])
  // CHECK: xegpu.prefetch_nd {{.*}} : !xegpu.tensor_desc<8x32xf32>
  // CHECK: xegpu.load_nd {{.*}} : !xegpu.tensor_desc<8x16xf32>
  // CHECK: xegpu.update_nd_offset {{.*}} : !xegpu.tensor_desc<8x32xf32>
  // CHECK: xegpu.update_nd_offset {{.*}} : !xegpu.tensor_desc<8x16xf32>
  gpu.func @shapes(%x: memref<32x128xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %t = xegpu.create_nd_tdesc %x[0, 0] : memref<32x128xf32> -> !xegpu.tensor_desc<32x32xf32>
    %r = scf.for %i = %c0 to %c128 step %c32 iter_args(%d = %t) -> !xegpu.tensor_desc<32x32xf32> {
      xegpu.prefetch_nd %d <{layout = #rows}> : !xegpu.tensor_desc<32x32xf32>
      %v = xegpu.load_nd %d <{layout = #rounds}> : !xegpu.tensor_desc<32x32xf32> -> vector<32x32xf32>
      xegpu.store_nd %v, %d <{layout = #rounds}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
      %n = xegpu.update_nd_offset %d, [0, 32] : !xegpu.tensor_desc<32x32xf32>
      scf.yield %n : !xegpu.tensor_desc<32x32xf32>
    }
    gpu.return
  }

  // All own the only block: one stores it, and without a known size so that further subgroups do not, either.
  // CHECK-LABEL: @copies
  // CHECK-SAME: gpu.work_group_size_hint = array<i32: 64, 1, 1>
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq
  // CHECK: scf.if %[[FIRST]] {
  // CHECK-NEXT: xegpu.store_nd
  gpu.func @copies(%x: memref<8xf32>) kernel {
    %v = arith.constant dense<1.0> : vector<8xf32>
    %t = xegpu.create_nd_tdesc %x : memref<8xf32> -> !xegpu.tensor_desc<8xf32>
    xegpu.store_nd %v, %t[0] <{layout = #xegpu.layout<sg_layout = [4], sg_data = [8]>}> : vector<8xf32>, !xegpu.tensor_desc<8xf32>
    gpu.return
  }

  // Four subgroups, from the second on, store the block of four rows.
  // CHECK-LABEL: @some
  // CHECK: %[[OWN:.*]] = arith.subi %{{.*}}, %{{.*}} : index
  // CHECK: arith.remui %[[OWN]]
  // CHECK: scf.if
  // CHECK-NOT: scf.if
  // CHECK-NOT: sg_id_range
  // CHECK: gpu.return
  gpu.func @some(%x: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %id = gpu.subgroup_id : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %own = arith.subi %id, %c2 : index
    %is = arith.cmpi ult, %own, %c4 : index
    scf.if %is {
      %v = arith.constant dense<1.0> : vector<32x32xf32>
      %t = xegpu.create_nd_tdesc %x : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
      xegpu.store_nd %v, %t[0, 0] <{layout = #rows}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    } {sg_id_range = #xegpu.range<[2, 6]>}
    gpu.return
  }

  // CHECK-LABEL: @subgroup
  // CHECK: xegpu.load_nd %{{.*}}[0, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
  gpu.func @subgroup(%x: memref<8x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %x : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %t[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
