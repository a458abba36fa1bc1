// RUN: xegpu-opt %s -p 'xegpu-propagate-layout{target=pvc layout-kind=lane}' | filecheck %s
// RUN: xegpu-opt %s -p 'xegpu-propagate-layout{target=pvc layout-kind=inst}' | filecheck %s --check-prefix=INST
// RUN: xegpu-opt %s -p 'xegpu-propagate-layout{target=pvc layout-kind=subgroup}' | filecheck %s --check-prefix=SUBGROUP

gpu.module @m {
  // From the store through a sum of rows to the load.
  // CHECK-LABEL: gpu.func @columns
  // CHECK:      xegpu.create_nd_tdesc {{.*}} -> !xegpu.tensor_desc<8x16xf32, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>>
  // CHECK:      xegpu.load_nd {{.*}} <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}>
  // CHECK:      vector.multi_reduction {{.*}}layout_result_0 = #xegpu.slice<#xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, dims = [0]>
  // CHECK:      vector.broadcast {{.*}}layout_result_0 = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
  // INST-LABEL: gpu.func @columns
  // INST:       xegpu.create_nd_tdesc {{.*}}#xegpu.layout<inst_data = [8, 16]>
  // INST:       vector.multi_reduction {{.*}}layout_result_0 = #xegpu.slice<#xegpu.layout<inst_data = [8, 16]>, dims = [0]>
  // SUBGROUP-LABEL: gpu.func @columns
  // SUBGROUP-NOT: layout<
  gpu.func @columns(%a: memref<64x64xf32>) kernel {
    %z = arith.constant dense<0.0> : vector<16xf32>
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %r = vector.multi_reduction <add>, %v, %z [0] : vector<8x16xf32> to vector<16xf32>
    %b = vector.broadcast %r : vector<16xf32> to vector<8x16xf32>
    xegpu.store_nd %b, %t[8, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // What the text states stays, and a value that is needed otherwise is converted.
  // CHECK-LABEL: gpu.func @stated
  // CHECK:      %[[V:.*]] = xegpu.load_nd {{.*}} <{layout = #xegpu.layout<lane_layout = [2, 8], lane_data = [1, 1]>}>
  // CHECK:      %[[C:.*]] = xegpu.convert_layout %[[V]] <{input_layout = #xegpu.layout<lane_layout = [2, 8], lane_data = [1, 1]>, target_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}>
  // CHECK:      xegpu.store_nd %[[C]]
  // SUBGROUP-LABEL: gpu.func @stated
  // SUBGROUP:   arith.addf {{.*}}layout_result_0 = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 16]>
  gpu.func @stated(%a: memref<64x64xf32>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %u = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t[0, 0] <{layout = #xegpu.layout<lane_layout = [2, 8], lane_data = [1, 1]>}> : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %u[8, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    %l = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<16x32xf32>
    %w = xegpu.load_nd %l[0, 0] : !xegpu.tensor_desc<16x32xf32> -> vector<16x32xf32>
    %s = arith.addf %w, %w : vector<16x32xf32>
    xegpu.store_nd %s, %l[16, 0] <{layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 16]>}> : vector<16x32xf32>, !xegpu.tensor_desc<16x32xf32>
    gpu.return
  }
}
