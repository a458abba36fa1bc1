// RUN: xegpu-opt %s -p xegpu-propagate-sg-map{target=pvc} | filecheck %s

gpu.module @m {
  // Operands of products get the maps of the matrix engine, through loops and updates; the bias is shared like the sum.
  // CHECK-LABEL: gpu.func @product
  // CHECK: %ta = xegpu.create_nd_tdesc {{.*}} !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
  // CHECK: %tb = xegpu.create_nd_tdesc {{.*}} !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>
  // CHECK: %tc = xegpu.create_nd_tdesc {{.*}} !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
  // CHECK: iter_args({{.*}}, %db = %tb) -> (vector<8x16xf32>, !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>)
  // CHECK: xegpu.dpas {{.*}} {sg_map_a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, sg_map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>, sg_map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>}
  gpu.func @product(%a: memref<8x16xf16>, %b: memref<64x16xf16>, %c: memref<8x16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<64x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %tc = xegpu.create_nd_tdesc %c[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %bias = xegpu.load_nd %tc : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %r, %end = scf.for %k = %c0 to %c64 step %c16 iter_args(%sum = %bias, %db = %tb) -> (vector<8x16xf32>, !xegpu.tensor_desc<16x16xf16>) {
      %vb = xegpu.load_nd %db <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
      %vc = xegpu.dpas %va, %vb, %sum : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      %nb = xegpu.update_nd_offset %db, [%c16, %c0] : !xegpu.tensor_desc<16x16xf16>
      scf.yield %vc, %nb : vector<8x16xf32>, !xegpu.tensor_desc<16x16xf16>
    }
    xegpu.store_nd %r, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }

  // A map that is given spreads: a transpose turns it, and a converted tile has it too.
  // CHECK-LABEL: gpu.func @given
  // CHECK: %u = xegpu.create_nd_tdesc {{.*}} !xegpu.tensor_desc<16x8xf16, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>>
  gpu.func @given(%m: memref<8x16xf32>, %o: memref<16x8xf16>) kernel {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>
    %u = xegpu.create_nd_tdesc %o[0, 0] : memref<16x8xf16> -> !xegpu.tensor_desc<16x8xf16>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>> -> vector<8x16xf32>
    %w = vector.transpose %v, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
    %n = arith.truncf %w : vector<16x8xf32> to vector<16x8xf16>
    xegpu.store_nd %n, %u : vector<16x8xf16>, !xegpu.tensor_desc<16x8xf16>
    gpu.return
  }

  // Without anchors: rows, columns where a tile is transposed, pairs where it is packed, a chunk for each lane.
  // CHECK-LABEL: gpu.func @usual
  // CHECK: !xegpu.tensor_desc<16x8xf32, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>
  // CHECK: !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>
  // CHECK: !xegpu.tensor_desc<16x4xf16, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>>
  // CHECK: !xegpu.tensor_desc<4x3xf32>
  gpu.func @usual(%a: memref<16x8xf32>, %b: memref<16x16xf16>, %c: memref<64xf16>, %i: vector<16xindex>, %on: vector<16xi1>) kernel {
    %ta = xegpu.create_nd_tdesc %a[0, 0] : memref<16x8xf32> -> !xegpu.tensor_desc<16x8xf32>
    %tb = xegpu.create_nd_tdesc %b[0, 0] : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %tc = xegpu.create_tdesc %c, %i : memref<64xf16>, vector<16xindex> -> !xegpu.tensor_desc<16x4xf16, #xegpu.scatter_tdesc_attr<chunk_size = 4>>
    %td = xegpu.create_nd_tdesc %a[0, 0] : memref<16x8xf32> -> !xegpu.tensor_desc<4x3xf32>
    %va = xegpu.load_nd %ta <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
    %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
    %vc = xegpu.load %tc, %on <{transpose}> : !xegpu.tensor_desc<16x4xf16, #xegpu.scatter_tdesc_attr<chunk_size = 4>>, vector<16xi1> -> vector<4x16xf16>
    %vd = xegpu.load_nd %td : !xegpu.tensor_desc<4x3xf32> -> vector<4x3xf32>
    gpu.return
  }

  // A kernel of whole subgroups is left alone.
  // CHECK-LABEL: gpu.func @whole
  // CHECK: !xegpu.tensor_desc<8x16xf32>
  gpu.func @whole(%m: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    gpu.return
  }
}
