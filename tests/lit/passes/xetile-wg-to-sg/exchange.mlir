// Data moves between subgroups through shared local memory.
// RUN: xegpu-opt %s -p xetile-wg-to-sg{target=pvc},cse | filecheck %s
#from = #xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 32]>
#to = #xetile.wg_map<sg_layout = [1, 2], sg_data = [32, 16]>
#shared = #xetile.wg_map<sg_layout = [2, 1], sg_data = [32, 32]>
#turned = #xetile.wg_map<sg_layout = [1, 2], sg_data = [32, 16]>

gpu.module @kernels {
  // Everybody stores, waits, and loads. In a loop others may still load when the next round stores.
  // CHECK-LABEL: @convert
  // CHECK: %[[BYTES:.*]] = memref.alloc() : memref<4096xi8, 3>
  // CHECK: %[[ALL:.*]] = memref.view %[[BYTES]][%{{.*}}][] : memref<4096xi8, 3> to memref<32x32xf32, 3>
  // CHECK: %[[MINE:.*]] = xetile.init_tile %[[ALL]][%{{.*}}, 0] : memref<32x32xf32, 3> -> !xetile.tile<16x32xf32, #xetile.tile_attr<memory_space = 3 : i32>>
  // CHECK: %[[WANTED:.*]] = xetile.init_tile %[[ALL]][0, %{{.*}}] : memref<32x32xf32, 3> -> !xetile.tile<32x16xf32, #xetile.tile_attr<memory_space = 3 : i32>>
  // CHECK: %[[V:.*]] = xetile.load_tile %{{.*}} -> vector<16x32xf32>
  // CHECK-NEXT: xetile.store_tile %[[V]], %[[MINE]]
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: %[[W:.*]] = xetile.load_tile %[[WANTED]]
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK-NEXT: xetile.store_tile
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: xetile.load_tile
  gpu.func @convert(%x: memref<32x32xf32>, %n: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #from>>
    %u = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #to>>
    %v = xetile.load_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #from>> -> vector<32x32xf32>
    %w = xetile.convert_layout %v {wg_map_result = #to, wg_map_source = #from} : vector<32x32xf32>
    xetile.store_tile %w, %u : vector<32x32xf32>, !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #to>>
    scf.for %i = %c0 to %n step %c1 {
      %a = xetile.load_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #from>> -> vector<32x32xf32>
      %b = xetile.convert_layout %a {wg_map_result = #to} : vector<32x32xf32>
      xetile.store_tile %b, %u : vector<32x32xf32>, !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #to>>
    }
    gpu.return
  }

  // What all subgroups have, one of them stores.
  // CHECK-LABEL: @of_shared_values
  // CHECK: %[[ID:.*]] = gpu.subgroup_id : index
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[ID]], %{{.*}} : index
  // CHECK: scf.if %[[FIRST]] {
  // CHECK-NEXT: xetile.store_tile
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: xetile.load_tile
  gpu.func @of_shared_values(%x: memref<32x32xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #shared>>
    %u = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #to>>
    %v = xetile.load_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #shared>> -> vector<32x32xf32>
    xetile.store_tile %v, %u : vector<32x32xf32>, !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #to>>
    gpu.return
  }

  // The same owners by another map, and a tile that is loaded to be transposed: nothing moves.
  // CHECK-LABEL: @in_place
  // CHECK-NOT: memref.alloc
  // CHECK-NOT: gpu.barrier
  // CHECK: %[[V:.*]] = xetile.load_tile %{{.*}} : !xetile.tile<16x32xf32> -> vector<16x32xf32>
  // CHECK-NEXT: xetile.transpose %[[V]], [1, 0] : vector<16x32xf32> -> vector<32x16xf32>
  // CHECK: gpu.return
  gpu.func @in_place(%x: memref<32x32xf32>, %y: memref<32x32xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xetile.init_tile %x[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = <sg_layout = [1, 2], sg_data = [16, 32]>>>
    %u = xetile.init_tile %y[0, 0] : memref<32x32xf32> -> !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #turned>>
    %v = xetile.load_tile %t : !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = <sg_layout = [1, 2], sg_data = [16, 32]>>> -> vector<32x32xf32>
    %w = xetile.transpose %v, [1, 0] {map = #turned} : vector<32x32xf32> -> vector<32x32xf32>
    xetile.store_tile %w, %u : vector<32x32xf32>, !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #turned>>
    gpu.return
  }
}
