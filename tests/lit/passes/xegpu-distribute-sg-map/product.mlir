// RUN: xegpu-opt %s -p xegpu-distribute-sg-map{target=pvc} | filecheck %s

// Each lane keeps the fragment that the maps give it; descriptors stay, the product gets the maps of the matrix engine.
gpu.module @m {
  gpu.func @k(%a: memref<8x16xf16>, %b: memref<16x16xf16>, %c: memref<8x16xf32>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>> -> vector<8x16xf16>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>> -> vector<8x16x2xf16>
    %vc = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
    %one = arith.constant dense<1.0> : vector<8x16xf32>
    %sum = arith.addf %vc, %one : vector<8x16xf32>
    xegpu.store_nd %sum, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    gpu.return
  }
}

// CHECK: %[[A:.*]] = xegpu.load_nd %{{.*}} -> vector<8x1xf16>
// CHECK-NEXT: %[[B:.*]] = xegpu.load_nd %{{.*}} <{packed}> {{.*}} -> vector<8x2xf16>
// CHECK-NEXT: %[[C:.*]] = xegpu.dpas %[[A]], %[[B]] {sg_map_a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, sg_map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>, sg_map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
// CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<8x1xf32>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[C]], %[[ONE]] : vector<8x1xf32>
// CHECK-NEXT: xegpu.store_nd %[[SUM]], %{{.*}} : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32
