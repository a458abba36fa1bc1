// Memrefs that change their shape on the way to a descriptor.
gpu.module @kernels {
  gpu.func @views(%x: memref<128x128xf32>, %n: index) kernel attributes {VectorComputeFunctionINTEL} {
    %flat = memref.reinterpret_cast %x to offset: [0], sizes: [16384], strides: [1] : memref<128x128xf32> to memref<16384xf32>
    %part = memref.subview %x[%n, 32] [64, 64] [1, 1] : memref<128x128xf32> to memref<64x64xf32, strided<[128, 1], offset: ?>>
    %any = memref.cast %x : memref<128x128xf32> to memref<?x?xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %h = memref.dim %any, %c0 : memref<?x?xf32>
    %w = memref.dim %any, %c1 : memref<?x?xf32>
    %bytes = memref.alloc() : memref<4096xi8, 3>
    %words = memref.view %bytes[%c0][] : memref<4096xi8, 3> to memref<1024xf32, 3>
    %pointer = memref.extract_aligned_pointer_as_index %x : memref<128x128xf32> -> index
    %address = arith.index_cast %pointer : index to i64
    %t0 = xegpu.create_nd_tdesc %flat[%n] : memref<16384xf32> -> !xegpu.tensor_desc<32xf32>
    %t1 = xegpu.create_nd_tdesc %part[0, 0] : memref<64x64xf32, strided<[128, 1], offset: ?>> -> !xegpu.tensor_desc<8x16xf32>
    %t2 = xegpu.create_nd_tdesc %any[0, 0], [%h, %w], [%w, 1] : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>
    %t3 = xegpu.create_nd_tdesc %words[128] : memref<1024xf32, 3> -> !xegpu.tensor_desc<32xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
    %t4 = xegpu.create_nd_tdesc %address[0, 0], [%h, %w], [%w, 1] : i64 -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %t0 : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    xegpu.store_nd %v, %t3 : vector<32xf32>, !xegpu.tensor_desc<32xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
    %m = xegpu.load_nd %t1 : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %m, %t2 : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %m, %t4 : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
