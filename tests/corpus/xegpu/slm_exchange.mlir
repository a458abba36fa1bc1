// Subgroups hand rows to each other through local memory: block access on one side, gathers on the other.
#slm = #xegpu.block_tdesc_attr<memory_space = slm>
#places = #xegpu.scatter_tdesc_attr<memory_space = slm>
gpu.module @kernels {
  gpu.func @exchange(%x: memref<4x32xf32>, %y: memref<4x32xf32>) kernel attributes {VectorComputeFunctionINTEL, gpu.known_block_size = array<i32: 4, 1, 1>} {
    %local = memref.alloc() : memref<128xf32, 3>
    %id = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %at = arith.muli %id, %c32 : index
    %row = xegpu.create_nd_tdesc %x[%id, 0] : memref<4x32xf32> -> !xegpu.tensor_desc<32xf32>
    %v = xegpu.load_nd %row : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %to = xegpu.create_nd_tdesc %local[%at] : memref<128xf32, 3> -> !xegpu.tensor_desc<32xf32, #slm>
    xegpu.store_nd %v, %to : vector<32xf32>, !xegpu.tensor_desc<32xf32, #slm>
    xegpu.fence memory_kind = slm, fence_scope = workgroup
    gpu.barrier
    %other = arith.subi %c3, %id : index
    %start = arith.muli %other, %c32 : index
    %lanes = vector.step : vector<32xindex>
    %starts = vector.broadcast %start : index to vector<32xindex>
    %offsets = arith.addi %lanes, %starts : vector<32xindex>
    %mask = arith.constant dense<true> : vector<32xi1>
    %from = xegpu.create_tdesc %local, %offsets : memref<128xf32, 3>, vector<32xindex> -> !xegpu.tensor_desc<32xf32, #places>
    %w = xegpu.load %from, %mask : !xegpu.tensor_desc<32xf32, #places>, vector<32xi1> -> vector<32xf32>
    %out = xegpu.create_nd_tdesc %y[%id, 0] : memref<4x32xf32> -> !xegpu.tensor_desc<32xf32>
    xegpu.store_nd %w, %out : vector<32xf32>, !xegpu.tensor_desc<32xf32>
    gpu.return
  }
}
