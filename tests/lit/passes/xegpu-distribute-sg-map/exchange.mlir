// RUN: xegpu-opt %s -p xegpu-distribute-sg-map{target=pvc} | filecheck %s

// Where a value is needed in another way than it is shared, lanes exchange elements.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#column = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
gpu.module @m {
  // CHECK-LABEL: gpu.func @element
  // CHECK: %[[V:.*]] = xegpu.load_nd %{{.*}} -> vector<1x1xf32>
  // CHECK-NEXT: %[[W:.*]] = xegpu.collect %[[V]] {places = array<i32: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>} : vector<1x1xf32> -> vector<16xf32>
  // CHECK-NEXT: %[[E:.*]] = vector.extract %[[W]][3] : f32 from vector<16xf32>
  gpu.func @element(%m: memref<16xf32>, %o: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %t = xegpu.create_nd_tdesc %m[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32, #row> -> vector<16xf32>
    %e = vector.extract %v[3] : f32 from vector<16xf32>
    memref.store %e, %o[%c0] : memref<1xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @transposed_store
  // CHECK: %[[V:.*]] = xegpu.load_nd %{{.*}} -> vector<16x1xf32>
  // CHECK: %[[W:.*]] = xegpu.collect %[[V]] {{.*}} : vector<16x1xf32> -> vector<16x16xf32>
  // CHECK: %[[X:.*]] = xegpu.distribute %[[W]] {{.*}} : vector<16x16xf32> -> vector<16x1xf32>
  // CHECK: xegpu.store_nd %[[X]], %{{.*}} : vector<16x1xf32>
  gpu.func @transposed_store(%m: memref<16x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #row>
    %u = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #column>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf32, #row> -> vector<16x16xf32>
    xegpu.store_nd %v, %u : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32, #column>
    gpu.return
  }

  // Elements of a constant go where they belong; splats are made as fragments, once for each way they are used.
  // CHECK-LABEL: gpu.func @constants
  // CHECK: %[[C:.*]] = arith.constant dense<{{.*}}> : vector<1x16xi32>
  // CHECK: %[[D:.*]] = xegpu.distribute %[[C]] {elements = array<i32: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>} : vector<1x16xi32> -> vector<1x1xi32>
  // CHECK: %[[ONE:.*]] = arith.constant dense<1> : vector<1x1xi32>
  // CHECK: %[[S:.*]] = arith.addi %[[D]], %[[ONE]] : vector<1x1xi32>
  // CHECK: xegpu.store_nd %[[S]]
  gpu.func @constants(%m: memref<1x16xi32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<1x16xi32> -> !xegpu.tensor_desc<1x16xi32, #row>
    %c = arith.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]> : vector<1x16xi32>
    %one = arith.constant dense<1> : vector<1x16xi32>
    %s = arith.addi %c, %one : vector<1x16xi32>
    xegpu.store_nd %s, %t : vector<1x16xi32>, !xegpu.tensor_desc<1x16xi32, #row>
    gpu.return
  }

  // What a function gets as a whole, and what goes through a descriptor without a map.
  // CHECK-LABEL: gpu.func @whole
  // CHECK-SAME: %[[A:.*]]: vector<16xf32>
  // CHECK: %[[F:.*]] = xegpu.distribute %[[A]] {{.*}} : vector<16xf32> -> vector<1x1xf32>
  // CHECK: %[[S:.*]] = arith.addf %{{.*}}, %[[F]] : vector<1x1xf32>
  // CHECK: %[[W:.*]] = xegpu.collect %[[S]] {{.*}} : vector<1x1xf32> -> vector<16xf32>
  // CHECK: xegpu.store_nd %[[W]], %{{.*}} : vector<16xf32>, !xegpu.tensor_desc<16xf32>
  gpu.func @whole(%a: vector<16xf32>, %m: memref<16xf32>) {
    %t = xegpu.create_nd_tdesc %m[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32, #row>
    %u = xegpu.create_nd_tdesc %m[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32, #row> -> vector<16xf32>
    %s = arith.addf %v, %a : vector<16xf32>
    xegpu.store_nd %s, %u : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
