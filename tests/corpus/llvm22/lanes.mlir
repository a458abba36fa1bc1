gpu.module @m {
  gpu.func @gemm(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %bx, %c8 : index
    %j = arith.muli %by, %c16 : index
    %ta = xegpu.create_nd_tdesc %a : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
    %tb = xegpu.create_nd_tdesc %b : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16>
    %tc = xegpu.create_nd_tdesc %c : memref<64x64xf32> -> !xegpu.tensor_desc<8x16xf32>
    %z = xegpu.load_nd %tc[%i, %j] : !xegpu.tensor_desc<8x16xf32> -> vector<8xf32>
    %r = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %z) -> vector<8xf32> {
      %av = xegpu.load_nd %ta[%i, %k] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
      %bv = xegpu.load_nd %tb[%k, %j] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<16xf16>
      %n = xegpu.dpas %av, %bv, %acc : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
      scf.yield %n : vector<8xf32>
    }
    xegpu.store_nd %r, %tc[%i, %j] : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
  gpu.func @g(%a: memref<4096xf32>, %p: i64, %c: memref<4096xf32>) workgroup(%s: memref<4096xi8, 3>) kernel {
    %l = gpu.lane_id
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %o = arith.muli %l, %c3 : index
    %o4 = arith.muli %l, %c4 : index
    %c8 = arith.constant 8 : index
    %m = arith.cmpi ult, %l, %c8 : index
    %v = xegpu.load %a[%o], %m : memref<4096xf32>, index, i1 -> f32
    %w = arith.addf %v, %v : f32
    xegpu.store %w, %c[%o], %m : f32, memref<4096xf32>, index, i1
    %t = arith.constant true
    %v4 = xegpu.load %p[%o4], %t <{chunk_size = 4 : i64}> : i64, index, i1 -> vector<4xf32>
    %md = xegpu.create_mem_desc %s : memref<4096xi8, 3> -> !xegpu.mem_desc<16x64xf32>
    xegpu.store_matrix %v4, %md[%l, 8] : vector<4xf32>, !xegpu.mem_desc<16x64xf32>, index
    gpu.barrier
    %x = xegpu.load_matrix %md[8, %l] : !xegpu.mem_desc<16x64xf32>, index -> f32
    %y = xegpu.load_matrix %md[%c3, 8] <{subgroup_block_io}> : !xegpu.mem_desc<16x64xf32>, index -> vector<2xf32>
    %y0 = vector.extract %y[1] : f32 from vector<2xf32>
    %z = vector.extract %y[0] : f32 from vector<2xf32>
    %c100 = arith.constant 100 : index
    %o2 = arith.addi %l, %c100 : index
    xegpu.store %x, %c[%o2], %t : f32, memref<4096xf32>, index, i1
    %c200 = arith.constant 200 : index
    %o3 = arith.addi %l, %c200 : index
    xegpu.store %z, %c[%o3], %t : f32, memref<4096xf32>, index, i1
    gpu.return
  }
}
