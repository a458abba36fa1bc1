// Softmax of rows: a work-item has four elements of each of eight rows, and talks to the others of its subgroup for the
// maximum and the sum of a row. XeGPU of LLVM 22, PVC.
!desc = !xegpu.tensor_desc<1x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @softmax(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %block = gpu.block_id x
    %subgroup = gpu.subgroup_id : index
    %c2 = arith.constant 2 : index
    %before = arith.muli %block, %c2 : index
    %number = arith.addi %before, %subgroup : index
    %first = arith.muli %number, %c8 : index
    %tx = xegpu.create_nd_tdesc %x : memref<64x64xf32> -> !desc
    %ty = xegpu.create_nd_tdesc %y : memref<64x64xf32> -> !desc
    scf.for %r = %c0 to %c8 step %c1 {
      %row = arith.addi %first, %r : index
      %v0 = xegpu.load_nd %tx[%row, 0] : !desc -> vector<1xf32>
      %v1 = xegpu.load_nd %tx[%row, 16] : !desc -> vector<1xf32>
      %v2 = xegpu.load_nd %tx[%row, 32] : !desc -> vector<1xf32>
      %v3 = xegpu.load_nd %tx[%row, 48] : !desc -> vector<1xf32>
      %m0 = arith.maximumf %v0, %v1 : vector<1xf32>
      %m1 = arith.maximumf %v2, %v3 : vector<1xf32>
      %m2 = arith.maximumf %m0, %m1 : vector<1xf32>
      %own = vector.extract %m2[0] : f32 from vector<1xf32>
      %max = gpu.subgroup_reduce maximumf %own : (f32) -> f32
      %maxima = vector.broadcast %max : f32 to vector<1xf32>
      %d0 = arith.subf %v0, %maxima : vector<1xf32>
      %d1 = arith.subf %v1, %maxima : vector<1xf32>
      %d2 = arith.subf %v2, %maxima : vector<1xf32>
      %d3 = arith.subf %v3, %maxima : vector<1xf32>
      %e0 = math.exp %d0 : vector<1xf32>
      %e1 = math.exp %d1 : vector<1xf32>
      %e2 = math.exp %d2 : vector<1xf32>
      %e3 = math.exp %d3 : vector<1xf32>
      %s0 = arith.addf %e0, %e1 : vector<1xf32>
      %s1 = arith.addf %e2, %e3 : vector<1xf32>
      %s2 = arith.addf %s0, %s1 : vector<1xf32>
      %part = vector.extract %s2[0] : f32 from vector<1xf32>
      %sum = gpu.subgroup_reduce add %part : (f32) -> f32
      %sums = vector.broadcast %sum : f32 to vector<1xf32>
      %p0 = arith.divf %e0, %sums : vector<1xf32>
      %p1 = arith.divf %e1, %sums : vector<1xf32>
      %p2 = arith.divf %e2, %sums : vector<1xf32>
      %p3 = arith.divf %e3, %sums : vector<1xf32>
      xegpu.store_nd %p0, %ty[%row, 0] : vector<1xf32>, !desc
      xegpu.store_nd %p1, %ty[%row, 16] : vector<1xf32>, !desc
      xegpu.store_nd %p2, %ty[%row, 32] : vector<1xf32>, !desc
      xegpu.store_nd %p3, %ty[%row, 48] : vector<1xf32>, !desc
    }
    gpu.return
  }
}
