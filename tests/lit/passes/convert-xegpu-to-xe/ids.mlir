// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Where a work-item is: group ids and subgroup numbers stand in r0, local ids in rows of words, sizes in the payload.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @items
  // CHECK-SAME: implicit_arguments = [#xe.implicit_argument<enqueued_local_size, at 8, 12 bytes>, #xe.implicit_argument<group_count, at 20, 12 bytes>], local_id_dimensions = 2 : i32
  // CHECK-SAME: simd_size = 16 : i32
  // CHECK: ^bb0(%[[R0:.*]]: !xe.grf<64, 64 at 0>, %[[LOCAL:.*]]: !xe.grf<128, 64 at 64>, %[[PAYLOAD:.*]]: !xe.grf<64, 64 at 192>):
  // CHECK: xe.mov(%[[R0]] : {{.*}}reads = [#xe.read<ud, 4, [0, 1, 0]>]
  // CHECK: xe.mov(%[[R0]] : {{.*}}reads = [#xe.read<ud, 24, [0, 1, 0]>]
  // CHECK: xe.mov(%[[R0]] : {{.*}}reads = [#xe.read<ud, 28, [0, 1, 0]>]
  // CHECK: xe.mov(%[[LOCAL]] : {{.*}}exec_size = 16 : i32, no_mask, reads = [#xe.read<uw, 64>], write = #xe.write<uq>
  // CHECK: xe.mov(%[[PAYLOAD]] : {{.*}}reads = [#xe.read<ud, 8, [0, 1, 0]>]
  // CHECK: xe.mov(%[[PAYLOAD]] : {{.*}}reads = [#xe.read<ud, 28, [0, 1, 0]>]
  // CHECK: xe.mov {exec_size = 8 : i32, no_mask, reads = [#xe.imm<uv, 1985229328>], write = #xe.write<uw>}
  // CHECK: xe.mov(%[[R0]] : {{.*}}reads = [#xe.read<ub, 8, [0, 1, 0]>]
  // CHECK: xe.mov(%[[R0]] : {{.*}}reads = [#xe.read<ub, 11, [0, 1, 0]>]
  // CHECK: xe.add({{.*}}#xe.imm<uq, 16>]
  gpu.func @items(%m: memref<64xindex>) kernel {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %ty = gpu.thread_id y
    %d = gpu.block_dim x
    %g = gpu.grid_dim z
    %l = gpu.lane_id
    %s = gpu.subgroup_id : index
    %n = gpu.num_subgroups : index
    %z = gpu.subgroup_size : index
    %0 = arith.addi %bx, %by : index
    %1 = arith.addi %0, %bz : index
    %2 = arith.addi %1, %ty : index
    %3 = arith.addi %2, %d : index
    %4 = arith.addi %3, %g : index
    %5 = arith.addi %4, %l : index
    %6 = arith.addi %5, %s : index
    %7 = arith.addi %6, %n : index
    %8 = arith.addi %7, %z : index
    memref.store %8, %m[%l] : memref<64xindex>
    gpu.return
  }

  // Group id times group size plus the launch's offset plus local id.
  // CHECK-LABEL: xe.kernel @global
  // CHECK-SAME: #xe.implicit_argument<global_id_offset, at 20, 12 bytes>
  // CHECK: %[[SIZE:.*]] = xe.mul({{.*}}exec_size = 1 : i32
  // CHECK: %[[START:.*]] = xe.add(%[[SIZE]], {{.*}}exec_size = 1 : i32
  // CHECK: xe.add({{.*}}%[[START]] : {{.*}}exec_size = 16 : i32
  gpu.func @global(%m: memref<64xindex>) kernel {
    %i = gpu.global_id x
    memref.store %i, %m[%i] : memref<64xindex>
    gpu.return
  }

  // A thread of whole subgroups has one id a dimension, in one register; a known block size is a constant.
  // CHECK-LABEL: xe.kernel @subgroups
  // CHECK-SAME: implicit_arguments = [], local_id_dimensions = 3 : i32, required_work_group_size = array<i32: 4, 8, 1>
  // CHECK-SAME: simd_size = 1 : i32
  // CHECK: ^bb0(%[[R0:.*]]: !xe.grf<64, 64 at 0>, %[[LOCAL:.*]]: !xe.grf<64, 64 at 64>, %{{.*}}: !xe.grf<64, 64 at 128>):
  // CHECK: xe.mov(%[[LOCAL]] : {{.*}}exec_size = 1 : i32, no_mask, reads = [#xe.read<uw, 4, [0, 1, 0]>], write = #xe.write<uq>
  // CHECK: xe.add({{.*}}#xe.imm<uq, 8>]
  gpu.func @subgroups(%m: memref<64xindex>) kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 8, 1>} {
    %t = gpu.thread_id z
    %d = gpu.block_dim y
    %a = arith.addi %t, %d : index
    memref.store %t, %m[%a] : memref<64xindex>
    gpu.return
  }

  // A subgroup size that the kernel asks for.
  // CHECK-LABEL: xe.kernel @wide
  // CHECK-SAME: simd_size = 32 : i32
  // CHECK: xe.store{{.*}}exec_size = 32 : i32
  gpu.func @wide(%m: memref<64xf32>, %s: f32) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 32>} {
    %t = gpu.thread_id x
    memref.store %s, %m[%t] : memref<64xf32>
    gpu.return
  }
}
