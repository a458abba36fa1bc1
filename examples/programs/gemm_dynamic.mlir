// C = A x B of any size: subgroups in XeTile, launched for three problems by the same code.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: sizes that only the host knows. `@check` allocates what it is asked for, launches a grid that covers
// C, and passes `memref<?x?x...>`, which carry their sizes to the kernel. No size is a multiple of a tile; the last C
// has fewer columns than a tile.
!tile_a = !xetile.tile<16x16xf16>
!tile_b = !xetile.tile<16x16xf16>
!tile_c = !xetile.tile<16x16xf32>
module attributes {gpu.container_module} {
  func.func @main() {
    %c5 = arith.constant 5 : index
    %c24 = arith.constant 24 : index
    %c35 = arith.constant 35 : index
    %c41 = arith.constant 41 : index
    %c50 = arith.constant 50 : index
    %c100 = arith.constant 100 : index
    // CHECK: 41x35x50: [ALLCLOSE: TRUE]
    call @check(%c41, %c35, %c50) : (index, index, index) -> ()
    // CHECK-NEXT: 24x100x24: [ALLCLOSE: TRUE]
    call @check(%c24, %c100, %c24) : (index, index, index) -> ()
    // CHECK-NEXT: 50x5x41: [ALLCLOSE: TRUE]
    call @check(%c50, %c5, %c41) : (index, index, index) -> ()
    return
  }

  func.func @check(%m: index, %n: index, %k: index) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %a = gpu.alloc host_shared (%m, %k) : memref<?x?xf16>
    %b = gpu.alloc host_shared (%k, %n) : memref<?x?xf16>
    %c = gpu.alloc host_shared (%m, %n) : memref<?x?xf32>
    %expected = memref.alloc(%m, %n) : memref<?x?xf32>
    %any_a = memref.cast %a : memref<?x?xf16> to memref<*xf16>
    %any_b = memref.cast %b : memref<?x?xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%any_a, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%any_b, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()

    %rows_of_tiles = arith.ceildivui %m, %c16 : index
    %columns_of_tiles = arith.ceildivui %n, %c16 : index
    gpu.launch_func @kernels::@gemm blocks in (%rows_of_tiles, %columns_of_tiles, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<?x?xf16>, %b : memref<?x?xf16>, %c : memref<?x?xf32>)

    linalg.fill ins(%zero : f32) outs(%expected : memref<?x?xf32>)
    linalg.matmul ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%expected : memref<?x?xf32>)
    vector.print %m : index punctuation <no_punctuation>
    vector.print str "x"
    vector.print %n : index punctuation <no_punctuation>
    vector.print str "x"
    vector.print %k : index punctuation <no_punctuation>
    vector.print str ": "
    %any_c = memref.cast %c : memref<?x?xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<?x?xf32> to memref<*xf32>
    call @printAllcloseF32(%any_c, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %expected : memref<?x?xf32>
    gpu.dealloc %a : memref<?x?xf16>
    gpu.dealloc %b : memref<?x?xf16>
    gpu.dealloc %c : memref<?x?xf32>
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c16 : index
      %n = arith.muli %by, %c16 : index
      %rows = memref.dim %a, %c0 : memref<?x?xf16>
      %depth = memref.dim %a, %c1 : memref<?x?xf16>
      %columns = memref.dim %b, %c1 : memref<?x?xf16>
      %a0 = xetile.init_tile %a[%m, 0], [%rows, %depth], [%depth, 1] : memref<?x?xf16> -> !tile_a
      %b0 = xetile.init_tile %b[0, %n], [%depth, %columns], [%columns, 1] : memref<?x?xf16> -> !tile_b
      %zero = arith.constant dense<0.0> : vector<16x16xf32>
      %result:3 = scf.for %k = %c0 to %depth step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!tile_a, !tile_b, vector<16x16xf32>) {
        %va = xetile.load_tile %ta : !tile_a -> vector<16x16xf16>
        %vb = xetile.load_tile %tb : !tile_b -> vector<16x16xf16>
        %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
        %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
        %sum = xetile.tile_mma %va, %vb, %acc
            : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
        scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xf32>
      }
      %tc = xetile.init_tile %c[%m, %n], [%rows, %columns], [%columns, 1] : memref<?x?xf32> -> !tile_c
      xetile.store_tile %result#2, %tc : vector<16x16xf32>, !tile_c
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
