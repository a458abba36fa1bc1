// A 3x3 convolution as a product, without a matrix of patches (implicit GEMM): each work-item has what the matrix
// engine wants of eight shifted pixels and of 16x8 weights, and one filter's result for eight pixels.
#a = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 2]>
#b = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [2, 1]>
#c = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!image = !xegpu.tensor_desc<8x16xf16, #a>
!weights = !xegpu.tensor_desc<16x8xf16, #b>
!result = !xegpu.tensor_desc<8x8xf32, #c>
gpu.module @kernels {
  gpu.func @convolution(%x: memref<6x14x16xf16>, %w: memref<3x3x16x32xf16>, %y: memref<6x14x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 2, 1>, known_grid_size = array<i32: 6, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0.0> : vector<8x1xf32>
    %row = gpu.block_id x
    %lane = gpu.lane_id
    %tx = gpu.thread_id x
    %sy = gpu.thread_id y
    %pixel = arith.muli %sy, %c8 : index
    %filter = arith.subi %tx, %lane : index
    %above = arith.subi %row, %c1 : index
    %left = arith.subi %pixel, %c1 : index
    %sum = scf.for %r = %c0 to %c3 step %c1 iter_args(%rows = %zero) -> (vector<8x1xf32>) {
      %i = arith.addi %above, %r : index
      %is_inside = arith.cmpi ult, %i, %c6 : index
      %with_row = scf.if %is_inside -> (vector<8x1xf32>) {
        %first = xegpu.create_nd_tdesc %x[%i, %left, 0] : memref<6x14x16xf16> -> !image
        %with_columns:2 = scf.for %s = %c0 to %c3 step %c1
            iter_args(%acc = %rows, %td = %first) -> (vector<8x1xf32>, !image) {
          %tw = xegpu.create_nd_tdesc %w[%r, %s, 0, %filter] : memref<3x3x16x32xf16> -> !weights
          %a = xegpu.load_nd %td : !image -> vector<8x2xf16>
          %b = xegpu.load_nd %tw <{packed}> : !weights -> vector<8x2xf16>
          %next = xegpu.dpas %a, %b, %acc {sg_map_a = #a, sg_map_b = #b, sg_map_c = #c}
              : vector<8x2xf16>, vector<8x2xf16>, vector<8x1xf32> -> vector<8x1xf32>
          %shifted = xegpu.update_nd_offset %td, [1, 0] : !image
          scf.yield %next, %shifted : vector<8x1xf32>, !image
        }
        scf.yield %with_columns#0 : vector<8x1xf32>
      } else {
        scf.yield %rows : vector<8x1xf32>
      }
      scf.yield %with_row : vector<8x1xf32>
    }
    %ty = xegpu.create_nd_tdesc %y[%row, %pixel, %filter] : memref<6x14x32xf32> -> !result
    xegpu.store_nd %sum, %ty : vector<8x1xf32>, !result
    gpu.return
  }
}
