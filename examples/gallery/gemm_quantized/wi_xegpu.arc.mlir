// C = scale_a * scale_b * ((A - zero) x B), i8 to f32. Work-item XeGPU, ARC.
// Each of 8 work-items has its fragment of the 8x8 tile of C, as sg_map says.
// Rows of A and columns of B have scales; the zero point of A, times the sums of B's columns, comes ready made.
#map_a = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 4]>
#map_b = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [4, 1]>
#map_c = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
#map_row = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!desc_a = !xegpu.tensor_desc<8x32xi8, #map_a>
!desc_b = !xegpu.tensor_desc<32x8xi8, #map_b>
!desc_c = !xegpu.tensor_desc<8x8xi32, #map_c>
!desc_row = !xegpu.tensor_desc<1x8xi32, #map_row>
!desc_row_f32 = !xegpu.tensor_desc<1x8xf32, #map_row>
!desc_c_f32 = !xegpu.tensor_desc<8x8xf32, #map_c>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x64xi8>, %b: memref<64x32xi8>, %zero_point: memref<1x32xi32>,
                 %scale_a: memref<64x1xf32>, %scale_b: memref<1x32xf32>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>,
                  known_grid_size = array<i32: 8, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c8 : index
    %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<64x64xi8> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<64x32xi8> -> !desc_b
    %zero = arith.constant dense<0> : vector<8x1xi32>
    %result:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x1xi32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x4xi8>
      %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x4xi8>
      %na = xegpu.update_nd_offset %ta, [0, 32] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [32, 0] : !desc_b
      %sum = xegpu.dpas %va, %vb, %acc {sg_map_a = #map_a, sg_map_b = #map_b, sg_map_c = #map_c}
          : vector<8x4xi8>, vector<8x4xi8>, vector<8x1xi32> -> vector<8x1xi32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x1xi32>
    }
    %tzeros = xegpu.create_nd_tdesc %zero_point[0, %n] : memref<1x32xi32> -> !desc_row
    %vzeros = xegpu.load_nd %tzeros : !desc_row -> vector<1x1xi32>
    %zeros = vector.broadcast %vzeros : vector<1x1xi32> to vector<8x1xi32>
    %difference = arith.subi %result#2, %zeros : vector<8x1xi32>
    %float = arith.sitofp %difference : vector<8x1xi32> to vector<8x1xf32>
    %tcolumn_scales = xegpu.create_nd_tdesc %scale_b[0, %n] : memref<1x32xf32> -> !desc_row_f32
    %vcolumn_scales = xegpu.load_nd %tcolumn_scales : !desc_row_f32 -> vector<1x1xf32>
    %column_scales = vector.broadcast %vcolumn_scales : vector<1x1xf32> to vector<8x1xf32>
    %vrow_scales = vector.load %scale_a[%m, %c0] : memref<64x1xf32>, vector<8x1xf32>
    %row_scales = vector.broadcast %vrow_scales : vector<8x1xf32> to vector<8x1xf32>
    %by_columns = arith.mulf %float, %column_scales : vector<8x1xf32>
    %by_rows = arith.mulf %by_columns, %row_scales : vector<8x1xf32>
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<64x32xf32> -> !desc_c_f32
    xegpu.store_nd %by_rows, %tc : vector<8x1xf32>, !desc_c_f32
    gpu.return
  }
}
