// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Messages for blocks have rules: base at 64 bytes, at least 64 bytes wide, widths of whole dwords, pitches of 16 bytes,
// blocks that start at whole dwords. Where they are broken, rows come by gathers.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @narrow
  // CHECK-NOT: block2d
  // CHECK: xe.load into %{{.*}} if %{{.*}} : !xe.flag[{{.*}}exec_size = 8 : i32, message = #xe.message<unit = ugm, size = d32>
  // CHECK: xe.store if %{{.*}} : !xe.flag[{{.*}}exec_size = 8 : i32, message = #xe.message<unit = ugm, size = d32>
  // CHECK-NOT: block2d
  // CHECK: xe.eot
  gpu.func @narrow(%m: memref<8x8xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x8xf32> -> !xegpu.tensor_desc<8x8xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x8xf32> -> vector<8x8xf32>
    xegpu.store_nd %v, %t : vector<8x8xf32>, !xegpu.tensor_desc<8x8xf32>
    gpu.return
  }

  // A pitch of 132 bytes is no multiple of 16.
  // CHECK-LABEL: xe.kernel @pitch
  // CHECK-NOT: block2d
  // CHECK: xe.load into
  // CHECK-NOT: block2d
  // CHECK: xe.eot
  gpu.func @pitch(%m: memref<8x33xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x33xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // A prefetch of such a surface does nothing.
  // CHECK-LABEL: xe.kernel @prefetch
  // CHECK-NOT: xe.prefetch
  // CHECK: xe.eot
  gpu.func @prefetch(%m: memref<8x33xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x33xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.prefetch_nd %t : !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // Of a surface with dynamic sizes the running kernel finds out: one branch for each access, and both forms.
  // CHECK-LABEL: xe.kernel @dynamic
  // CHECK-SAME: "m" : "memref<?x?xf32>", at 0, 8 bytes, pointer global
  // CHECK-SAME: "m.size0" : "index", at 8, 8 bytes>
  // CHECK-SAME: "m.size1" : "index", at 16, 8 bytes>
  // CHECK: xe.cond_br %{{.*}}, ^[[FAST:.*]], ^[[SLOW:.*]] : !xe.flag
  // CHECK: ^[[FAST]]:
  // CHECK-NEXT: %[[BLOCK:.*]] = xe.load_block2d[
  // CHECK-NEXT: xe.br ^[[JOIN:.*]](%[[BLOCK]] : !xe.grf<512, 64>)
  // CHECK: ^[[SLOW]]:
  // CHECK-NOT: block2d
  // CHECK: xe.br ^[[JOIN]](%{{.*}} : !xe.grf<512, 64>)
  // CHECK: ^[[JOIN]](%[[V:.*]]: !xe.grf<512, 64>):
  // CHECK: xe.cond_br
  // CHECK: xe.store_block2d[{{.*}} data %[[V]]
  // CHECK: xe.store if
  // CHECK: xe.eot
  gpu.func @dynamic(%m: memref<?x?xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %h = memref.dim %m, %c0 : memref<?x?xf32>
    %w = memref.dim %m, %c1 : memref<?x?xf32>
    %t = xegpu.create_nd_tdesc %m[0, 0], [%h, %w], [%w, 1] : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // An odd column of f16 is no whole dword; known factors decide, others are asked for.
  // CHECK-LABEL: xe.kernel @even
  // CHECK-NOT: xe.cond_br
  // CHECK: xe.load_block2d
  // CHECK-NOT: xe.cond_br
  // CHECK: xe.eot
  gpu.func @even(%m: memref<64x64xf16>, %i: index, %o: memref<256xf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %c16 = arith.constant 16 : index
    %x = arith.muli %i, %c16 : index
    %t = xegpu.create_nd_tdesc %m[0, %x] : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %u = xegpu.create_nd_tdesc %o[0] : memref<256xf16> -> !xegpu.tensor_desc<256xf16>
    %f = vector.shape_cast %v : vector<16x16xf16> to vector<256xf16>
    xegpu.store_nd %f, %u : vector<256xf16>, !xegpu.tensor_desc<256xf16>
    gpu.return
  }

  // CHECK-LABEL: xe.kernel @unknown
  // CHECK: xe.and({{.*}}reads = [#xe.read<ud, 20, [0, 1, 0]>, #xe.imm<ud, 1>]
  // CHECK: xe.cond_br
  // CHECK: xe.load_block2d
  // CHECK: xe.load into {{.*}}size = d16u32
  gpu.func @unknown(%m: memref<64x64xf16>, %x: index, %o: memref<256xf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, %x] : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
    %u = xegpu.create_nd_tdesc %o[0] : memref<256xf16> -> !xegpu.tensor_desc<256xf16>
    %f = vector.shape_cast %v : vector<16x16xf16> to vector<256xf16>
    xegpu.store_nd %f, %u : vector<256xf16>, !xegpu.tensor_desc<256xf16>
    gpu.return
  }
}
