// RUN: xegpu-opt %s -p 'xegpu-convert-generation{target=pvc to=rfc}' | filecheck %s

gpu.module @m {
  // CHECK-LABEL: gpu.func @blocks
  gpu.func @blocks(%a: memref<64xf32>, %b: memref<64x64xf16>, %p: i64, %i: index) kernel {
    // CHECK: %[[T:.*]] = xegpu.create_nd_tdesc %a[%i] : memref<64xf32>
    // CHECK-NEXT: xegpu.load_nd %[[T]] : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    // CHECK: xegpu.create_nd_tdesc %b[0, 16] : memref<64x64xf16>
    // CHECK-NEXT: xegpu.load_nd %{{.*}} <{packed}>
    // CHECK: xegpu.create_nd_tdesc %p[8, 0], [64, 64], [64, 1] : i64
    // CHECK-NEXT: %[[TWO:.*]] = xegpu.load_nd {{.*}} -> vector<2x8x16xf16>
    // CHECK-NEXT: vector.shape_cast %[[TWO]] : vector<2x8x16xf16> to vector<16x16xf16>
    %t = xegpu.create_nd_tdesc %a : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    %v = xegpu.load_nd %t[%i] <{layout = #xegpu.layout<lane_layout = [16], lane_data = [1]>}> : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %u = xegpu.create_nd_tdesc %b : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %w = xegpu.load_nd %u[0, 16] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
    %d = xegpu.create_nd_tdesc %p, shape : [64, 64], strides : [64, 1] : i64 -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>>
    %x = xegpu.load_nd %d[8, 0] : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>> -> vector<16x16xf16>
    gpu.return
  }

  // 48 addresses take messages of 16 each.
  // CHECK-LABEL: gpu.func @wide
  // CHECK-COUNT-3: xegpu.atomic_rmw addf %{{.*}} : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  // CHECK-NOT: xegpu.atomic_rmw
  gpu.func @wide(%a: memref<64xf32>, %o: vector<48xindex>, %m: vector<48xi1>, %v: vector<48xf32>) {
    %t = xegpu.create_tdesc %a, %o : memref<64xf32>, vector<48xindex> -> !xegpu.tensor_desc<48xf32, #xegpu.scatter_tdesc_attr<>>
    %old = xegpu.atomic_rmw addf %t, %m, %v : !xegpu.tensor_desc<48xf32, #xegpu.scatter_tdesc_attr<>>, vector<48xi1>, vector<48xf32> -> vector<48xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @gathers
  gpu.func @gathers(%p: i64, %o: vector<2x16xindex>, %m: vector<2x16xi1>, %q: vector<16xindex>, %n: vector<16xi1>) kernel {
    // CHECK-COUNT-2: xegpu.create_tdesc %p, %{{.*}} : i64, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
    // CHECK: vector.shape_cast %{{.*}} : vector<32xf32> to vector<2x16xf32>
    // CHECK: xegpu.create_tdesc {{.*}} -> !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>
    // CHECK-NEXT: %[[COLUMNS:.*]] = xegpu.load {{.*}} <{transpose}> {{.*}} -> vector<4x16xf32>
    // CHECK-NEXT: vector.transpose %[[COLUMNS]], [1, 0]
    %v = xegpu.load %p[%o], %m : i64, vector<2x16xindex>, vector<2x16xi1> -> vector<2x16xf32>
    %w = xegpu.load %p[%q], %n <{chunk_size = 4 : i64}> : i64, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
    gpu.return
  }

  // A lane's parts become fragments of a map that shape, type and use determine.
  // CHECK-LABEL: gpu.func @lanes
  gpu.func @lanes(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel {
    // CHECK: xegpu.load_nd {{.*}} : !xegpu.tensor_desc<8x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>> -> vector<8x1xf16>
    // CHECK: xegpu.load_nd {{.*}} <{packed}> : !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>> -> vector<8x2xf16>
    // CHECK: xegpu.dpas {{.*}} : vector<8x1xf16>, vector<8x2xf16> -> vector<8x1xf32>
    %ta = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
    %tb = xegpu.create_nd_tdesc %b : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %va = xegpu.load_nd %ta[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
    %vb = xegpu.load_nd %tb[0, 0] : !xegpu.tensor_desc<16x16xf16> -> vector<16xf16>
    %vc = xegpu.dpas %va, %vb : vector<8xf16>, vector<16xf16> -> vector<8xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @batch
  gpu.func @batch(%a: vector<2x8x16xf16>, %b: vector<2x16x16xf16>, %v: vector<16xf32>) kernel {
    // CHECK-COUNT-2: xegpu.dpas %{{.*}} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    // CHECK-NOT: convert_layout
    %t = arith.addf %v, %v {layout_result_0 = #xegpu.layout<inst_data = [16]>} : vector<16xf32>
    %c = xegpu.dpas %a, %b : vector<2x8x16xf16>, vector<2x16x16xf16> -> vector<2x8x16xf32>
    %d = xegpu.convert_layout %t <{input_layout = #xegpu.layout<inst_data = [16]>, target_layout = #xegpu.layout<inst_data = [8]>}> : vector<16xf32>
    gpu.return
  }
}
