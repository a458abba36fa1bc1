// The same product seen by one work-item: every descriptor says which elements are its own.
#lanes = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#pairs = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
!a = !xegpu.tensor_desc<8x16xf16, #lanes>
!b = !xegpu.tensor_desc<16x16xf16, #pairs>
!c = !xegpu.tensor_desc<8x16xf32, #lanes>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %bx, %c8 : index
    %j = arith.muli %by, %c16 : index
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %a0 = xegpu.create_nd_tdesc %a[%i, 0] : memref<64x64xf16> -> !a
    %b0 = xegpu.create_nd_tdesc %b[0, %j] : memref<64x64xf16> -> !b
    %loop:3 = scf.for %k = %c0 to %c64 step %c16 iter_args(%at = %a0, %bt = %b0, %acc = %zero) -> (!a, !b, vector<8x1xf32>) {
      %av = xegpu.load_nd %at : !a -> vector<8x1xf16>
      %bv = xegpu.load_nd %bt <{packed}> : !b -> vector<8x2xf16>
      %next = xegpu.dpas %av, %bv, %acc {sg_map_a = #lanes, sg_map_b = #pairs, sg_map_c = #lanes} : vector<8x1xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      %at1 = xegpu.update_nd_offset %at, [0, 16] : !a
      %bt1 = xegpu.update_nd_offset %bt, [16, 0] : !b
      scf.yield %at1, %bt1, %next : !a, !b, vector<8x1xf32>
    }
    %ct = xegpu.create_nd_tdesc %c[%i, %j] : memref<64x64xf32> -> !c
    xegpu.store_nd %loop#2, %ct : vector<8x1xf32>, !c
    gpu.return
  }
}
