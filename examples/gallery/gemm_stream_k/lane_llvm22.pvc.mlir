// C += A x B, f16: five work-groups share all steps along K of all blocks evenly, and add their parts atomically.
// Each of 16 work-items computes a column of 8x16 of C. XeGPU of LLVM 22, PVC.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x16xf16>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 5, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %group = gpu.block_id x
    %groups = gpu.grid_dim x
    %columns = arith.constant 2 : index
    %steps = arith.constant 6 : index
    %all_steps = arith.constant 96 : index
    %next_group = arith.addi %group, %c1 : index
    %begin_share = arith.muli %group, %all_steps : index
    %begin = arith.divui %begin_share, %groups : index
    %end_share = arith.muli %next_group, %all_steps : index
    %end = arith.divui %end_share, %groups : index
    %first = arith.divui %begin, %steps : index
    %last = arith.ceildivui %end, %steps : index
    scf.for %block = %first to %last step %c1 {
      %i = arith.divui %block, %columns : index
      %j = arith.remui %block, %columns : index
      %block_begin = arith.muli %block, %steps : index
      %block_end = arith.addi %block_begin, %steps : index
      %own_begin = arith.maxui %begin, %block_begin : index
      %own_end = arith.minui %end, %block_end : index
      %step0 = arith.subi %own_begin, %block_begin : index
      %step1 = arith.subi %own_end, %block_begin : index
      %k0 = arith.muli %step0, %c16 : index
      %k1 = arith.muli %step1, %c16 : index
      %m = arith.muli %i, %c8 : index
      %n = arith.muli %j, %c16 : index
      %ta = xegpu.create_nd_tdesc %a : memref<64x96xf16> -> !desc_a
      %tb = xegpu.create_nd_tdesc %b : memref<96x32xf16> -> !desc_b
      %zero = arith.constant dense<0.0> : vector<8xf32>
      %sum = scf.for %k = %k0 to %k1 step %c16 iter_args(%acc = %zero) -> (vector<8xf32>) {
        %va = xegpu.load_nd %ta[%m, %k] : !desc_a -> vector<8xf16>
        %vb = xegpu.load_nd %tb[%k, %n] <{packed}> : !desc_b -> vector<16xf16>
        %next = xegpu.dpas %va, %vb, %acc
            : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
        scf.yield %next : vector<8xf32>
      }
      %lane = gpu.lane_id
      %column = arith.addi %n, %lane : index
      scf.for %r = %c0 to %c8 step %c1 {
        %row = arith.addi %m, %r : index
        %part = vector.extract %sum[%r] : f32 from vector<8xf32>
        %old = memref.atomic_rmw addf %part, %c[%row, %column] : (f32, memref<64x32xf32>) -> f32
      }
    }
    gpu.return
  }
}
