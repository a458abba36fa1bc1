// C = scale_a * scale_b * ((A - zero) x B), i8 to f32.
// Four subgroups compute 32x32 of C. XeGPU of LLVM 22.
// Rows of A and columns of B have scales; the zero point of A, times the sums of B's columns, comes ready made.
#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
#b = #xegpu.layout<sg_layout = [2, 2], sg_data = [32, 16]>
#c = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>
!desc_a = !xegpu.tensor_desc<32x32xi8>
!desc_b = !xegpu.tensor_desc<32x32xi8>
!desc_c = !xegpu.tensor_desc<32x32xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<64x64xi8>, %b: memref<64x32xi8>, %zero_point: memref<1x32xi32>,
                 %scale_a: memref<64x1xf32>, %scale_b: memref<1x32xf32>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c32 : index
    %n = arith.muli %by, %c32 : index
    %ta = xegpu.create_nd_tdesc %a : memref<64x64xi8> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<64x32xi8> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<64x32xf32> -> !desc_c
    %zero = arith.constant dense<0> : vector<32x32xi32>
    %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (vector<32x32xi32>) {
      %va = xegpu.load_nd %ta[%m, %k] <{layout = #a}> : !desc_a -> vector<32x32xi8>
      %vb = xegpu.load_nd %tb[%k, %n] <{layout = #b}> : !desc_b -> vector<32x32xi8>
      %next = xegpu.dpas %va, %vb, %acc {layout_a = #a, layout_b = #b, layout_cd = #c}
          : vector<32x32xi8>, vector<32x32xi8>, vector<32x32xi32> -> vector<32x32xi32>
      scf.yield %next : vector<32x32xi32>
    }
    %tz = xegpu.create_nd_tdesc %zero_point : memref<1x32xi32> -> !xegpu.tensor_desc<1x32xi32>
    %zero_row = xegpu.load_nd %tz[0, %n] : !xegpu.tensor_desc<1x32xi32> -> vector<1x32xi32>
    %zeros = vector.broadcast %zero_row : vector<1x32xi32> to vector<32x32xi32>
    %difference = arith.subi %sum, %zeros : vector<32x32xi32>
    %float = arith.sitofp %difference : vector<32x32xi32> to vector<32x32xf32>
    %tsb = xegpu.create_nd_tdesc %scale_b : memref<1x32xf32> -> !xegpu.tensor_desc<1x32xf32>
    %row = xegpu.load_nd %tsb[0, %n] : !xegpu.tensor_desc<1x32xf32> -> vector<1x32xf32>
    %column_scales = vector.broadcast %row : vector<1x32xf32> to vector<32x32xf32>
    %tsa = xegpu.create_nd_tdesc %scale_a : memref<64x1xf32> -> !xegpu.tensor_desc<32x1xf32>
    %column = xegpu.load_nd %tsa[%m, 0] : !xegpu.tensor_desc<32x1xf32> -> vector<32x1xf32>
    %row_scales = vector.broadcast %column : vector<32x1xf32> to vector<32x32xf32>
    %by_columns = arith.mulf %float, %column_scales : vector<32x32xf32>
    %result = arith.mulf %by_columns, %row_scales : vector<32x32xf32>
    xegpu.store_nd %result, %tc[%m, %n] <{layout = #c}> : vector<32x32xf32>, !desc_c
    gpu.return
  }
}
