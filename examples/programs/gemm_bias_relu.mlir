// C = relu(A x B + bias), rounded to f16: a work-group kernel in XeTile.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: tolerances of narrow types. The reference adds the bias in f32 and stays there; `printAllcloseF16`
// widens the result and allows a thousandth, which is more than rounding to f16 takes. A bias is an operand that
// `linalg` can start from: the reference begins as the bias in each row and adds the product to it.
#row = affine_map<(i, j) -> (0, j)>
#each = affine_map<(i, j) -> (i, j)>
#map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_row = #xetile.wg_map<sg_layout = [2, 2], sg_data = [1, 16]>
!tile_a = !xetile.tile<32x16xf16, #xetile.tile_attr<wg_map = #map_a>>
!tile_b = !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #map_b>>
!tile_row = !xetile.tile<1x32xf32, #xetile.tile_attr<wg_map = #map_row>>
!tile_c_f16 = !xetile.tile<32x32xf16, #xetile.tile_attr<wg_map = #map_c>>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %zero = arith.constant 0.0 : f32
    %a = gpu.alloc host_shared () : memref<32x32xf16>
    %b = gpu.alloc host_shared () : memref<32x64xf16>
    %bias = gpu.alloc host_shared () : memref<1x64xf32>
    %c = gpu.alloc host_shared () : memref<32x64xf16>
    %expected = memref.alloc() : memref<32x64xf32>
    %any_a = memref.cast %a : memref<32x32xf16> to memref<*xf16>
    %any_b = memref.cast %b : memref<32x64xf16> to memref<*xf16>
    %any_bias = memref.cast %bias : memref<1x64xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%any_a, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%any_b, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%any_bias, %low, %high, %fractions) : (memref<*xf32>, f32, f32, i1) -> ()

    gpu.launch_func @kernels::@gemm blocks in (%c1, %c2, %c1) threads in (%c4, %c1, %c1)
        args(%a : memref<32x32xf16>, %b : memref<32x64xf16>, %bias : memref<1x64xf32>, %c : memref<32x64xf16>)

    linalg.generic {indexing_maps = [#row, #each], iterator_types = ["parallel", "parallel"]}
        ins(%bias : memref<1x64xf32>) outs(%expected : memref<32x64xf32>) {
    ^bb0(%v: f32, %old: f32):
      linalg.yield %v : f32
    }
    linalg.matmul ins(%a, %b : memref<32x32xf16>, memref<32x64xf16>) outs(%expected : memref<32x64xf32>)
    linalg.generic {indexing_maps = [#each], iterator_types = ["parallel", "parallel"]}
        outs(%expected : memref<32x64xf32>) {
    ^bb0(%v: f32):
      %cut = arith.maximumf %v, %zero : f32
      linalg.yield %cut : f32
    }
    %any_c = memref.cast %c : memref<32x64xf16> to memref<*xf16>
    %any_expected = memref.cast %expected : memref<32x64xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF16(%any_c, %any_expected) : (memref<*xf16>, memref<*xf32>) -> ()
    memref.dealloc %expected : memref<32x64xf32>
    gpu.dealloc %a : memref<32x32xf16>
    gpu.dealloc %b : memref<32x64xf16>
    gpu.dealloc %bias : memref<1x64xf32>
    gpu.dealloc %c : memref<32x64xf16>
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<32x32xf16>, %b: memref<32x64xf16>, %bias: memref<1x64xf32>, %c: memref<32x64xf16>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                    known_grid_size = array<i32: 1, 2, 1>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c32 : index
      %n = arith.muli %by, %c32 : index
      %a0 = xetile.init_tile %a[%m, 0] : memref<32x32xf16> -> !tile_a
      %b0 = xetile.init_tile %b[0, %n] : memref<32x64xf16> -> !tile_b
      %zero = arith.constant dense<0.0> : vector<32x32xf32>
      %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!tile_a, !tile_b, vector<32x32xf32>) {
        %va = xetile.load_tile %ta : !tile_a -> vector<32x16xf16>
        %vb = xetile.load_tile %tb : !tile_b -> vector<16x32xf16>
        %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
        %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
        %sum = xetile.tile_mma %va, %vb, %acc {wg_map_a = #map_a, wg_map_b = #map_b, wg_map_c = #map_c}
            : vector<32x16xf16>, vector<16x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
        scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<32x32xf32>
      }
      %tbias_rows = xetile.init_tile %bias[0, %n] : memref<1x64xf32> -> !tile_row
      %vbias_rows = xetile.load_tile %tbias_rows : !tile_row -> vector<1x32xf32>
      %bias_rows = xetile.broadcast %vbias_rows [0] {map = #map_c} : vector<1x32xf32> -> vector<32x32xf32>
      %sum_bias = arith.addf %result#2, %bias_rows : vector<32x32xf32>
      %relu = arith.maximumf %sum_bias, %zero : vector<32x32xf32>
      %half = arith.truncf %relu : vector<32x32xf32> to vector<32x32xf16>
      %tc = xetile.init_tile %c[%m, %n] : memref<32x64xf16> -> !tile_c_f16
      xetile.store_tile %half, %tc : vector<32x32xf16>, !tile_c_f16
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF16(memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
