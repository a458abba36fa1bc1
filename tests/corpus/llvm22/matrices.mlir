gpu.module @m {
  gpu.func @slm(%a: memref<64x64xf16>, %c: memref<64x64xf16>) workgroup(%s: memref<8192xi8, 3>) kernel {
    %t = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<16x32xf16>
    %tc = xegpu.create_nd_tdesc %c : memref<64x64xf16> -> !xegpu.tensor_desc<32x16xf16>
    %i = gpu.block_id x
    %md = xegpu.create_mem_desc %s : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<stride = [1, 64], block = [16, 16]>>
    %me = xegpu.create_mem_desc %s : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<block = [16, 16]>>
    %v = xegpu.load_nd %t[0, 32] : !xegpu.tensor_desc<16x32xf16> -> vector<16x32xf16>
    xegpu.store_matrix %v, %md[%i, 16] : vector<16x32xf16>, !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<stride = [1, 64], block = [16, 16]>>, index
    gpu.barrier
    %w = xegpu.load_matrix %me[16, %i] : !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<block = [16, 16]>>, index -> vector<32x16xf16>
    %q = arith.addf %w, %w : vector<32x16xf16>
    xegpu.store_nd %q, %tc[16, 48] : vector<32x16xf16>, !xegpu.tensor_desc<32x16xf16>
    gpu.return
  }
}
