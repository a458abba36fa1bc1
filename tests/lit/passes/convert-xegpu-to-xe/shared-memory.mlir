// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} | filecheck %s

// Shared and private memory: buffers have their place since the kernel was compiled, or lie behind those that have.
gpu.module @m {
  // CHECK-LABEL: xe.kernel @places
  // CHECK-NOT: private_size
  // CHECK-SAME: slm_size = 576 : i32
  // CHECK: %[[FIRST:.*]] = xe.mov {{.*}}reads = [#xe.imm<ud, 0>]
  // CHECK: %[[SECOND:.*]] = xe.mov {{.*}}reads = [#xe.imm<ud, 64>]
  // CHECK: %[[AT:.*]] = xe.add(%[[FIRST]], {{.*}}write = #xe.write<ud>}
  // CHECK: %[[X:.*]] = xe.load[%[[AT]] : !xe.grf<64, 64>] {exec_size = 16 : i32, message = #xe.message<unit = slm, size = d32, address = a32>}
  // CHECK: xe.store[{{.*}}message = #xe.message<unit = slm, size = d32, address = a32>}
  gpu.func @places() workgroup(%s : memref<16xf32, #gpu.address_space<workgroup>>) kernel {
    %t = memref.alloc() : memref<128xf32, 3>
    %i = gpu.lane_id
    %x = memref.load %s[%i] : memref<16xf32, #gpu.address_space<workgroup>>
    memref.store %x, %t[%i] : memref<128xf32, 3>
    memref.dealloc %t : memref<128xf32, 3>
    gpu.return
  }

  // What callers size begins behind the 64 bytes of the kernel.
  // CHECK-LABEL: xe.kernel @sized
  // CHECK-SAME: #xe.argument<"s" : "memref<16xf32, 3 : i64>", at 0, 8 bytes, pointer local readonly>
  // CHECK-SAME: #xe.argument<"dynamic_shared_memory" : "memref<?xi8, #gpu.address_space<workgroup>>", at 8, 8 bytes, pointer local writeonly>
  // CHECK-SAME: #xe.argument<"dynamic_shared_memory.size0" : "index", at 16, 8 bytes>
  // CHECK: xe.add(%{{.*}}reads = [#xe.read<ud, [0, 1, 0]>, #xe.imm<ud, 64>]
  // CHECK: xe.add(%{{.*}}reads = [#xe.read<ud, 8, [0, 1, 0]>, #xe.imm<ud, 64>]
  gpu.func @sized(%s: memref<16xf32, 3>) workgroup(%own : memref<4xi32, 3>) kernel {
    %c0 = arith.constant 0 : index
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %v = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<16xf32, #gpu.address_space<workgroup>>
    %x = memref.load %s[%c0] : memref<16xf32, 3>
    memref.store %x, %v[%c0] : memref<16xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // Elements of private memory lie lane by lane: one every 16 * 4 bytes.
  // CHECK-LABEL: xe.kernel @private
  // CHECK-SAME: private_size = 192 : i32
  // CHECK: xe.mul({{.*}}#xe.imm<ud, 4>]
  // CHECK: xe.store[{{.*}}exec_size = 16 : i32, message = #xe.message<unit = ugm, size = d32, address = a32, model = ss>}
  gpu.func @private(%x: f32, %i: index) kernel {
    %p = memref.alloca() : memref<3xf32>
    memref.store %x, %p[%i] : memref<3xf32>
    gpu.return
  }

  // In a kernel that works on whole subgroups they lie side by side.
  // CHECK-LABEL: xe.kernel @whole
  // CHECK-SAME: private_size = 64 : i32
  // CHECK: xe.store[{{.*}}exec_size = 1 : i32, message = #xe.message<unit = ugm, size = d32, address = a32, model = ss>, no_mask}
  gpu.func @whole(%x: f32, %i: index) private(%p : memref<3xf32, #gpu.address_space<private>>) kernel attributes {VectorComputeFunctionINTEL} {
    memref.store %x, %p[%i] : memref<3xf32, #gpu.address_space<private>>
    gpu.return
  }

  // Blocks of shared memory; there are no caches to prefetch to.
  // CHECK-LABEL: xe.kernel @blocks
  // CHECK: %[[V:.*]] = xe.load into {{.*}}message = #xe.message<unit = slm, size = d32, vector = 16, transposed, address = a32>, no_mask}
  // CHECK-NOT: xe.prefetch
  // CHECK: xe.store[{{.*}} data %[[V]] {{.*}}message = #xe.message<unit = slm, size = d32, vector = 16, transposed, address = a32>, no_mask}
  gpu.func @blocks() workgroup(%s : memref<64xf32, 3>) kernel {
    %a = xegpu.create_nd_tdesc %s[0] : memref<64xf32, 3> -> !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
    %v = xegpu.load_nd %a : !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>> -> vector<16xf32>
    %b = xegpu.update_nd_offset %a, [16] : !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
    xegpu.prefetch_nd %b : !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
    xegpu.store_nd %v, %b : vector<16xf32>, !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
    gpu.return
  }
}
