// C += A x B, f16: three work-groups share the products of a block, and add their parts atomically.
// Each of 16 work-items computes a column of 8x16 of C. XeGPU of LLVM 22, PVC.
!desc_a = !xegpu.tensor_desc<8x16xf16>
!desc_b = !xegpu.tensor_desc<16x16xf16>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 8, 2, 3>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %part_id = gpu.block_id z
    %parts = gpu.grid_dim z
    %share = arith.divui %c96, %parts : index
    %k0 = arith.muli %part_id, %share : index
    %k1 = arith.addi %k0, %share : index
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
    gpu.return
  }
}
