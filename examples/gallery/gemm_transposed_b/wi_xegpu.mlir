// C = A x Bᵀ: B is stored as N x K, bf16. Work-item XeGPU, PVC.
// Each of 16 work-items has its fragment of the 8x16 tile of C, as sg_map says.
// One load transposes in units of 32 bits, which is B packed for the matrix engine.
#map_a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#map_bt = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>
#map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
!desc_a = !xegpu.tensor_desc<8x16xbf16, #map_a>
!desc_bt = !xegpu.tensor_desc<16x16xbf16, #map_bt>
!desc_c = !xegpu.tensor_desc<8x16xf32, #map_c>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x32xbf16>, %b: memref<64x32xbf16>, %c: memref<32x64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>,
                  known_grid_size = array<i32: 4, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<32x32xbf16> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[%n, 0] : memref<64x32xbf16> -> !desc_bt
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_bt, vector<8x1xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x1xbf16>
      %vb = xegpu.load_nd %tb <{transpose = array<i64: 1, 0>, transpose_bit_width = 32 : i32}>
          : !desc_bt -> vector<8x2xbf16>
      %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [0, 16] : !desc_bt
      %sum = xegpu.dpas %va, %vb, %acc {sg_map_a = #map_a, sg_map_b = #map_b, sg_map_c = #map_c}
          : vector<8x1xbf16>, vector<8x2xbf16>, vector<8x1xf32> -> vector<8x1xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_bt, vector<8x1xf32>
    }
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<32x64xf32> -> !desc_c
    xegpu.store_nd %result#2, %tc : vector<8x1xf32>, !desc_c
    gpu.return
  }
}
