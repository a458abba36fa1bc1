// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// A kernel whose descriptors carry sg_map runs with a lane for each work-item. Fragments of the matrix engine's maps have
// the image of the whole tile, so they are loaded, multiplied and stored without a move between.
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#pair = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
gpu.module @m {
  // CHECK-LABEL: xe.kernel @product
  // CHECK-SAME: "a" : "memref<8x32xf16>", at 0, 8 bytes, pointer global readonly>
  // CHECK-SAME: "b" : "memref<32x32xf16>", at 8, 8 bytes, pointer global readonly>
  // CHECK-SAME: "c" : "memref<8x32xf32>", at 16, 8 bytes, pointer global writeonly>
  // CHECK-SAME: simd_size = 16 : i32, target = "pvc"
  // CHECK: %[[A:.*]] = xe.load_block2d[{{.*}} {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d16, block = [16, 8, 1]>, {{.*}} -> !xe.grf<256, 64>
  // CHECK-NEXT: %[[B:.*]] = xe.load_block2d[{{.*}} {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d16, vnni, block = [16, 16, 1]>, {{.*}} -> !xe.grf<512, 64>
  // CHECK-NEXT: %[[C:.*]] = xe.dpas(%[[B]], %[[A]] : !xe.grf<512, 64>, !xe.grf<256, 64>) {exec_size = 16 : i32, reads = [#xe.read<f>, #xe.read<hf>, #xe.read<hf>], repeat = 8 : i32, write = #xe.write<f>} -> !xe.grf<512, 64>
  // CHECK-NEXT: xe.store_block2d[{{.*}} data %[[C]] : !xe.grf<512, 64> {exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, block = [16, 8, 1]>
  // CHECK-NEXT: xe.eot
  gpu.func @product(%a: memref<8x32xf16>, %b: memref<32x32xf16>, %c: memref<8x32xf32>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x32xf16> -> !xegpu.tensor_desc<8x16xf16, #row>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<32x32xf16> -> !xegpu.tensor_desc<16x16xf16, #pair>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x32xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #row> -> vector<8x1xf16>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xf16, #pair> -> vector<8x2xf16>
    %vc = xegpu.dpas %va, %vb {sg_map_a = #row, sg_map_b = #pair, sg_map_c = #row} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
    xegpu.store_nd %vc, %tc : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }

  // A scalar that differs between lanes is repeated for every row of a fragment; one that does not is read by all channels.
  // CHECK-LABEL: xe.kernel @mixed
  // CHECK: %[[V:.*]] = xe.load_block2d[{{.*}}block = [16, 2, 1]
  // CHECK: %[[LANE:.*]] = xe.mov(%{{.*}}) {exec_size = 16 : i32, no_mask, reads = [#xe.read<d>], write = #xe.write<f>} -> !xe.grf<64, 64>
  // CHECK: xe.mov into %{{.*}}(%[[LANE]] : !xe.grf<64, 64>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>], write = #xe.write<ud>} -> !xe.grf<128, 64>
  // CHECK: %[[ROWS:.*]] = xe.mov into %{{.*}}(%[[LANE]] : !xe.grf<64, 64>) {exec_size = 16 : i32, no_mask, reads = [#xe.read<ud>], write = #xe.write<ud, 64>} -> !xe.grf<128, 64>
  // CHECK: %[[SUM:.*]] = xe.add{{.*}}(%[[V]], %[[ROWS]] : {{.*}} {exec_size = 32 : i32, no_mask, reads = [#xe.read<f>, #xe.read<f>], write = #xe.write<f>} -> !xe.grf<128, 64>
  // CHECK: %[[SCALED:.*]] = xe.mul{{.*}}(%[[SUM]], %{{.*}} : {{.*}} {exec_size = 32 : i32, no_mask, reads = [#xe.read<f>, #xe.read<f{{(, [0-9]+)?, \[0, 1, 0\]>\]|>\]}}, write = #xe.write<f>
  // CHECK: xe.store_block2d[{{.*}} data %[[SCALED]]
  gpu.func @mixed(%m: memref<2x16xf32>, %s: f32) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<2x16xf32> -> !xegpu.tensor_desc<2x16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<2x16xf32, #row> -> vector<2x1xf32>
    %id = gpu.thread_id x
    %i = arith.index_cast %id : index to i32
    %f = arith.sitofp %i : i32 to f32
    %lane = vector.broadcast %f : f32 to vector<2x1xf32>
    %sum = arith.addf %v, %lane : vector<2x1xf32>
    %uniform = vector.broadcast %s : f32 to vector<2x1xf32>
    %scaled = arith.mulf %sum, %uniform : vector<2x1xf32>
    xegpu.store_nd %scaled, %t : vector<2x1xf32>, !xegpu.tensor_desc<2x16xf32, #row>
    gpu.return
  }

  // Plain code on memrefs has a lane for each work-item as well: an address each, under the execution mask.
  // CHECK-LABEL: xe.kernel @plain
  // CHECK-SAME: local_id_dimensions = 1 : i32
  // CHECK-SAME: simd_size = 16 : i32, target = "pvc"
  // CHECK: %[[X:.*]] = xe.load[%{{.*}} : !xe.grf<128, 64>] {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64>
  // CHECK: %[[Y:.*]] = xe.add{{.*}}(%[[X]], %[[X]] : {{.*}} {exec_size = 16 : i32
  // CHECK: xe.store[%{{.*}} : !xe.grf<128, 64>] data %{{.*}} {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>}
  gpu.func @plain(%m: memref<64xf32>) kernel {
    %i = gpu.global_id x
    %x = memref.load %m[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %m[%i] : memref<64xf32>
    gpu.return
  }
}
