// RUN: xegpu-opt %s -p xegpu-distribute-sg-map{target=pvc},canonicalize | filecheck %s

// Movement in which no element changes its lane costs nothing or a shuffle of each lane's own elements.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#column = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
gpu.module @m {
  // CHECK-LABEL: gpu.func @transpose
  // CHECK: %[[V:.*]] = xegpu.load_nd %{{.*}} -> vector<8x1xf32>
  // CHECK-NEXT: xegpu.store_nd %[[V]], %{{.*}} : vector<8x1xf32>
  gpu.func @transpose(%m: memref<8x16xf32>, %o: memref<16x8xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %u = xegpu.create_nd_tdesc %o[0, 0] : memref<16x8xf32> -> !xegpu.tensor_desc<16x8xf32, #column>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x16xf32>
    %w = vector.transpose %v, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
    xegpu.store_nd %w, %u : vector<16x8xf32>, !xegpu.tensor_desc<16x8xf32, #column>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @slice
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [4, 5, 6, 7] : vector<8xf32>, vector<8xf32>
  // CHECK-NOT: xegpu.collect
  // CHECK: xegpu.store_nd %{{.*}}, %{{.*}} : vector<4x1xf32>
  gpu.func @slice(%m: memref<8x16xf32>, %o: memref<4x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %u = xegpu.create_nd_tdesc %o[0, 0] : memref<4x16xf32> -> !xegpu.tensor_desc<4x16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x16xf32>
    %w = vector.extract_strided_slice %v {offsets = [4, 0], sizes = [4, 16], strides = [1, 1]} : vector<8x16xf32> to vector<4x16xf32>
    xegpu.store_nd %w, %u : vector<4x16xf32>, !xegpu.tensor_desc<4x16xf32, #row>
    gpu.return
  }

  // A row that all lanes share is repeated in each lane.
  // CHECK-LABEL: gpu.func @broadcast
  // CHECK: %[[V:.*]] = xegpu.load_nd %{{.*}} -> vector<1x1xf32>
  // CHECK-NOT: xegpu.collect
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 0, 0, 0] : vector<1xf32>, vector<1xf32>
  // CHECK: xegpu.store_nd %{{.*}}, %{{.*}} : vector<4x1xf32>
  gpu.func @broadcast(%m: memref<16xf32>, %o: memref<4x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0] : memref<16xf32> -> !xegpu.tensor_desc<16xf32, #row>
    %u = xegpu.create_nd_tdesc %o[0, 0] : memref<4x16xf32> -> !xegpu.tensor_desc<4x16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32, #row> -> vector<16xf32>
    %w = vector.broadcast %v : vector<16xf32> to vector<4x16xf32>
    xegpu.store_nd %w, %u : vector<4x16xf32>, !xegpu.tensor_desc<4x16xf32, #row>
    gpu.return
  }
}
