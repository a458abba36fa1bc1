gpu.module @m {
  gpu.func @gemm(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel attributes {intel_reqd_sub_group_size = 16 : i32} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %bx, %c32 : index
    %j = arith.muli %by, %c32 : index
    %ta = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16>
    %tb = xegpu.create_nd_tdesc %b : memref<64x64xf16> -> !xegpu.tensor_desc<32x32xf16>
    %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<32x32xf32>
    %z = xegpu.load_nd %tc[%i, %j] : !xegpu.tensor_desc<32x32xf32> -> vector<32x32xf32>
    %r = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %z) -> vector<32x32xf32> {
      %av = xegpu.load_nd %ta[%i, %k] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
      %bv = xegpu.load_nd %tb[%k, %j] : !xegpu.tensor_desc<32x32xf16> -> vector<32x32xf16>
      %n = xegpu.dpas %av, %bv, %acc : vector<32x32xf16>, vector<32x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %n : vector<32x32xf32>
    }
    xegpu.store_nd %r, %tc[%i, %j] : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32>
    gpu.return
  }
}
