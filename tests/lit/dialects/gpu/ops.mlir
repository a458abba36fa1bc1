// RUN: XEGPU_CANONICAL
module attributes {gpu.container_module} {
  gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Float16Buffer, Int64], [SPV_EXT_shader_atomic_float_add]>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @k(%a: memref<4x8xf32>, %b: memref<?x?xf16>, %n: index) workgroup(%w : memref<64xf32, #gpu.address_space<workgroup>>, %w2 : memref<32xf32, 3>) private(%p : memref<4xf32, 5>) kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 16, 1, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
      %0 = gpu.block_id x
      %1 = gpu.thread_id y
      %2 = gpu.block_dim z
      %3 = gpu.grid_dim x
      %4 = gpu.global_id x
      %5 = gpu.lane_id
      %6 = gpu.subgroup_id : index
      %7 = gpu.num_subgroups : index
      %8 = gpu.subgroup_size : index
      gpu.barrier
      gpu.return
    }
    gpu.func @f(%x: f32) -> f32 {
      gpu.return %x : f32
    }
  }
  func.func @main(%m: memref<4x8xf32>, %u: memref<*xf32>) {
    %c1 = arith.constant 1 : index
    %i32c = arith.constant 16 : i32
    %t = gpu.wait async
    %d, %t2 = gpu.alloc async [%t]() : memref<4x8xf32>
    %h = gpu.alloc host_shared() : memref<4x8xf32>
    %dd = gpu.alloc(%c1) : memref<?x8xf32>
    %t3 = gpu.memcpy async [%t2] %d, %m : memref<4x8xf32>, memref<4x8xf32>
    gpu.memcpy %d, %m : memref<4x8xf32>, memref<4x8xf32>
    gpu.wait [%t3]
    gpu.wait
    %b = memref.cast %m : memref<4x8xf32> to memref<?x?xf32>
    %bb = memref.alloc(%c1, %c1) : memref<?x?xf16>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<4x8xf32>, %bb : memref<?x?xf16>, %c1 : index)
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %i32c args(%m : memref<4x8xf32>, %bb : memref<?x?xf16>, %c1 : index)
    %t4 = gpu.launch_func async [%t, %t3] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<4x8xf32>, %bb : memref<?x?xf16>, %c1 : index)
    %t5 = gpu.dealloc async [%t4] %d : memref<4x8xf32>
    gpu.dealloc %h : memref<4x8xf32>
    gpu.host_register %u : memref<*xf32>
    gpu.host_unregister %u : memref<*xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
    return
  }
}

