// C = scale_a * scale_b * ((A - zero) x B), i8 to f32.
// Each of 16 work-items computes a column of 8x16 of C. XeGPU of LLVM 22, PVC.
// Rows of A and columns of B have scales; the zero point of A, times the sums of B's columns, comes ready made.
!desc_a = !xegpu.tensor_desc<8x32xi8>
!desc_b = !xegpu.tensor_desc<32x16xi8>
!desc_c = !xegpu.tensor_desc<8x16xf32>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @gemm(%a: memref<64x64xi8>, %b: memref<64x32xi8>, %zero_point: memref<1x32xi32>,
                 %scale_a: memref<64x1xf32>, %scale_b: memref<1x32xf32>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 8, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %ta = xegpu.create_nd_tdesc %a : memref<64x64xi8> -> !desc_a
    %tb = xegpu.create_nd_tdesc %b : memref<64x32xi8> -> !desc_b
    %tc = xegpu.create_nd_tdesc %c : memref<64x32xf32> -> !desc_c
    %zero = arith.constant dense<0> : vector<8xi32>
    %sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %zero) -> (vector<8xi32>) {
      %va = xegpu.load_nd %ta[%m, %k] : !desc_a -> vector<16xi8>
      %vb = xegpu.load_nd %tb[%k, %n] <{packed}> : !desc_b -> vector<32xi8>
      %next = xegpu.dpas %va, %vb, %acc
          : vector<16xi8>, vector<32xi8>, vector<8xi32> -> vector<8xi32>
      scf.yield %next : vector<8xi32>
    }
    // A work-item has one column, and the scales of all eight rows.
    %lane = gpu.lane_id
    %column = arith.addi %n, %lane : index
    %zero_of_column = memref.load %zero_point[%c0, %column] : memref<1x32xi32>
    %zeros = vector.broadcast %zero_of_column : i32 to vector<8xi32>
    %difference = arith.subi %sum, %zeros : vector<8xi32>
    %float = arith.sitofp %difference : vector<8xi32> to vector<8xf32>
    %scale_of_column = memref.load %scale_b[%c0, %column] : memref<1x32xf32>
    %column_scales = vector.broadcast %scale_of_column : f32 to vector<8xf32>
    %by_columns = arith.mulf %float, %column_scales : vector<8xf32>
    %result = scf.for %r = %c0 to %c8 step %c1 iter_args(%all = %by_columns) -> (vector<8xf32>) {
      %row = arith.addi %m, %r : index
      %scale_of_row = memref.load %scale_a[%row, %c0] : memref<64x1xf32>
      %value = vector.extract %all[%r] : f32 from vector<8xf32>
      %scaled = arith.mulf %value, %scale_of_row : f32
      %scaled_rows = vector.insert %scaled, %all[%r] : f32 into vector<8xf32>
      scf.yield %scaled_rows : vector<8xf32>
    }
    xegpu.store_nd %result, %tc[%m, %n] : vector<8xf32>, !desc_c
    gpu.return
  }
}
