// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Descriptors of one address a lane.
#plain = #xegpu.scatter_tdesc_attr<>
#chunk2 = #xegpu.scatter_tdesc_attr<chunk_size = 2 : i64>
#chunk4 = #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>
#row = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @m {
  // The mask is the predicate; lanes that it leaves out get zeros.
  // CHECK-LABEL: xe.kernel @masked
  // CHECK: xe.prefetch[%{{.*}} : !xe.grf<128, 64>] {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>, no_mask}
  // CHECK: %[[ZEROS:.*]] = xe.mov {{.*}}reads = [#xe.imm<ud, 0>]
  // CHECK: xe.load into %[[ZEROS]] : !xe.grf<64, 64> if %{{.*}}[%[[AT:.*]] : !xe.grf<128, 64>] {exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32, cache = uc_uc>, no_mask}
  // CHECK: %[[NEXT:.*]] = xe.add{{.*}}(%[[AT]], %
  // CHECK: xe.store if
  gpu.func @masked(%m: memref<64xf32>, %p: i1, %o: index) kernel attributes {VectorComputeFunctionINTEL} {
    %offsets = vector.broadcast %o : index to vector<16xindex>
    %mask = vector.broadcast %p : i1 to vector<16xi1>
    %t = xegpu.create_tdesc %m, %offsets : memref<64xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #plain>
    xegpu.prefetch %t : !xegpu.tensor_desc<16xf32, #plain>
    %v = xegpu.load %t, %mask <{l1_hint = #xegpu.cache_hint<uncached>, l3_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<16xf32, #plain>, vector<16xi1> -> vector<16xf32>
    %u = xegpu.update_offset %t, %offsets : !xegpu.tensor_desc<16xf32, #plain>, vector<16xindex>
    xegpu.store %v, %u, %mask : vector<16xf32>, !xegpu.tensor_desc<16xf32, #plain>, vector<16xi1>
    gpu.return
  }

  // A mask that holds everywhere is none. Chunks come in one message, element by element.
  // CHECK-LABEL: xe.kernel @chunks
  // CHECK: %[[V:.*]] = xe.load[{{.*}}message = #xe.message<unit = ugm, size = d32, vector = 4>, no_mask} -> !xe.grf<256, 64>
  // CHECK: xe.store[{{.*}} data %[[V]] : !xe.grf<256, 64> {{.*}}message = #xe.message<unit = ugm, size = d32, vector = 4>, no_mask}
  gpu.func @chunks(%m: memref<64xf32>, %o: index) kernel attributes {VectorComputeFunctionINTEL} {
    %offsets = vector.broadcast %o : index to vector<16xindex>
    %mask = arith.constant dense<true> : vector<16xi1>
    %t = xegpu.create_tdesc %m, %offsets : memref<64xf32>, vector<16xindex> -> !xegpu.tensor_desc<16x4xf32, #chunk4>
    %v = xegpu.load %t, %mask <{transpose}> : !xegpu.tensor_desc<16x4xf32, #chunk4>, vector<16xi1> -> vector<4x16xf32>
    xegpu.store %v, %t, %mask <{transpose}> : vector<4x16xf32>, !xegpu.tensor_desc<16x4xf32, #chunk4>, vector<16xi1>
    gpu.return
  }

  // Narrow elements come in words where offsets are known to be aligned, else one by one.
  // CHECK-LABEL: xe.kernel @narrow
  // CHECK: xe.load[{{.*}}message = #xe.message<unit = ugm, size = d32>, no_mask} -> !xe.grf<64, 64>
  // CHECK: xe.load[{{.*}}message = #xe.message<unit = ugm, size = d16u32>, no_mask} -> !xe.grf<64, 64>
  // CHECK: xe.load[{{.*}}message = #xe.message<unit = ugm, size = d16u32, offset = 2>, no_mask} -> !xe.grf<64, 64>
  gpu.func @narrow(%m: memref<64xf16>, %o: index) kernel attributes {VectorComputeFunctionINTEL} {
    %mask = arith.constant dense<true> : vector<4xi1>
    %even = arith.constant dense<[0, 2, 8, 4]> : vector<4xindex>
    %any = vector.broadcast %o : index to vector<4xindex>
    %t = xegpu.create_tdesc %m, %even : memref<64xf16>, vector<4xindex> -> !xegpu.tensor_desc<4x2xf16, #chunk2>
    %v = xegpu.load %t, %mask <{transpose}> : !xegpu.tensor_desc<4x2xf16, #chunk2>, vector<4xi1> -> vector<2x4xf16>
    %u = xegpu.create_tdesc %m, %any : memref<64xf16>, vector<4xindex> -> !xegpu.tensor_desc<4x2xf16, #chunk2>
    %w = xegpu.load %u, %mask <{transpose}> : !xegpu.tensor_desc<4x2xf16, #chunk2>, vector<4xi1> -> vector<2x4xf16>
    gpu.return
  }

  // A lane's own element: the execution mask counts too.
  // CHECK-LABEL: xe.kernel @items
  // CHECK: xe.load[{{.*}}{exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64>
  // CHECK: xe.atomic_fadd[{{.*}}{exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32>}
  gpu.func @items(%m: memref<64xf32>) kernel {
    %i = gpu.lane_id
    %offset = vector.broadcast %i : index to vector<1xindex>
    %mask = arith.constant dense<true> : vector<1xi1>
    %t = xegpu.create_tdesc %m, %offset : memref<64xf32>, vector<1xindex> -> !xegpu.tensor_desc<16xf32, #plain, #row>
    %v = xegpu.load %t, %mask : !xegpu.tensor_desc<16xf32, #plain, #row>, vector<1xi1> -> vector<1xf32>
    %r = xegpu.atomic_rmw addf %t, %mask, %v : !xegpu.tensor_desc<16xf32, #plain, #row>, vector<1xi1>, vector<1xf32> -> vector<1xf32>
    gpu.return
  }
}
