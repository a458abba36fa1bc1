// A 3x3 convolution of an image of 16 channels with 32 filters: a work-group kernel in XeTile, implicit GEMM.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: a named operation of `linalg` as the reference. The kernel reads zeros beside the image for free; the
// host copies the image into one with a border and lets `linalg.conv_2d_nhwc_hwcf` slide over it. Both multiply f16
// and add up in f32. `memref.expand_shape` adds the dimension of the batch, which the kernel has no use for.
#a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [8, 16]>
#b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [8, 16]>
!image = !xetile.tile<16x16xf16, #xetile.tile_attr<wg_map = #a>>
!weights = !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #b>>
!result = !xetile.tile<16x32xf32, #xetile.tile_attr<wg_map = #c>>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %x = gpu.alloc host_shared () : memref<6x14x16xf16>
    %w = gpu.alloc host_shared () : memref<3x3x16x32xf16>
    %y = gpu.alloc host_shared () : memref<6x14x32xf32>
    %any_x = memref.cast %x : memref<6x14x16xf16> to memref<*xf16>
    %any_w = memref.cast %w : memref<3x3x16x32xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%any_x, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%any_w, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()

    gpu.launch_func @kernels::@convolution blocks in (%c6, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%x : memref<6x14x16xf16>, %w : memref<3x3x16x32xf16>, %y : memref<6x14x32xf32>)

    %nothing = arith.constant 0.0 : f16
    %zero = arith.constant 0.0 : f32
    %padded = memref.alloc() : memref<1x8x16x16xf16>
    %expected = memref.alloc() : memref<1x6x14x32xf32>
    linalg.fill ins(%nothing : f16) outs(%padded : memref<1x8x16x16xf16>)
    linalg.fill ins(%zero : f32) outs(%expected : memref<1x6x14x32xf32>)
    %image = memref.expand_shape %x [[0, 1], [2], [3]] output_shape [1, 6, 14, 16]
        : memref<6x14x16xf16> into memref<1x6x14x16xf16>
    %inside = memref.subview %padded[0, 1, 1, 0] [1, 6, 14, 16] [1, 1, 1, 1]
        : memref<1x8x16x16xf16> to memref<1x6x14x16xf16, strided<[2048, 256, 16, 1], offset: 272>>
    memref.copy %image, %inside
        : memref<1x6x14x16xf16> to memref<1x6x14x16xf16, strided<[2048, 256, 16, 1], offset: 272>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
        ins(%padded, %w : memref<1x8x16x16xf16>, memref<3x3x16x32xf16>) outs(%expected : memref<1x6x14x32xf32>)

    %any_y = memref.cast %y : memref<6x14x32xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<1x6x14x32xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF32(%any_y, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %padded : memref<1x8x16x16xf16>
    memref.dealloc %expected : memref<1x6x14x32xf32>
    gpu.dealloc %x : memref<6x14x16xf16>
    gpu.dealloc %w : memref<3x3x16x32xf16>
    gpu.dealloc %y : memref<6x14x32xf32>
    return
  }

  gpu.module @kernels {
    gpu.func @convolution(%x: memref<6x14x16xf16>, %w: memref<3x3x16x32xf16>, %y: memref<6x14x32xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                    known_grid_size = array<i32: 6, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c6 = arith.constant 6 : index
      %zero = arith.constant dense<0.0> : vector<16x32xf32>
      %row = gpu.block_id x
      %above = arith.subi %row, %c1 : index
      %sum = scf.for %r = %c0 to %c3 step %c1 iter_args(%rows = %zero) -> (vector<16x32xf32>) {
        %i = arith.addi %above, %r : index
        %is_inside = arith.cmpi ult, %i, %c6 : index
        %with_row = scf.if %is_inside -> (vector<16x32xf32>) {
          %with_columns = scf.for %s = %c0 to %c3 step %c1 iter_args(%acc = %rows) -> (vector<16x32xf32>) {
            %j = arith.subi %s, %c1 : index
            %tx = xetile.init_tile %x[%i, %j, %c0] : memref<6x14x16xf16> -> !image
            %tw = xetile.init_tile %w[%r, %s, %c0, %c0] : memref<3x3x16x32xf16> -> !weights
            %a = xetile.load_tile %tx : !image -> vector<16x16xf16>
            %b = xetile.load_tile %tw : !weights -> vector<16x32xf16>
            %next = xetile.tile_mma %a, %b, %acc {wg_map_a = #a, wg_map_b = #b, wg_map_c = #c}
                : vector<16x16xf16>, vector<16x32xf16>, vector<16x32xf32> -> vector<16x32xf32>
            scf.yield %next : vector<16x32xf32>
          }
          scf.yield %with_columns : vector<16x32xf32>
        } else {
          scf.yield %rows : vector<16x32xf32>
        }
        scf.yield %with_row : vector<16x32xf32>
      }
      %ty = xetile.init_tile %y[%row, %c0, %c0] : memref<6x14x32xf32> -> !result
      xetile.store_tile %sum, %ty : vector<16x32xf32>, !result
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
