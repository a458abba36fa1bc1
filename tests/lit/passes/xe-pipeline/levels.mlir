// RUN: xegpu-opt %s -p xe-pipeline{target=pvc} | filecheck %s
// RUN: xegpu-opt %s -p 'xe-pipeline{target=arc}' | filecheck %s --check-prefix=ARC

// Kernels of all levels, side by side: each enters the pipeline where its level begins.
// CHECK-COUNT-4: xe.kernel @{{.*}} grf_count = {{[0-9]+}}
// CHECK-NOT: gpu.func
// ARC-COUNT-4: xe.kernel @{{.*}} target = "arc"
// ARC-NOT: gpu.func

#wg = #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [8, 16]>>
#map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [8, 16]>
gpu.module @work_group {
  gpu.func @scaled_by_groups(%a: memref<64x64xf32>) kernel {
    %t = xetile.init_tile %a[0, 0] : memref<64x64xf32> -> !xetile.tile<16x32xf32, #wg>
    %v = xetile.load_tile %t : !xetile.tile<16x32xf32, #wg> -> vector<16x32xf32>
    %w = arith.addf %v, %v {map = #map} : vector<16x32xf32>
    xetile.store_tile %w, %t : vector<16x32xf32>, !xetile.tile<16x32xf32, #wg>
    gpu.return
  }
}

gpu.module @subgroup {
  gpu.func @scaled_by_subgroups(%a: memref<64x64xf32>) kernel {
    %t = xetile.init_tile %a[0, 0] : memref<64x64xf32> -> !xetile.tile<16x32xf32>
    %v = xetile.load_tile %t : !xetile.tile<16x32xf32> -> vector<16x32xf32>
    %w = arith.addf %v, %v : vector<16x32xf32>
    xetile.store_tile %w, %t : vector<16x32xf32>, !xetile.tile<16x32xf32>
    gpu.return
  }
}

gpu.module @blocks {
  gpu.func @scaled_by_blocks(%a: memref<64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %w = arith.addf %v, %v : vector<8x16xf32>
    xegpu.store_nd %w, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}

gpu.module @work_items {
  gpu.func @scaled_by_work_items(%a: memref<64xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %a[%i] : memref<64xf32>
    gpu.return
  }
}
