// C = A x B, bf16 inputs and f32 accumulation. Work-item XeGPU, ARC.
// Each of 8 work-items has its fragment of the 8x8 tile of C, as sg_map says.
// B is loaded packed: 2 rows of it in each 32-bit word.
#map_a = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>
#map_b = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]>
#map_c = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!desc_a = !xegpu.tensor_desc<8x16xbf16, #map_a>
!desc_b = !xegpu.tensor_desc<16x8xbf16, #map_b>
!desc_c = !xegpu.tensor_desc<8x8xf32, #map_c>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<32x32xbf16>, %b: memref<32x64xbf16>, %c: memref<32x64xf32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>,
                  known_grid_size = array<i32: 4, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c8 : index
    %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<32x32xbf16> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<32x64xbf16> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x1xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x2xbf16>
      %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x2xbf16>
      %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
      %sum = xegpu.dpas %va, %vb, %acc {sg_map_a = #map_a, sg_map_b = #map_b, sg_map_c = #map_c}
          : vector<8x2xbf16>, vector<8x2xbf16>, vector<8x1xf32> -> vector<8x1xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x1xf32>
    }
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<32x64xf32> -> !desc_c
    xegpu.store_nd %result#2, %tc : vector<8x1xf32>, !desc_c
    gpu.return
  }
}
