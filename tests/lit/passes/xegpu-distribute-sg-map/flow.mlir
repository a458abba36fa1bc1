// RUN: xegpu-opt %s -p xegpu-distribute-sg-map{target=pvc} | filecheck %s

#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#pair = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#column = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>
gpu.module @m {
  // What a loop carries is shared as the store behind the loop wants it: start, argument, sum and result.
  // CHECK-LABEL: gpu.func @loop
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8x1xf32>
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[ZERO]]) -> (vector<8x1xf32>)
  // CHECK: %[[C:.*]] = xegpu.dpas %{{.*}}, %{{.*}}, %[[SUM]] {{.*}} : vector<8x1xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
  // CHECK: scf.yield %[[C]] : vector<8x1xf32>
  // CHECK: xegpu.store_nd %[[R]], %{{.*}} : vector<8x1xf32>
  gpu.func @loop(%a: memref<8x64xf16>, %b: memref<64x16xf16>, %c: memref<8x16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%sum = %zero) -> (vector<8x16xf32>) {
      %ta = xegpu.create_nd_tdesc %a[0, %k] : memref<8x64xf16> -> !xegpu.tensor_desc<8x16xf16, #row>
      %tb = xegpu.create_nd_tdesc %b[%k, 0] : memref<64x16xf16> -> !xegpu.tensor_desc<16x16xf16, #pair>
      %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #row> -> vector<8x16xf16>
      %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xf16, #pair> -> vector<8x16x2xf16>
      %vc = xegpu.dpas %va, %vb, %sum : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %vc : vector<8x16xf32>
    }
    xegpu.store_nd %r, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }

  // Both sides of a choice, and a scalar that is broadcast to the fragment.
  // CHECK-LABEL: gpu.func @choice
  // CHECK: %[[R:.*]] = scf.if %{{.*}} -> (vector<8x1xf32>)
  // CHECK: %[[V:.*]] = xegpu.load_nd %{{.*}} -> vector<8x1xf32>
  // CHECK: scf.yield %[[V]] : vector<8x1xf32>
  // CHECK: %[[S:.*]] = vector.broadcast %{{.*}} : f32 to vector<8x1xf32>
  // CHECK: scf.yield %[[S]] : vector<8x1xf32>
  // CHECK: xegpu.store_nd %[[R]], %{{.*}} : vector<8x1xf32>
  gpu.func @choice(%m: memref<8x16xf32>, %p: i1, %s: f32) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %r = scf.if %p -> (vector<8x16xf32>) {
      %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x16xf32>
      scf.yield %v : vector<8x16xf32>
    } else {
      %b = vector.broadcast %s : f32 to vector<8x16xf32>
      scf.yield %b : vector<8x16xf32>
    }
    xegpu.store_nd %r, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }

  // Arguments of blocks are shared like what branches pass.
  // CHECK-LABEL: gpu.func @branches
  // CHECK: cf.cond_br %{{.*}}, ^[[A:.*]](%{{.*}} : vector<8x1xf32>), ^[[B:.*]]
  // CHECK: ^[[A]](%[[V:.*]]: vector<8x1xf32>):
  // CHECK: xegpu.store_nd %[[V]], %{{.*}} : vector<8x1xf32>
  gpu.func @branches(%m: memref<8x16xf32>, %p: i1) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x16xf32>
    cf.cond_br %p, ^store(%v : vector<8x16xf32>), ^end
  ^store(%w: vector<8x16xf32>):
    xegpu.store_nd %w, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    cf.br ^end
  ^end:
    gpu.return
  }

  // B from its transpose: the map of the tile in memory, turned, is what the matrix engine wants.
  // CHECK-LABEL: gpu.func @transposed
  // CHECK: %[[B:.*]] = xegpu.load_nd %{{.*}} <{{{.*}}transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32{{.*}}}> {{.*}} -> vector<8x2xf16>
  // CHECK: xegpu.dpas %{{.*}}, %[[B]] {{.*}}sg_map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>{{.*}} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
  gpu.func @transposed(%a: memref<8x16xf16>, %b: memref<16x16xf16>, %c: memref<8x16xf32>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #row>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16, #column>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #row> -> vector<8x16xf16>
    %vb = xegpu.load_nd %tb <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}> : !xegpu.tensor_desc<16x16xf16, #column> -> vector<8x16x2xf16>
    %vc = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
    xegpu.store_nd %vc, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }

  // A function that asks for whole subgroups stays as it is; so does what is distributed already.
  // CHECK-LABEL: gpu.func @whole
  // CHECK: xegpu.load_nd %{{.*}} -> vector<8x16xf32>
  gpu.func @whole(%m: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x16xf32>
    xegpu.store_nd %v, %t : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @distributed
  // CHECK: %[[V:.*]] = xegpu.load_nd %{{.*}} -> vector<8x1xf32>
  // CHECK: xegpu.store_nd %[[V]], %{{.*}} : vector<8x1xf32>
  gpu.func @distributed(%m: memref<8x16xf32>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #row>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #row> -> vector<8x1xf32>
    xegpu.store_nd %v, %t : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, #row>
    gpu.return
  }
}
