// RUN: xegpu-opt %s -p 'xegpu-convert-generation{target=pvc to=llvm22},canonicalize' | filecheck %s

#a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>

gpu.module @m {
  // Threads of the RFC that are subgroups become work-items; the loop carries offsets, not descriptors.
  // CHECK-LABEL: gpu.func @moving
  // CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
  // CHECK-SAME: spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>
  // CHECK:      %[[S:.*]] = gpu.subgroup_id
  // CHECK:      %[[T:.*]] = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
  // CHECK:      scf.for %{{.*}} iter_args(%[[R:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}) -> (index, index)
  // CHECK-NEXT:   %[[V:.*]] = xegpu.load_nd %[[T]][%[[R]], %[[C]]] <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
  gpu.func @moving(%a: memref<64x64xf32>) kernel attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %x = gpu.thread_id x
    %d = xegpu.create_nd_tdesc %a[%x, 16] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32, #a>
    %e = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %d) -> !xegpu.tensor_desc<8x16xf32, #a> {
      %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #a> -> vector<8x16xf32>
      xegpu.store_nd %v, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #a>
      %n = xegpu.update_nd_offset %t, [8, 0] : !xegpu.tensor_desc<8x16xf32, #a>
      scf.yield %n : !xegpu.tensor_desc<8x16xf32, #a>
    }
    gpu.return
  }

  // Fragments have one dimension, and their descriptors no map.
  // CHECK-LABEL: gpu.func @lanes
  // CHECK:      xegpu.load_nd %{{.*}}[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
  // CHECK:      xegpu.load_nd %{{.*}}[0, 16] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<16xf16>
  // CHECK:      xegpu.dpas %{{.*}}, %{{.*}} : vector<8xf16>, vector<16xf16> -> vector<8xf32>
  // CHECK:      xegpu.store_nd %{{.*}}, %{{.*}}[0, 0] : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
  gpu.func @lanes(%a: memref<64x64xf16>, %c: memref<64x64xf32>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16, #a>
    %tb = xegpu.create_nd_tdesc %a[0, 16] : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16, #b>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32, #a>
    %l = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #a> -> vector<8x1xf16>
    %r = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xf16, #b> -> vector<8x2xf16>
    %d = xegpu.dpas %l, %r {sg_map_a = #a, sg_map_b = #b, sg_map_c = #a} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
    xegpu.store_nd %d, %tc : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, #a>
    gpu.return
  }

  // Plain kernels stay as they are.
  // CHECK-LABEL: gpu.func @plain
  // CHECK-NOT: spirv.entry_point_abi
  // CHECK: gpu.thread_id
  gpu.func @plain(%a: memref<64xf32>) kernel {
    %x = gpu.thread_id x
    %v = memref.load %a[%x] : memref<64xf32>
    memref.store %v, %a[%x] : memref<64xf32>
    gpu.return
  }
}
