// C = A x (B scaled), f16. Work-item XeGPU, ARC.
// Each of 8 work-items has its fragment of the 8x8 tile of C, as sg_map says.
// Each column of B has a scale for every 32 rows. A work-item has one column of B, so one scale.
#map_a = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>
#map_b = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]>
#map_row = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
#map_c = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!desc_a = !xegpu.tensor_desc<8x16xf16, #map_a>
!desc_b = !xegpu.tensor_desc<16x8xf16, #map_b>
!desc_row_f16 = !xegpu.tensor_desc<1x8xf16, #map_row>
!desc_c = !xegpu.tensor_desc<8x8xf32, #map_c>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x64xf16>, %b: memref<64x64xf16>, %s: memref<2x64xf16>, %c: memref<32x64xf32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>,
                  known_grid_size = array<i32: 4, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c8 : index
    %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<32x64xf16> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<64x64xf16> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %result:3 = scf.for %k = %c0 to %c64 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x1xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x2xf16>
      %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x2xf16>
      %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
      %group = arith.divui %k, %c32 : index
      %tscales = xegpu.create_nd_tdesc %s[%group, %n] : memref<2x64xf16> -> !desc_row_f16
      %vscales = xegpu.load_nd %tscales : !desc_row_f16 -> vector<1x1xf16>
      %scales = vector.broadcast %vscales : vector<1x1xf16> to vector<8x2xf16>
      %scaled = arith.mulf %vb, %scales : vector<8x2xf16>
      %sum = xegpu.dpas %va, %scaled, %acc {sg_map_a = #map_a, sg_map_b = #map_b, sg_map_c = #map_c}
          : vector<8x2xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x1xf32>
    }
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<32x64xf32> -> !desc_c
    xegpu.store_nd %result#2, %tc : vector<8x1xf32>, !desc_c
    gpu.return
  }
}
