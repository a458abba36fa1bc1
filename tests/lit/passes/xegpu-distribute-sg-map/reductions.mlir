// RUN: xegpu-opt %s -p xegpu-distribute-sg-map{target=pvc},canonicalize | filecheck %s

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#square = #xegpu.sg_map<wi_layout = [4, 4], wi_data = [1, 1]>
gpu.module @m {
  // Along what a lane owns: in the lane.
  // CHECK-LABEL: gpu.func @in_lane
  // CHECK-NOT: gpu.subgroup_reduce
  // CHECK: %[[A:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0] : vector<2xf32>, vector<2xf32>
  // CHECK: %[[B:.*]] = vector.shuffle %{{.*}}, %{{.*}} [1] : vector<2xf32>, vector<2xf32>
  // CHECK: arith.addf %[[A]], %[[B]] : vector<1xf32>
  // CHECK: xegpu.store_nd %{{.*}} : vector<1x1xf32>
  gpu.func @in_lane(%m: memref<2x16xf32>, %o: memref<16xf32>) kernel {
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<2x16xf32> -> !xegpu.tensor_desc<2x16xf32, #row>
    %u = xegpu.create_nd_tdesc %o[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<2x16xf32, #row> -> vector<2x16xf32>
    %r = vector.multi_reduction <add>, %v, %zero [0] : vector<2x16xf32> to vector<16xf32>
    xegpu.store_nd %r, %u : vector<16xf32>, !xegpu.tensor_desc<16xf32, #row>
    gpu.return
  }

  // Along all lanes: the result is the same in all of them.
  // CHECK-LABEL: gpu.func @over_lanes
  // CHECK: %[[R:.*]] = gpu.subgroup_reduce maxsi %{{.*}} : (vector<2xi32>) -> vector<2xi32>
  // CHECK: arith.maxsi %{{.*}}, %[[R]] : vector<2xi32>
  gpu.func @over_lanes(%m: memref<2x16xi32>, %a: memref<2xi32>) kernel {
    %c0 = arith.constant 0 : index
    %start = vector.load %a[%c0] : memref<2xi32>, vector<2xi32>
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<2x16xi32> -> !xegpu.tensor_desc<2x16xi32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<2x16xi32, #row> -> vector<2x16xi32>
    %r = vector.multi_reduction <maxsi>, %v, %start [1] : vector<2x16xi32> to vector<2xi32>
    vector.store %r, %a[%c0] : memref<2xi32>, vector<2xi32>
    gpu.return
  }

  // Along some: lanes of a row, which are neighbours, or of a column, four apart.
  // CHECK-LABEL: gpu.func @clusters
  // CHECK: gpu.subgroup_reduce add %{{.*}} cluster(size = 4) : (vector<1xi32>) -> vector<1xi32>
  // CHECK: gpu.subgroup_reduce mul %{{.*}} cluster(size = 4, stride = 4) : (vector<1xi32>) -> vector<1xi32>
  gpu.func @clusters(%m: memref<4x4xi32>, %a: memref<4xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0> : vector<4xi32>
    %one = arith.constant dense<1> : vector<4xi32>
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<4x4xi32> -> !xegpu.tensor_desc<4x4xi32, #square>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<4x4xi32, #square> -> vector<4x4xi32>
    %r = vector.multi_reduction <add>, %v, %zero [1] : vector<4x4xi32> to vector<4xi32>
    %s = vector.multi_reduction <mul>, %v, %one [0] : vector<4x4xi32> to vector<4xi32>
    vector.store %r, %a[%c0] : memref<4xi32>, vector<4xi32>
    vector.store %s, %a[%c0] : memref<4xi32>, vector<4xi32>
    gpu.return
  }

  // To one number.
  // CHECK-LABEL: gpu.func @total
  // CHECK: %[[R:.*]] = gpu.subgroup_reduce add %{{.*}} : (vector<1xf32>) -> vector<1xf32>
  // CHECK: vector.extract %[[R]][0] : f32 from vector<1xf32>
  gpu.func @total(%m: memref<16xf32>, %a: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %t = xegpu.create_nd_tdesc %m[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32, #row> -> vector<16xf32>
    %r = vector.reduction <add>, %v : vector<16xf32> into f32
    memref.store %r, %a[%c0] : memref<1xf32>
    gpu.return
  }
}
