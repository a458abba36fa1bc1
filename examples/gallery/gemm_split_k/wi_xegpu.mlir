// C += A x B, f16, with K split between work-groups. Work-item XeGPU, PVC.
// Each of 16 work-items has its fragment of the 8x16 tile of C, as sg_map says.
// Each plane of the grid multiplies its part of K and adds its sum to C.
// Each work-item adds the elements of its fragment.
#map_a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>
#map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
!desc_a = !xegpu.tensor_desc<8x16xf16, #map_a>
!desc_b = !xegpu.tensor_desc<16x16xf16, #map_b>
!desc_c = !xegpu.tensor_desc<8x16xf32, #map_c>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>,
                  known_grid_size = array<i32: 8, 2, 3>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %part_id = gpu.block_id z
    %parts = gpu.grid_dim z
    %share = arith.divui %c96, %parts : index
    %k0 = arith.muli %part_id, %share : index
    %k1 = arith.addi %k0, %share : index
    %a0 = xegpu.create_nd_tdesc %a[%m, %k0] : memref<64x96xf16> -> !desc_a
    %b0 = xegpu.create_nd_tdesc %b[%k0, %n] : memref<96x32xf16> -> !desc_b
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %result:3 = scf.for %k = %k0 to %k1 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
        -> (!desc_a, !desc_b, vector<8x1xf32>) {
      %va = xegpu.load_nd %ta : !desc_a -> vector<8x1xf16>
      %vb = xegpu.load_nd %tb <{packed}> : !desc_b -> vector<8x2xf16>
      %na = xegpu.update_nd_offset %ta, [0, 16] : !desc_a
      %nb = xegpu.update_nd_offset %tb, [16, 0] : !desc_b
      %sum = xegpu.dpas %va, %vb, %acc {sg_map_a = #map_a, sg_map_b = #map_b, sg_map_c = #map_c}
          : vector<8x1xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
      scf.yield %na, %nb, %sum : !desc_a, !desc_b, vector<8x1xf32>
    }
    %lane = gpu.lane_id
    %column = arith.addi %n, %lane : index
    scf.for %r = %c0 to %c8 step %c1 {
      %row = arith.addi %m, %r : index
      %part = vector.extract %result#2[%r, 0] : f32 from vector<8x1xf32>
      %old = memref.atomic_rmw addf %part, %c[%row, %column] : (f32, memref<64x32xf32>) -> f32
    }
    gpu.return
  }
}
