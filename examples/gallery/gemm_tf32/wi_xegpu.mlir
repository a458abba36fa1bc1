// C = A x B, tf32 inputs (f32 in memory) and f32 accumulation. Work-item XeGPU, PVC.
// Each of 16 work-items has its fragment of the 8x16 tile of C, as sg_map says.
// Elements of 32 bits need no packing: B is loaded as it is.
#map_a = #xegpu.sg_map<wi_layout = [2, 8], wi_data = [1, 1]>
#map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
!desc_a = !xegpu.tensor_desc<8x8xtf32, #map_a>
!desc_b = !xegpu.tensor_desc<8x16xtf32, #map_b>
!desc_c = !xegpu.tensor_desc<8x16xf32, #map_c>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x32xtf32>, %b: memref<32x32xtf32>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>,
                  known_grid_size = array<i32: 8, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %a0 = xegpu.create_nd_tdesc %a[%m, 0] : memref<64x32xtf32> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[0, %n] : memref<32x32xtf32> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %result:3 = scf.for %k = %c0 to %c32 step %c8 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x1xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<4x1xtf32>
      %vb = xegpu.load_nd %tb : !desc_b -> vector<8x1xtf32>
      %na = xegpu.update_nd_offset %ta, [0, 8] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [8, 0] : !desc_b
      %sum = xegpu.dpas %va, %vb, %acc {sg_map_a = #map_a, sg_map_b = #map_b, sg_map_c = #map_c}
          : vector<4x1xtf32>, vector<8x1xtf32>, vector<8x1xf32> -> vector<8x1xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x1xf32>
    }
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<64x32xf32> -> !desc_c
    xegpu.store_nd %result#2, %tc : vector<8x1xf32>, !desc_c
    gpu.return
  }
}
