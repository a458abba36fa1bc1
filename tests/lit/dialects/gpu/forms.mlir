// RUN: XEGPU_CANONICAL
module attributes {gpu.container_module} {
  gpu.module @empty {
  }
  gpu.module @targets [#spirv.target_env<#spirv.vce<v1.0, [Kernel], []>, #spirv.resource_limits<>>] attributes {note} {
    gpu.func @bounds(%a: f32 {llvm.noundef}) -> (f32 {llvm.noundef}, i32) {
      %0 = gpu.block_id x upper_bound 4
      %1 = gpu.thread_id z upper_bound 16 {note}
      %2 = gpu.lane_id upper_bound 16
      %3 = gpu.subgroup_id upper_bound 8 : index
      %4 = gpu.num_subgroups upper_bound 8 : index
      %5 = gpu.subgroup_size upper_bound 32 : index
      %c = arith.constant 1 : i32
      gpu.barrier {note}
      gpu.return %a, %c : f32, i32
    }
    gpu.func @sizes() kernel attributes {gpu.known_block_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 2, 2, 1>} {
      gpu.return
    }
    gpu.func @blocks(%c: i1) private(%p : memref<4xf32, #gpu.address_space<private>> {llvm.align = 64 : i64}) kernel {
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      gpu.return
    ^bb2:
      gpu.return
    }
  }
  func.func @host(%m: memref<8xf32>, %s: i64, %k: i32, %n: index) {
    %t0 = gpu.wait async
    %t1 = gpu.wait async [%t0]
    %d, %t2 = gpu.alloc async(%n) : memref<?xf32>
    %t3 = gpu.dealloc async %d : memref<?xf32>
    gpu.set_default_device %k
    gpu.launch_func @targets::@sizes blocks in (%s, %s, %s) threads in (%s, %s, %s) : i64
    gpu.launch_func @targets::@sizes clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %t4 = gpu.launch_func async @targets::@sizes blocks in (%n, %n, %n) threads in (%n, %n, %n) {note}
    %t5 = gpu.launch async [%t4] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) dynamic_shared_memory_size %k workgroup(%w : memref<32xf32, 3>) private(%p : memref<1xf32, 5>) {
      gpu.terminator
    } {note}
    return
  }
}

