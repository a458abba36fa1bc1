// Every kind of source that a block descriptor can have.
gpu.module @kernels {
  gpu.func @sources(%dynamic: memref<?x?xf16>, %strided: memref<64x64xf16, strided<[128, 1], offset: ?>>, %volume: memref<2x3x64x64xf16>, %line: memref<?xf16>, %address: ui64, %signless: i64, %h: index, %w: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c1 = arith.constant 1 : index
    %0 = xegpu.create_nd_tdesc %dynamic[%h, 16], [%h, %w], [%w, 1] : memref<?x?xf16> -> !xegpu.tensor_desc<8x16xf16>
    %1 = xegpu.create_nd_tdesc %strided[%h, %w] : memref<64x64xf16, strided<[128, 1], offset: ?>> -> !xegpu.tensor_desc<8x16xf16>
    %2 = xegpu.create_nd_tdesc %volume[1, %c1, %h, %w] : memref<2x3x64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
    %3 = xegpu.create_nd_tdesc %line[64], [%w], [1] : memref<?xf16> -> !xegpu.tensor_desc<32xf16>
    %4 = xegpu.create_nd_tdesc %address[0, 0], [%h, %w], [%w, %c1] : ui64 -> !xegpu.tensor_desc<8x16xf16>
    %5 = xegpu.create_nd_tdesc %signless[%h, 0], [64, 64], [64, 1] : i64 -> !xegpu.tensor_desc<8x16xf16>
    %6 = xegpu.create_nd_tdesc %volume[0, 0, 0, 0] : memref<2x3x64x64xf16> -> !xegpu.tensor_desc<64xf16, #xegpu.block_tdesc_attr<boundary_check = false>>
    %7 = xegpu.create_nd_tdesc %strided[8, 16], [32, 32], [128, 1] : memref<64x64xf16, strided<[128, 1], offset: ?>> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<memory_space = global>>
    %a = xegpu.load_nd %0 : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %b = xegpu.load_nd %1 : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %c = arith.maximumf %a, %b : vector<8x16xf16>
    xegpu.store_nd %c, %4 : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
    xegpu.prefetch_nd %2 : !xegpu.tensor_desc<8x16xf16>
    xegpu.prefetch_nd %3 : !xegpu.tensor_desc<32xf16>
    xegpu.store_nd %a, %5 : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
    gpu.return
  }
}
