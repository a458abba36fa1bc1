// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// A 1D block is one message, a uniform scalar is read from the payload by every channel.
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

// CHECK: xe.kernel @k attributes {arguments = [#xe.argument<"a" : "memref<64xf32>", at 0, 8 bytes, pointer global readwrite>, #xe.argument<"s" : "f32", at 8, 4 bytes>], {{.*}}simd_size = 1 : i32, target = "pvc"
// CHECK: ^bb0(%{{.*}}: !xe.grf<64, 64 at 0>, %[[PAYLOAD:.*]]: !xe.grf<64, 64 at 64>):
// CHECK: %[[V:.*]] = xe.load into %{{.*}}[%[[PAYLOAD]] : {{.*}}] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, vector = 16, transposed>
// CHECK: %[[B:.*]] = xe.mov(%[[PAYLOAD]] : {{.*}}) {exec_size = 16 : i32, no_mask, reads = [#xe.read<f, 8, [0, 1, 0]>], write = #xe.write<f>}
// CHECK-NEXT: %[[W:.*]] = xe.add(%[[V]], %[[B]] : {{.*}}) {exec_size = 16 : i32, no_mask, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>}
// CHECK-NEXT: xe.store[%[[PAYLOAD]] : {{.*}}] data %[[W]]
// CHECK-NEXT: xe.eot
