// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Accesses of 2-D tiles as messages for blocks. A payload holds base, width, height and pitch minus one, x, y and shape.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @payload
  // CHECK-DAG: reads = [#xe.read<uq, [0, 1, 0]>], write = #xe.write<uq>
  // CHECK-DAG: reads = [#xe.imm<ud, 255>], write = #xe.write<ud, 8>
  // CHECK-DAG: reads = [#xe.imm<ud, 31>], write = #xe.write<ud, 12>
  // CHECK-DAG: reads = [#xe.imm<ud, 255>], write = #xe.write<ud, 16>
  // CHECK-DAG: reads = [#xe.imm<d, 16>], write = #xe.write<d, 20>
  // CHECK-DAG: reads = [#xe.imm<d, 8>], write = #xe.write<d, 24>
  // CHECK-DAG: reads = [#xe.imm<ud, 1807>], write = #xe.write<ud, 28>
  // CHECK: %[[V:.*]] = xe.load_block2d[%{{.*}} : !xe.grf<64, 64>] {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, block = [16, 8, 1]>, no_mask} -> !xe.grf<512, 64>
  // CHECK: xe.store_block2d[%{{.*}} : !xe.grf<64, 64>] data %[[V]] : !xe.grf<512, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, block = [16, 8, 1]>, no_mask}
  gpu.func @payload(%m: memref<32x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[8, 16] : memref<32x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // Blocks side by side come by one message.
  // CHECK-LABEL: xe.kernel @side
  // CHECK: reads = [#xe.imm<ud, 69391>], write = #xe.write<ud, 28>
  // CHECK: %[[V:.*]] = xe.load_block2d[{{.*}}size = d16, block = [16, 16, 2]>{{.*}} -> !xe.grf<1024, 64>
  // CHECK: xe.store{{.*}} data %[[V]]
  gpu.func @side(%m: memref<64x64xf16>, %o: memref<512xf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>> -> vector<2x16x16xf16>
    %u = xegpu.create_nd_tdesc %o[0] : memref<512xf16> -> !xegpu.tensor_desc<512xf16>
    %f = vector.shape_cast %v : vector<2x16x16xf16> to vector<512xf16>
    xegpu.store_nd %f, %u : vector<512xf16>, !xegpu.tensor_desc<512xf16>
    gpu.return
  }

  // Pairs of rows are packed on their way.
  // CHECK-LABEL: xe.kernel @packed
  // CHECK: %[[V:.*]] = xe.load_block2d[{{.*}}size = d16, vnni, block = [16, 32, 1]>{{.*}} -> !xe.grf<1024, 64>
  // CHECK: xe.store{{.*}} data %[[V]]
  gpu.func @packed(%m: memref<64x64xf16>, %o: memref<512xf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf16> -> !xegpu.tensor_desc<32x16xf16>
    %v = xegpu.load_nd %t <{packed}> : !xegpu.tensor_desc<32x16xf16> -> vector<16x16x2xf16>
    %u = xegpu.create_nd_tdesc %o[0] : memref<512xf16> -> !xegpu.tensor_desc<512xf16>
    %f = vector.shape_cast %v : vector<16x16x2xf16> to vector<512xf16>
    xegpu.store_nd %f, %u : vector<512xf16>, !xegpu.tensor_desc<512xf16>
    gpu.return
  }

  // So is a tile turned: eight columns of dwords a message.
  // CHECK-LABEL: xe.kernel @transposed
  // CHECK: %[[V:.*]] = xe.load_block2d[{{.*}}size = d32, transposed, block = [8, 16, 1]>{{.*}} -> !xe.grf<512, 64>
  // CHECK: xe.store_block2d{{.*}} data %[[V]]
  gpu.func @transposed(%m: memref<64x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 8] : memref<64x64xf32> -> !xegpu.tensor_desc<16x8xf32>
    %v = xegpu.load_nd %t <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
    %u = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %v, %u : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // Pairs of f16 are turned as dwords: half as many units, and x counts units.
  // CHECK-LABEL: xe.kernel @pairs
  // CHECK: xe.asr into %{{.*}}reads = [#xe.read<d, 20, [0, 1, 0]>, #xe.imm<d, 1>], write = #xe.write<d, 20>
  // CHECK: xe.load_block2d[{{.*}}size = d32, transposed, block = [8, 16, 1]>{{.*}} -> !xe.grf<512, 64>
  gpu.func @pairs(%m: memref<64x64xf16>, %o: memref<256xf16>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 16] : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %v = xegpu.load_nd %t <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
    %u = xegpu.create_nd_tdesc %o[0] : memref<256xf16> -> !xegpu.tensor_desc<256xf16>
    %f = vector.shape_cast %v : vector<8x16x2xf16> to vector<256xf16>
    xegpu.store_nd %f, %u : vector<256xf16>, !xegpu.tensor_desc<256xf16>
    gpu.return
  }

  // What is larger than a message takes several: each has its place, and writes its own shape to the payload.
  // CHECK-LABEL: xe.kernel @large
  // CHECK-COUNT-2: xe.load_block2d{{.*}}block = [16, 32, 1]
  // CHECK-NOT: xe.load_block2d
  // CHECK-COUNT-8: xe.store_block2d{{.*}}block = [16, 8, 1]
  // CHECK-NOT: xe.store_block2d
  // CHECK: xe.eot
  gpu.func @large(%m: memref<64x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<64x16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<64x16xf32> -> vector<64x16xf32>
    xegpu.store_nd %v, %t : vector<64x16xf32>, !xegpu.tensor_desc<64x16xf32>
    gpu.return
  }

  // Cache hints become the message's cache control.
  // CHECK-LABEL: xe.kernel @hints
  // CHECK: xe.prefetch_block2d{{.*}}cache = uc_ca
  // CHECK: xe.load_block2d{{.*}}cache = st_uc
  // CHECK: xe.store_block2d{{.*}}cache = ca_uc
  gpu.func @hints(%m: memref<64x64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.prefetch_nd %t <{l1_hint = #xegpu.cache_hint<uncached>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<streaming>, l3_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %t <{l1_hint = #xegpu.cache_hint<write_through>, l3_hint = #xegpu.cache_hint<uncached>}> : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
