// C += A x B, f16: three work-groups share the products of a block, and add their parts atomically.
// Four subgroups compute 32x32 of C. XeGPU of LLVM 22.
// C has 32 columns, so that the rows of a block are one row of addresses: each subgroup adds eight rows.
#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
#b = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 16]>
#c = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
#rows = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>
!desc_a = !xegpu.tensor_desc<32x32xf16>
!desc_b = !xegpu.tensor_desc<32x32xf16>
!block = !xegpu.tensor_desc<1024xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 3>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %part_id = gpu.block_id z
    %parts = gpu.grid_dim z
    %share = arith.divui %c96, %parts : index
    %k0 = arith.muli %part_id, %share : index
    %k1 = arith.addi %k0, %share : index
    %ta = xegpu.create_nd_tdesc %a : memref<64x96xf16> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<96x32xf16> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<32x32xf32>
    %sum = scf.for %k = %k0 to %k1 step %c32 iter_args(%acc = %zero) -> (vector<32x32xf32>) {
      %va = xegpu.load_nd %ta[%m, %k] <{layout = #a}> : !desc_a -> vector<32x32xf16>
      %vb = xegpu.load_nd %tb[%k, %n] <{layout = #b}> : !desc_b -> vector<32x32xf16>
      %next = xegpu.dpas %va, %vb, %acc {layout_a = #a, layout_b = #b, layout_cd = #c}
          : vector<32x32xf16>, vector<32x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
      scf.yield %next : vector<32x32xf32>
    }
    %rows = xegpu.convert_layout %sum <{input_layout = #c, target_layout = #rows}> : vector<32x32xf32>
    %parts_of_rows = vector.shape_cast %rows : vector<32x32xf32> to vector<1024xf32>
    %numbers = vector.step : vector<1024xindex>
    %all = arith.constant dense<true> : vector<1024xi1>
    %flat = memref.collapse_shape %c [[0, 1]] : memref<64x32xf32> into memref<2048xf32>
    %start = arith.muli %m, %c32 : index
    %starts = vector.broadcast %start : index to vector<1024xindex>
    %at = arith.addi %starts, %numbers : vector<1024xindex>
    %tc = xegpu.create_tdesc %flat, %at : memref<2048xf32>, vector<1024xindex> -> !block
    %old = xegpu.atomic_rmw addf %tc, %all, %parts_of_rows
        : !block, vector<1024xi1>, vector<1024xf32> -> vector<1024xf32>
    gpu.return
  }
}
