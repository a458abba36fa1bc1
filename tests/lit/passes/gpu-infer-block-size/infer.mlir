// RUN: xegpu-opt %s -p gpu-infer-block-size | filecheck %s

module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: gpu.func @once
    // CHECK-SAME: known_block_size = array<i32: 64, 2, 1>
    gpu.func @once(%a: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %d = xegpu.create_nd_tdesc %a[%t] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
      gpu.return
    }

    // What a kernel says itself stays.
    // CHECK-LABEL: gpu.func @stated
    // CHECK-SAME: known_block_size = array<i32: 32, 1, 1>
    gpu.func @stated(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %d = xegpu.create_nd_tdesc %a[%t] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
      gpu.return
    }

    // Launches of different sizes, a size computed at run time, no launch, no id, no XeGPU.
    // CHECK-NOT: known_block_size
    gpu.func @twice(%a: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %d = xegpu.create_nd_tdesc %a[%t] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
      gpu.return
    }
    gpu.func @dynamic(%a: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %d = xegpu.create_nd_tdesc %a[%t] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
      gpu.return
    }
    gpu.func @never(%a: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %d = xegpu.create_nd_tdesc %a[%t] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
      gpu.return
    }
    gpu.func @without_ids(%a: memref<64xf32>) kernel {
      %d = xegpu.create_nd_tdesc %a[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
      gpu.return
    }
    gpu.func @without_xegpu(%a: memref<64xf32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %a[%t] : memref<64xf32>
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @main
  func.func @main(%a: memref<64xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@once blocks in (%c1, %c1, %c1) threads in (%c64, %c2, %c1) args(%a : memref<64xf32>)
    gpu.launch_func @m::@once blocks in (%n, %c1, %c1) threads in (%c64, %c2, %c1) args(%a : memref<64xf32>)
    gpu.launch_func @m::@stated blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
    gpu.launch_func @m::@twice blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
    gpu.launch_func @m::@twice blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1) args(%a : memref<64xf32>)
    gpu.launch_func @m::@dynamic blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%a : memref<64xf32>)
    gpu.launch_func @m::@without_ids blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
    gpu.launch_func @m::@without_xegpu blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64xf32>)
    return
  }
}
