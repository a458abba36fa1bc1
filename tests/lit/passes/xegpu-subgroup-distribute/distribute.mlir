// RUN: xegpu-opt %s -p 'xegpu-subgroup-distribute{target=pvc},canonicalize' | filecheck %s

#c = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>

gpu.module @m {
  // Columns: a lane reduces its own; rows: the lanes reduce together.
  // CHECK-LABEL: gpu.func @reductions
  // CHECK:      xegpu.load_nd {{.*}} : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
  // CHECK:      vector.multi_reduction <add>, {{.*}} [0] : vector<8x1xf32> to vector<1xf32>
  // CHECK:      vector.multi_reduction <maximumf>, {{.*}} [1] : vector<8x1xf32> to vector<8xf32>
  // CHECK:      gpu.subgroup_reduce maximumf {{.*}} : (vector<8xf32>) -> vector<8xf32>
  // CHECK:      xegpu.store_nd {{.*}} : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
  gpu.func @reductions(%a: memref<64x64xf32>) kernel {
    %z = arith.constant dense<0.0> : vector<16xf32>
    %y = arith.constant dense<0.0> : vector<8xf32>
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32, #c>
    %v = xegpu.load_nd %t[0, 0] <{layout = #c}> : !xegpu.tensor_desc<8x16xf32, #c> -> vector<8x16xf32>
    %r = vector.multi_reduction <add>, %v, %z [0] : vector<8x16xf32> to vector<16xf32>
    %b = vector.broadcast %r : vector<16xf32> to vector<8x16xf32>
    %m = vector.multi_reduction <maximumf>, %b, %y [1] : vector<8x16xf32> to vector<8xf32>
    %s = vector.shape_cast %m : vector<8xf32> to vector<8x1xf32>
    %w = vector.broadcast %s : vector<8x1xf32> to vector<8x16xf32>
    xegpu.store_nd %w, %t[8, 0] <{layout = #c}> : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #c>
    gpu.return
  }

  // A constant that differs between lanes is selected by the number of the lane.
  // CHECK-LABEL: gpu.func @addresses
  // CHECK:      %[[L:.*]] = gpu.lane_id
  // CHECK:      vector.extract %{{.*}}[%[[L]]] : index from vector<16xindex>
  // CHECK:      xegpu.load {{.*}} : memref<64xf32>, vector<1xindex>, vector<1xi1> -> vector<1xf32>
  gpu.func @addresses(%a: memref<64xf32>) kernel {
    %o = vector.step : vector<16xindex>
    %m = arith.constant dense<true> : vector<16xi1>
    %v = xegpu.load %a[%o], %m : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
    xegpu.store %v, %a[%o], %m <{layout = #xegpu.layout<lane_layout = [16], lane_data = [1]>}> : vector<16xf32>, memref<64xf32>, vector<16xindex>, vector<16xi1>
    gpu.return
  }
}
