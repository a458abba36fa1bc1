// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Elements of memrefs: an address for each lane. What is narrower than a dword travels in one.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @narrow
  // CHECK: %[[H:.*]] = xe.load[{{.*}}exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d16u32>} -> !xe.grf<64, 64>
  // CHECK: xe.mov into %{{.*}}(%[[H]] : !xe.grf<64, 64>) {{.*}}reads = [#xe.read<uw, [2, 1, 0]>], write = #xe.write<uw>} -> !xe.grf<32, 32>
  // CHECK: xe.store[{{.*}}exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d16u32>}
  // CHECK: %[[B:.*]] = xe.load[{{.*}}exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d8u32>} -> !xe.grf<64, 64>
  // CHECK: xe.mov into %{{.*}}(%[[B]] : !xe.grf<64, 64>) {{.*}}reads = [#xe.read<ub, [4, 1, 0]>], write = #xe.write<ub>} -> !xe.grf<16, 16>
  // CHECK: xe.store[{{.*}}exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d8u32>}
  // CHECK: xe.load[{{.*}}exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d64>} -> !xe.grf<128, 64>
  // CHECK: xe.store[{{.*}}exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d64>}
  gpu.func @narrow(%m: memref<64xf16>, %b: memref<64xi8>, %d: memref<64xf64>) kernel {
    %i = gpu.thread_id x
    %h = memref.load %m[%i] : memref<64xf16>
    memref.store %h, %m[%i] : memref<64xf16>
    %e = memref.load %b[%i] : memref<64xi8>
    memref.store %e, %b[%i] : memref<64xi8>
    %f = memref.load %d[%i] : memref<64xf64>
    memref.store %f, %d[%i] : memref<64xf64>
    gpu.return
  }

  // What is the same in all lanes is accessed once, whatever the mask. Dynamic sizes follow the pointer as arguments.
  // CHECK-LABEL: xe.kernel @uniform
  // CHECK-SAME: arguments = [#xe.argument<"m" : "memref<?x8x?xf32>", at 0, 8 bytes, pointer global readwrite>, #xe.argument<"m.size0" : "index", at 8, 8 bytes>, #xe.argument<"m.size2" : "index", at 16, 8 bytes>, #xe.argument<"i" : "index", at 24, 8 bytes>]
  // CHECK: %[[PLANE:.*]] = xe.mul(%{{.*}}reads = [#xe.read<uq, 16, [0, 1, 0]>, #xe.imm<uq, 8>]
  // CHECK: xe.mul(%{{.*}}, %[[PLANE]] : {{.*}}reads = [#xe.read<uq, 24, [0, 1, 0]>, #xe.read<uq, [0, 1, 0]>]
  // CHECK: %[[X:.*]] = xe.load[%{{.*}}] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32>, no_mask}
  // CHECK: xe.mul(%{{.*}}, %[[PLANE]] : {{.*}}reads = [#xe.read<uq, 8, [0, 1, 0]>, #xe.read<uq, [0, 1, 0]>]
  // CHECK: xe.store[{{.*}}exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32>, no_mask}
  gpu.func @uniform(%m: memref<?x8x?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = memref.load %m[%i, %c1, %c2] : memref<?x8x?xf32>
    %n = memref.dim %m, %c0 : memref<?x8x?xf32>
    memref.store %x, %m[%n, %c0, %c0] : memref<?x8x?xf32>
    gpu.return
  }

  // So do dynamic strides and offsets; a uniform value is stored by each lane to its own place.
  // CHECK-LABEL: xe.kernel @strided
  // CHECK-SAME: pointer global writeonly>, #xe.argument<"m.stride0" : "index", at 8, 8 bytes>, #xe.argument<"m.offset" : "index", at 16, 8 bytes>, #xe.argument<"s" : "f32", at 24, 4 bytes>]
  // CHECK: xe.mul({{.*}}reads = [#xe.read<uq, 16, [0, 1, 0]>, #xe.imm<uq, 4>]
  // CHECK: xe.mul({{.*}} {exec_size = 16 : i32, {{.*}}reads = [#xe.read<uq>, #xe.read<uq, 8, [0, 1, 0]>]
  // CHECK: %[[S:.*]] = xe.mov {{.*}}exec_size = 16 : i32, no_mask, reads = [#xe.read<ud, 24, [0, 1, 0]>], write = #xe.write<ud>
  // CHECK: xe.store[%{{.*}} : !xe.grf<128, 64>] data %[[S]] : !xe.grf<64, 64> {exec_size = 16 : i32, message
  gpu.func @strided(%m: memref<8x8xf32, strided<[?, 1], offset: ?>>, %s: f32) kernel {
    %i = gpu.thread_id x
    memref.store %s, %m[%i, %i] : memref<8x8xf32, strided<[?, 1], offset: ?>>
    gpu.return
  }

  // Arguments by value: truth is a byte of memory, a word of all ones in a register.
  // CHECK-LABEL: xe.kernel @values
  // CHECK-SAME: #xe.argument<"p" : "i1", at 8, 1 bytes>, #xe.argument<"h" : "f16", at 10, 2 bytes>, #xe.argument<"n" : "i64", at 16, 8 bytes>
  // CHECK: xe.mov({{.*}} {exec_size = 1 : i32, no_mask, reads = [#xe.read<ub, 8, [0, 1, 0], neg>], write = #xe.write<w>} -> !xe.grf<2, 2>
  gpu.func @values(%m: memref<4xf16>, %p: i1, %h: f16, %n: i64) kernel {
    %i = arith.index_cast %n : i64 to index
    %z = arith.constant 0.0 : f16
    %v = arith.select %p, %h, %z : f16
    memref.store %v, %m[%i] : memref<4xf16>
    gpu.return
  }
}
