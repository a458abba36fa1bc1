// Layer normalisation of rows of 64 values in f16, computed in f32: (x - mean) / sqrt(variance + epsilon) * gain +
// shift. A work-item has four elements of a row, and their gains and shifts; sums cross lanes. XeGPU of LLVM 22, PVC.
!part = !xegpu.tensor_desc<1x16xf16>
!row = !xegpu.tensor_desc<1x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @layer_norm(%x: memref<32x64xf16>, %gain: memref<1x64xf32>, %shift: memref<1x64xf32>, %y: memref<32x64xf16>)
      kernel attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %n = arith.constant 64.0 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %block = gpu.block_id x
    %first = arith.muli %block, %c8 : index
    %tx = xegpu.create_nd_tdesc %x : memref<32x64xf16> -> !part
    %tg = xegpu.create_nd_tdesc %gain : memref<1x64xf32> -> !row
    %ts = xegpu.create_nd_tdesc %shift : memref<1x64xf32> -> !row
    %ty = xegpu.create_nd_tdesc %y : memref<32x64xf16> -> !part
    %g0 = xegpu.load_nd %tg[0, 0] : !row -> vector<1xf32>
    %g1 = xegpu.load_nd %tg[0, 16] : !row -> vector<1xf32>
    %g2 = xegpu.load_nd %tg[0, 32] : !row -> vector<1xf32>
    %g3 = xegpu.load_nd %tg[0, 48] : !row -> vector<1xf32>
    %s0 = xegpu.load_nd %ts[0, 0] : !row -> vector<1xf32>
    %s1 = xegpu.load_nd %ts[0, 16] : !row -> vector<1xf32>
    %s2 = xegpu.load_nd %ts[0, 32] : !row -> vector<1xf32>
    %s3 = xegpu.load_nd %ts[0, 48] : !row -> vector<1xf32>
    scf.for %r = %c0 to %c8 step %c1 {
      %i = arith.addi %first, %r : index
      %x0 = xegpu.load_nd %tx[%i, 0] : !part -> vector<1xf16>
      %x1 = xegpu.load_nd %tx[%i, 16] : !part -> vector<1xf16>
      %x2 = xegpu.load_nd %tx[%i, 32] : !part -> vector<1xf16>
      %x3 = xegpu.load_nd %tx[%i, 48] : !part -> vector<1xf16>
      %v0 = arith.extf %x0 : vector<1xf16> to vector<1xf32>
      %v1 = arith.extf %x1 : vector<1xf16> to vector<1xf32>
      %v2 = arith.extf %x2 : vector<1xf16> to vector<1xf32>
      %v3 = arith.extf %x3 : vector<1xf16> to vector<1xf32>
      %v01 = arith.addf %v0, %v1 : vector<1xf32>
      %v23 = arith.addf %v2, %v3 : vector<1xf32>
      %v_all = arith.addf %v01, %v23 : vector<1xf32>
      %own = vector.extract %v_all[0] : f32 from vector<1xf32>
      %sum = gpu.subgroup_reduce add %own : (f32) -> f32
      %mean = arith.divf %sum, %n : f32
      %means = vector.broadcast %mean : f32 to vector<1xf32>
      %d0 = arith.subf %v0, %means : vector<1xf32>
      %d1 = arith.subf %v1, %means : vector<1xf32>
      %d2 = arith.subf %v2, %means : vector<1xf32>
      %d3 = arith.subf %v3, %means : vector<1xf32>
      %q0 = arith.mulf %d0, %d0 : vector<1xf32>
      %q1 = arith.mulf %d1, %d1 : vector<1xf32>
      %q2 = arith.mulf %d2, %d2 : vector<1xf32>
      %q3 = arith.mulf %d3, %d3 : vector<1xf32>
      %q01 = arith.addf %q0, %q1 : vector<1xf32>
      %q23 = arith.addf %q2, %q3 : vector<1xf32>
      %q_all = arith.addf %q01, %q23 : vector<1xf32>
      %own_squares = vector.extract %q_all[0] : f32 from vector<1xf32>
      %square_sum = gpu.subgroup_reduce add %own_squares : (f32) -> f32
      %variance = arith.divf %square_sum, %n : f32
      %safe = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %safe : f32
      %factors = vector.broadcast %factor : f32 to vector<1xf32>
      %n0 = arith.mulf %d0, %factors : vector<1xf32>
      %n1 = arith.mulf %d1, %factors : vector<1xf32>
      %n2 = arith.mulf %d2, %factors : vector<1xf32>
      %n3 = arith.mulf %d3, %factors : vector<1xf32>
      %m0 = arith.mulf %n0, %g0 : vector<1xf32>
      %m1 = arith.mulf %n1, %g1 : vector<1xf32>
      %m2 = arith.mulf %n2, %g2 : vector<1xf32>
      %m3 = arith.mulf %n3, %g3 : vector<1xf32>
      %a0 = arith.addf %m0, %s0 : vector<1xf32>
      %a1 = arith.addf %m1, %s1 : vector<1xf32>
      %a2 = arith.addf %m2, %s2 : vector<1xf32>
      %a3 = arith.addf %m3, %s3 : vector<1xf32>
      %y0 = arith.truncf %a0 : vector<1xf32> to vector<1xf16>
      %y1 = arith.truncf %a1 : vector<1xf32> to vector<1xf16>
      %y2 = arith.truncf %a2 : vector<1xf32> to vector<1xf16>
      %y3 = arith.truncf %a3 : vector<1xf32> to vector<1xf16>
      xegpu.store_nd %y0, %ty[%i, 0] : vector<1xf16>, !part
      xegpu.store_nd %y1, %ty[%i, 16] : vector<1xf16>, !part
      xegpu.store_nd %y2, %ty[%i, 32] : vector<1xf16>, !part
      xegpu.store_nd %y3, %ty[%i, 48] : vector<1xf16>, !part
    }
    gpu.return
  }
}
