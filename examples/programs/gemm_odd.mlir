// C = A x B with sizes that no tile divides: a work-group kernel in XeTile, and another one that sums up each row of C.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: a file with several `gpu.module`s at different levels. What the XeTile kernel stores is read by plain
// work-items of another module, without going through the host. Numbers are small and whole, so sums are exact.
#map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#map_c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
!tile_a = !xetile.tile<32x16xbf16, #xetile.tile_attr<wg_map = #map_a>>
!tile_b = !xetile.tile<16x32xbf16, #xetile.tile_attr<wg_map = #map_b>>
!tile_c = !xetile.tile<32x32xf32, #xetile.tile_attr<wg_map = #map_c>>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c3 = arith.constant 3 : index
    %low = arith.constant -4.0 : f32
    %high = arith.constant 5.0 : f32
    %whole = arith.constant true
    %zero = arith.constant 0.0 : f32
    %a = gpu.alloc host_shared () : memref<37x29xbf16>
    %b = gpu.alloc host_shared () : memref<29x53xbf16>
    %c = gpu.alloc () : memref<37x53xf32>
    %sums = gpu.alloc host_shared () : memref<37xf32>
    %any_a = memref.cast %a : memref<37x29xbf16> to memref<*xbf16>
    %any_b = memref.cast %b : memref<29x53xbf16> to memref<*xbf16>
    call @fillResource1DRandomBF16(%any_a, %low, %high, %whole) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomBF16(%any_b, %low, %high, %whole) : (memref<*xbf16>, f32, f32, i1) -> ()

    gpu.launch_func @kernels::@gemm blocks in (%c2, %c2, %c1) threads in (%c4, %c1, %c1)
        args(%a : memref<37x29xbf16>, %b : memref<29x53xbf16>, %c : memref<37x53xf32>)
    gpu.launch_func @rows::@sum blocks in (%c3, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%c : memref<37x53xf32>, %sums : memref<37xf32>)

    %product = memref.alloc() : memref<37x53xf32>
    %expected = memref.alloc() : memref<37xf32>
    linalg.fill ins(%zero : f32) outs(%product : memref<37x53xf32>)
    linalg.fill ins(%zero : f32) outs(%expected : memref<37xf32>)
    linalg.matmul ins(%a, %b : memref<37x29xbf16>, memref<29x53xbf16>) outs(%product : memref<37x53xf32>)
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                    iterator_types = ["parallel", "reduction"]}
        ins(%product : memref<37x53xf32>) outs(%expected : memref<37xf32>) {
    ^bb0(%v: f32, %so_far: f32):
      %next = arith.addf %so_far, %v : f32
      linalg.yield %next : f32
    }
    %any_sums = memref.cast %sums : memref<37xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<37xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF32(%any_sums, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %product : memref<37x53xf32>
    memref.dealloc %expected : memref<37xf32>
    gpu.dealloc %a : memref<37x29xbf16>
    gpu.dealloc %b : memref<29x53xbf16>
    gpu.dealloc %c : memref<37x53xf32>
    gpu.dealloc %sums : memref<37xf32>
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<37x29xbf16>, %b: memref<29x53xbf16>, %c: memref<37x53xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 4, 1, 1>,
                    known_grid_size = array<i32: 2, 2, 1>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c29 = arith.constant 29 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c32 : index
      %n = arith.muli %by, %c32 : index
      %a0 = xetile.init_tile %a[%m, 0] : memref<37x29xbf16> -> !tile_a
      %b0 = xetile.init_tile %b[0, %n] : memref<29x53xbf16> -> !tile_b
      %zero = arith.constant dense<0.0> : vector<32x32xf32>
      %result:3 = scf.for %k = %c0 to %c29 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!tile_a, !tile_b, vector<32x32xf32>) {
        %va = xetile.load_tile %ta : !tile_a -> vector<32x16xbf16>
        %vb = xetile.load_tile %tb : !tile_b -> vector<16x32xbf16>
        %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
        %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
        %sum = xetile.tile_mma %va, %vb, %acc {wg_map_a = #map_a, wg_map_b = #map_b, wg_map_c = #map_c}
            : vector<32x16xbf16>, vector<16x32xbf16>, vector<32x32xf32> -> vector<32x32xf32>
        scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<32x32xf32>
      }
      %tc = xetile.init_tile %c[%m, %n] : memref<37x53xf32> -> !tile_c
      xetile.store_tile %result#2, %tc : vector<32x32xf32>, !tile_c
      gpu.return
    }
  }
  gpu.module @rows {
    // A work-item sums up a row; those behind the last row have nothing to do.
    gpu.func @sum(%x: memref<37x53xf32>, %sums: memref<37xf32>) kernel
        attributes {known_block_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c37 = arith.constant 37 : index
      %c53 = arith.constant 53 : index
      %zero = arith.constant 0.0 : f32
      %i = gpu.global_id x
      %is_row = arith.cmpi ult, %i, %c37 : index
      scf.if %is_row {
        %sum = scf.for %j = %c0 to %c53 step %c1 iter_args(%so_far = %zero) -> (f32) {
          %v = memref.load %x[%i, %j] : memref<37x53xf32>
          %next = arith.addf %so_far, %v : f32
          scf.yield %next : f32
        }
        memref.store %sum, %sums[%i] : memref<37xf32>
      }
      gpu.return
    }
  }
  func.func private @fillResource1DRandomBF16(memref<*xbf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
