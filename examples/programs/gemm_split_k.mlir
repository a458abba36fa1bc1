// C += A x B with K split between work-groups: subgroups in XeTile that add to C atomically, twice.
//
// RUN: xegpu-run %s --filecheck
//
// Look here for: a result that launches add to. `gpu.memset` clears it on the device; two launches in one chain of
// tokens make it twice the product, and the host, which multiplies once, doubles its own. The order of atomic additions
// is open, so results may differ in the last digits from run to run on a real machine.
!tile_a = !xetile.tile<16x16xf16>
!tile_b = !xetile.tile<16x16xf16>
!tile_c = !xetile.tile<16x16xf32>
module attributes {gpu.container_module} {
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0.0 : f32
    %high = arith.constant 1.0 : f32
    %fractions = arith.constant false
    %a = gpu.alloc host_shared () : memref<64x96xf16>
    %b = gpu.alloc host_shared () : memref<96x32xf16>
    %any_a = memref.cast %a : memref<64x96xf16> to memref<*xf16>
    %any_b = memref.cast %b : memref<96x32xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%any_a, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%any_b, %low, %high, %fractions) : (memref<*xf16>, f32, f32, i1) -> ()

    %found = memref.alloc() : memref<64x32xf32>
    %begin = gpu.wait async
    %c, %there = gpu.alloc async [%begin] () : memref<64x32xf32>
    %cleared = gpu.memset async [%there] %c, %zero : memref<64x32xf32>, f32
    %once = gpu.launch_func async [%cleared] @kernels::@gemm
        blocks in (%c4, %c2, %c3) threads in (%c1, %c1, %c1)
        args(%a : memref<64x96xf16>, %b : memref<96x32xf16>, %c : memref<64x32xf32>)
    %twice = gpu.launch_func async [%once] @kernels::@gemm
        blocks in (%c4, %c2, %c3) threads in (%c1, %c1, %c1)
        args(%a : memref<64x96xf16>, %b : memref<96x32xf16>, %c : memref<64x32xf32>)
    %copied = gpu.memcpy async [%twice] %found, %c : memref<64x32xf32>, memref<64x32xf32>
    %freed = gpu.dealloc async [%copied] %c : memref<64x32xf32>
    gpu.wait [%freed]

    %expected = memref.alloc() : memref<64x32xf32>
    linalg.fill ins(%zero : f32) outs(%expected : memref<64x32xf32>)
    linalg.matmul ins(%a, %b : memref<64x96xf16>, memref<96x32xf16>) outs(%expected : memref<64x32xf32>)
    linalg.add ins(%expected, %expected : memref<64x32xf32>, memref<64x32xf32>) outs(%expected : memref<64x32xf32>)
    %any_found = memref.cast %found : memref<64x32xf32> to memref<*xf32>
    %any_expected = memref.cast %expected : memref<64x32xf32> to memref<*xf32>
    // CHECK: [ALLCLOSE: TRUE]
    call @printAllcloseF32(%any_found, %any_expected) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %found : memref<64x32xf32>
    memref.dealloc %expected : memref<64x32xf32>
    gpu.dealloc %a : memref<64x96xf16>
    gpu.dealloc %b : memref<96x32xf16>
    return
  }

  gpu.module @kernels {
    gpu.func @gemm(%a: memref<64x96xf16>, %b: memref<96x32xf16>, %c: memref<64x32xf32>) kernel
        attributes {VectorComputeFunctionINTEL, known_block_size = array<i32: 1, 1, 1>,
                    known_grid_size = array<i32: 4, 2, 3>} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c96 = arith.constant 96 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c16 : index
      %n = arith.muli %by, %c16 : index
      %part_id = gpu.block_id z
      %parts = gpu.grid_dim z
      %share = arith.divui %c96, %parts : index
      %k0 = arith.muli %part_id, %share : index
      %k1 = arith.addi %k0, %share : index
      %a0 = xetile.init_tile %a[%m, %k0] : memref<64x96xf16> -> !tile_a
      %b0 = xetile.init_tile %b[%k0, %n] : memref<96x32xf16> -> !tile_b
      %zero = arith.constant dense<0.0> : vector<16x16xf32>
      %result:3 = scf.for %k = %k0 to %k1 step %c16 iter_args(%ta = %a0, %tb = %b0, %acc = %zero)
          -> (!tile_a, !tile_b, vector<16x16xf32>) {
        %va = xetile.load_tile %ta : !tile_a -> vector<16x16xf16>
        %vb = xetile.load_tile %tb : !tile_b -> vector<16x16xf16>
        %na = xetile.update_tile_offset %ta, [%c0, %c16] : !tile_a
        %nb = xetile.update_tile_offset %tb, [%c16, %c0] : !tile_b
        %sum = xetile.tile_mma %va, %vb, %acc
            : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32> -> vector<16x16xf32>
        scf.yield %na, %nb, %sum : !tile_a, !tile_b, vector<16x16xf32>
      }
      %tc = xetile.init_tile %c[%m, %n] : memref<64x32xf32> -> !tile_c
      %old = xetile.atomic_rmw addf %result#2, %tc : vector<16x16xf32>, !tile_c -> vector<16x16xf32>
      gpu.return
    }
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
