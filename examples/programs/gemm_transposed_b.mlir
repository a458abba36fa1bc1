// C = A x Bᵀ, with B stored as N x K: subgroups in XeTile, and an entry point that tests hand over data to.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: a function that does one thing with a GPU and that `main` is only one caller of. `@product` takes
// memory of the host, copies, launches and copies back; from Python, `runtime.run(text, "product", [a, b, c])` calls it
// with arrays. The reference is `linalg.matmul` with maps.
!tile_a = !xetile.tile<16x16xbf16>
!tile_bt = !xetile.tile<16x16xbf16>
!tile_c = !xetile.tile<16x16xf32>
module attributes {gpu.container_module} {
  func.func @product(%a: memref<32x32xbf16>, %b: memref<64x32xbf16>, %c: memref<32x64xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %device_a = gpu.alloc () : memref<32x32xbf16>
    %device_b = gpu.alloc () : memref<64x32xbf16>
    %device_c = gpu.alloc () : memref<32x64xf32>
    gpu.memcpy %device_a, %a : memref<32x32xbf16>, memref<32x32xbf16>
    gpu.memcpy %device_b, %b : memref<64x32xbf16>, memref<64x32xbf16>
    gpu.launch_func @kernels::@gemm blocks in (%c2, %c4, %c1) threads in (%c1, %c1, %c1)
        args(%device_a : memref<32x32xbf16>, %device_b : memref<64x32xbf16>, %device_c : memref<32x64xf32>)
    gpu.memcpy %c, %device_c : memref<32x64xf32>, memref<32x64xf32>
    gpu.dealloc %device_a : memref<32x32xbf16>
    gpu.dealloc %device_b : memref<64x32xbf16>
    gpu.dealloc %device_c : memref<32x64xf32>
    return
  }

  func.func @main() {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %a = memref.alloc() : memref<32x32xbf16>
    %b = memref.alloc() : memref<64x32xbf16>
    %c = memref.alloc() : memref<32x64xf32>
    %expected = memref.alloc() : memref<32x64xf32>
    %any_a = memref.cast %a : memref<32x32xbf16> to memref<*xbf16>
    %any_b = memref.cast %b : memref<64x32xbf16> to memref<*xbf16>
    call @fillResource1DRandomBF16(%any_a, %low, %high, %fractions) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomBF16(%any_b, %low, %high, %fractions) : (memref<*xbf16>, f32, f32, i1) -> ()
    call @product(%a, %b, %c) : (memref<32x32xbf16>, memref<64x32xbf16>, memref<32x64xf32>) -> ()
    linalg.fill ins(%zero : f32) outs(%expected : memref<32x64xf32>)
    linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>]
        ins(%a, %b : memref<32x32xbf16>, memref<64x32xbf16>)
        outs(%expected : memref<32x64xf32>)
    %any_c = memref.cast %c : memref<32x64xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<32x64xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF32(%any_c, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %a : memref<32x32xbf16>
    memref.dealloc %b : memref<64x32xbf16>
    memref.dealloc %c : memref<32x64xf32>
    memref.dealloc %expected : memref<32x64xf32>
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<32x32xbf16>, %b: memref<64x32xbf16>, %c: memref<32x64xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                    known_grid_size = array<i32: 2, 4, 1>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c16 : index
      %n = arith.muli %by, %c16 : index
      %a0 = xetile.init_tile %a[%m, 0] : memref<32x32xbf16> -> !tile_a
      %b0 = xetile.init_tile %b[%n, 0] : memref<64x32xbf16> -> !tile_bt
      %zero = arith.constant dense<0.0> : vector<16x16xf32>
      %result:3 = scf.for %k = %c0 to %c32 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!tile_a, !tile_bt, vector<16x16xf32>) {
        %va = xetile.load_tile %ta : !tile_a -> vector<16x16xbf16>
        %sb = xetile.load_tile %tb : !tile_bt -> vector<16x16xbf16>
        %vb = xetile.transpose %sb, [1, 0] : vector<16x16xbf16> -> vector<16x16xbf16>
        %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
        %nb = xetile.update_tile_offset %tb, [%c0, %c16] : !tile_bt
        %sum = xetile.tile_mma %va, %vb, %acc
            : vector<16x16xbf16>, vector<16x16xbf16>, vector<16x16xf32> -> vector<16x16xf32>
        scf.yield %na, %nb, %sum : !tile_a, !tile_bt, vector<16x16xf32>
      }
      %tc = xetile.init_tile %c[%m, %n] : memref<32x64xf32> -> !tile_c
      xetile.store_tile %result#2, %tc : vector<16x16xf32>, !tile_c
      gpu.return
    }
  }
  func.func private @fillResource1DRandomBF16(memref<*xbf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
