// C += A x B, f16: five work-groups share all steps along K of all blocks evenly, and add their parts atomically.
// Four subgroups compute 32x32 of C. XeGPU of LLVM 22.
// C has 32 columns, so that the rows of a block are one row of addresses: each subgroup adds eight rows.
#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
#b = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
#c = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
#rows = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>
!desc_a = !xegpu.tensor_desc<32x16xf16>
!desc_b = !xegpu.tensor_desc<16x32xf16>
!block = !xegpu.tensor_desc<1024xf32, #xegpu.scatter_tdesc_attr<>>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 5, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %group = gpu.block_id x
    %groups = gpu.grid_dim x
    %steps = arith.constant 6 : index
    %all_steps = arith.constant 12 : index
    %next_group = arith.addi %group, %c1 : index
    %begin_share = arith.muli %group, %all_steps : index
    %begin = arith.divui %begin_share, %groups : index
    %end_share = arith.muli %next_group, %all_steps : index
    %end = arith.divui %end_share, %groups : index
    %first = arith.divui %begin, %steps : index
    %last = arith.ceildivui %end, %steps : index
    scf.for %i = %first to %last step %c1 {
      %j = arith.constant 0 : index
      %block_begin = arith.muli %i, %steps : index
      %block_end = arith.addi %block_begin, %steps : index
      %own_begin = arith.maxui %begin, %block_begin : index
      %own_end = arith.minui %end, %block_end : index
      %step0 = arith.subi %own_begin, %block_begin : index
      %step1 = arith.subi %own_end, %block_begin : index
      %k0 = arith.muli %step0, %c16 : index
      %k1 = arith.muli %step1, %c16 : index
      %m = arith.muli %i, %c32 : index
      %n = arith.muli %j, %c32 : index
      %ta = xegpu.create_nd_tdesc %a : memref<64x96xf16> -> !desc_a
      %tb = xegpu.create_nd_tdesc %b : memref<96x32xf16> -> !desc_b
      %zero = arith.constant dense<0.0> : vector<32x32xf32>
      %sum = scf.for %k = %k0 to %k1 step %c16 iter_args(%acc = %zero) -> (vector<32x32xf32>) {
        %va = xegpu.load_nd %ta[%m, %k] <{layout = #a}> : !desc_a -> vector<32x16xf16>
        %vb = xegpu.load_nd %tb[%k, %n] <{layout = #b}> : !desc_b -> vector<16x32xf16>
        %next = xegpu.dpas %va, %vb, %acc {layout_a = #a, layout_b = #b, layout_cd = #c}
            : vector<32x16xf16>, vector<16x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
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
    }
    gpu.return
  }
}
