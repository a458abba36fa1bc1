// RUN: xegpu-opt %s -p xegpu-distribute-sg-map{target=pvc} --split-input-file | filecheck %s

#r = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#c = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
gpu.module @m {
  // A conversion becomes an exchange; what is computed behind it is shared as it says.
  // CHECK-LABEL: gpu.func @convert
  // CHECK: %a = xegpu.load_nd {{.*}} -> vector<16x1xf32>
  // CHECK-NEXT: %[[W:.*]] = xegpu.collect %a
  // CHECK-NEXT: %[[B:.*]] = xegpu.distribute %[[W]] {elements = array<i32: 0, 1, 2, 3,
  // CHECK-NEXT: %s = arith.negf %[[B]] : vector<16x1xf32>
  // CHECK-NEXT: xegpu.store_nd %s
  gpu.func @convert(%m: memref<16x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #r>
    %u = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #c>
    %a = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf32, #r> -> vector<16x16xf32>
    %b = xegpu.convert_layout %a <{input_layout = #r, target_layout = #c}> : vector<16x16xf32>
    %s = arith.negf %b : vector<16x16xf32>
    xegpu.store_nd %s, %u : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32, #c>
    gpu.return
  }

  // In a kernel of whole subgroups there is nothing to convert.
  // CHECK-LABEL: gpu.func @whole
  // CHECK: xegpu.convert_layout
  gpu.func @whole(%m: memref<16x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32>
    %a = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf32> -> vector<16x16xf32>
    %b = xegpu.convert_layout %a <{input_layout = #r, target_layout = #c}> : vector<16x16xf32>
    xegpu.store_nd %b, %t : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32>
    gpu.return
  }
}
