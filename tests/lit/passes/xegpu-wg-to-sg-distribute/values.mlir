// RUN: xegpu-opt %s -p xegpu-wg-to-sg-distribute{target=pvc},cse | filecheck %s
#tall = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>
#wide = #xegpu.layout<sg_layout = [1, 4], sg_data = [32, 8]>
#square = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>

gpu.module @kernels {
  // Data that others own goes through shared local memory, in a loop with a barrier before the store, too.
  // CHECK-LABEL: @convert
  // CHECK: %[[BYTES:.*]] = memref.alloc() : memref<4096xi8, 3>
  // CHECK: %[[ELEMENTS:.*]] = memref.view %[[BYTES]]{{.*}} to memref<1024xf32, 3>
  // CHECK: %[[SLM:.*]] = xegpu.create_mem_desc %[[ELEMENTS]] : memref<1024xf32, 3> -> !xegpu.mem_desc<32x32xf32>
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK: xegpu.store_matrix %{{.*}}, %[[SLM]][%{{.*}}, 0] : vector<8x32xf32>, !xegpu.mem_desc<32x32xf32>, index
  // CHECK: gpu.barrier
  // CHECK: xegpu.load_matrix %[[SLM]][0, %{{.*}}] : !xegpu.mem_desc<32x32xf32>, index -> vector<32x8xf32>
  // CHECK-NOT: gpu.barrier
  // CHECK: xegpu.store_nd
  gpu.func @convert(%x: memref<32x32xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = xegpu.create_nd_tdesc %x : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      %v = xegpu.load_nd %t[0, 0] <{layout = #tall}> : !xegpu.tensor_desc<32x32xf32> -> vector<32x32xf32>
      %w = xegpu.convert_layout %v <{input_layout = #tall, target_layout = #wide}> : vector<32x32xf32>
      xegpu.store_nd %w, %t[0, 0] <{layout = #wide}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    }
    gpu.return
  }

  // Loads follow their users, whatever their layout: the transpose needs no exchange, with or without an order.
  // CHECK-LABEL: @transpose
  // CHECK: %[[V:.*]] = xegpu.load_nd %{{.*}} -> vector<32x8xf32>
  // CHECK-NOT: gpu.barrier
  // CHECK: vector.transpose %[[V]], [1, 0] : vector<32x8xf32> to vector<8x32xf32>
  gpu.func @transpose(%x: memref<32x32xf32>) kernel {
    %t = xegpu.create_nd_tdesc %x : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %v = xegpu.load_nd %t[0, 0] <{layout = #tall}> : !xegpu.tensor_desc<32x32xf32> -> vector<32x32xf32>
    %w = vector.transpose %v, [1, 0] : vector<32x32xf32> to vector<32x32xf32>
    xegpu.store_nd %w, %t[0, 0] <{layout = #tall}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }

  // Partial results of the subgroups of a row are exchanged and combined.
  // CHECK-LABEL: @reduce
  // CHECK: %[[OWN:.*]] = vector.multi_reduction <add>, %{{.*}} [1] : vector<16x16xf32> to vector<16xf32>
  // CHECK: %[[COLUMN:.*]] = vector.shape_cast %[[OWN]] : vector<16xf32> to vector<16x1xf32>
  // CHECK: xegpu.store_matrix %[[COLUMN]], {{.*}} : vector<16x1xf32>, !xegpu.mem_desc<32x2xf32>, index, index
  // CHECK: gpu.barrier
  // CHECK: %[[ALL:.*]] = xegpu.load_matrix {{.*}} : !xegpu.mem_desc<32x2xf32>, index -> vector<16x2xf32>
  // CHECK: vector.multi_reduction <add>, %[[ALL]], {{.*}} [1] : vector<16x2xf32> to vector<16xf32>
  // CHECK: scf.if
  // CHECK: xegpu.store_nd {{.*}} : vector<16xf32>
  gpu.func @reduce(%x: memref<32x32xf32>, %y: memref<32xf32>) kernel {
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %t = xegpu.create_nd_tdesc %x : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %u = xegpu.create_nd_tdesc %y : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
    %v = xegpu.load_nd %t[0, 0] <{layout = #square}> : !xegpu.tensor_desc<32x32xf32> -> vector<32x32xf32>
    %s = vector.multi_reduction <add>, %v, %zero [1] : vector<32x32xf32> to vector<32xf32>
    xegpu.store_nd %s, %u[0] <{layout = #xegpu.slice<#square, dims = [1]>}> : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    gpu.return
  }

  // A slice of a layout: subgroups of a column share the block of the bias.
  // CHECK-LABEL: @slice
  // CHECK: %[[B:.*]] = xegpu.load_nd %{{.*}}[%{{.*}}] : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
  // CHECK: vector.broadcast %[[B]] : vector<16xf32> to vector<16x16xf32>
  gpu.func @slice(%x: memref<32xf32>, %y: memref<32x32xf32>) kernel {
    %t = xegpu.create_nd_tdesc %x : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
    %u = xegpu.create_nd_tdesc %y : memref<32x32xf32> -> !xegpu.tensor_desc<32x32xf32>
    %b = xegpu.load_nd %t[0] <{layout = #xegpu.slice<#square, dims = [0]>}> : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %w = vector.broadcast %b : vector<32xf32> to vector<32x32xf32>
    xegpu.store_nd %w, %u[0, 0] <{layout = #square}> : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }

  // One of two owners updates the memory, and tells the other what was there. Chunks are divided, too.
  // CHECK-LABEL: @elements
  // CHECK: xegpu.load %{{.*}}[%{{.*}}], %{{.*}} <{chunk_size = 2 : i64}> : memref<128xf32>, vector<16xindex>, vector<16xi1> -> vector<16x2xf32>
  // CHECK: %[[OLD:.*]] = scf.if {{.*}} -> (vector<16xf32>) {
  // CHECK: xegpu.atomic_rmw addf
  // CHECK: %[[ROW:.*]] = vector.shape_cast %[[OLD]] : vector<16xf32> to vector<1x16xf32>
  // CHECK: xegpu.store_matrix %[[ROW]]
  // CHECK: xegpu.load_matrix {{.*}} -> vector<1x16xf32>
  gpu.func @elements(%x: memref<128xf32>, %y: memref<128xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %o = vector.step : vector<32xindex>
    %m = arith.constant dense<true> : vector<32xi1>
    %one = arith.constant dense<1.0> : vector<32xf32>
    %v = xegpu.load %x[%o], %m <{chunk_size = 4 : i64, layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 2]>}> : memref<128xf32>, vector<32xindex>, vector<32xi1> -> vector<32x4xf32>
    xegpu.store %v, %y[%o], %m <{chunk_size = 4 : i64, layout = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 2]>}> : vector<32x4xf32>, memref<128xf32>, vector<32xindex>, vector<32xi1>
    %d = xegpu.create_tdesc %x, %o : memref<128xf32>, vector<32xindex> -> !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.layout<sg_layout = [2], sg_data = [16]>>
    %old = xegpu.atomic_rmw addf %d, %m, %one : !xegpu.tensor_desc<32xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.layout<sg_layout = [2], sg_data = [16]>>, vector<32xi1>, vector<32xf32> -> vector<32xf32>
    xegpu.store %old, %y[%o], %m : vector<32xf32>, memref<128xf32>, vector<32xindex>, vector<32xi1>
    gpu.return
  }
}
