// RUN: xegpu-opt %s -p xe-pipeline{target=pvc} | filecheck %s

// The sum takes the registers of an operand that dies there.
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>, %s: f32) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %a[0] : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %b = vector.broadcast %s : f32 to vector<16xf32>
    %w = arith.addf %v, %b : vector<16xf32>
    xegpu.store_nd %w, %t : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}

// CHECK: xe.kernel @k attributes {{{.*}}grf_count = 128 : i32, {{.*}}spill_size = 0 : i32
// CHECK: %[[V:.*]] = xe.load into {{.*}} -> !xe.grf<64, 64 at [[PLACE:[0-9]+]]>
// CHECK: %[[B:.*]] = xe.mov({{.*}}) {{.*}} -> !xe.grf<64, 64 at {{[0-9]+}}>
// CHECK-NEXT: %[[W:.*]] = xe.add(%[[V]], %[[B]] : {{.*}} -> !xe.grf<64, 64 at [[PLACE]]>
// CHECK-NEXT: xe.store[{{.*}}] data %[[W]] : !xe.grf<64, 64 at [[PLACE]]>
// CHECK-NEXT: xe.eot
