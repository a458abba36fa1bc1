// A work-group GEMM in XeTile, 64x64x64, that adds to a result that nothing has written, as programs for real drivers do.

// RUN: xegpu-run %s --filecheck=CHECK -q
// RUN: not xegpu-run %s --check=uninitialized -q 2>&1 | filecheck %s --check-prefix=FOUND

// CHECK: [ALLCLOSE: TRUE]
// CHECK: Max absolute error {{[0-9.e+-]+}} at idx={{[0-9]+}}

// FOUND:      unwritten-accumulator.mlir:{{[0-9]+}}:5: error: 'gpu.launch_func' op {{.*}} 8 errors in kernel 'gemm'
// FOUND:      use of uninitialized memory in kernel 'gemm': {{.*}} nothing has written those bytes of shared memory '#3'
// FOUND:      source: {{.*}}unwritten-accumulator.mlir:{{[0-9]+}}:7
// FOUND:      it was read there:
// FOUND:      source: {{.*}}unwritten-accumulator.mlir:{{[0-9]+}}:18

#a = #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 32]>>
#c = #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 32]>>
#map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 32]>
module @gemm attributes {gpu.container_module} {
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @gemmF16F16F32(memref<*xf16>, memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printMaxErrorF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}

  func.func @multiply(%a: memref<64x64xf16>, %b: memref<64x64xf16>) -> memref<64x64xf32> attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a_gpu = gpu.alloc host_shared () : memref<64x64xf16>
    memref.copy %a, %a_gpu : memref<64x64xf16> to memref<64x64xf16>
    %b_gpu = gpu.alloc host_shared () : memref<64x64xf16>
    memref.copy %b, %b_gpu : memref<64x64xf16> to memref<64x64xf16>
    %c_gpu = gpu.alloc host_shared () : memref<64x64xf32>
    gpu.launch_func @kernels::@gemm blocks in (%c1, %c1, %c1) threads in (%c2, %c2, %c1) args(%a_gpu : memref<64x64xf16>, %b_gpu : memref<64x64xf16>, %c_gpu : memref<64x64xf32>)
    gpu.dealloc %a_gpu : memref<64x64xf16>
    gpu.dealloc %b_gpu : memref<64x64xf16>
    return %c_gpu : memref<64x64xf32>
  }

  func.func @main() attributes {llvm.emit_c_interface} {
    %low = arith.constant -1.0 : f32
    %high = arith.constant 1.0 : f32
    %false = arith.constant false
    %a = memref.alloc() : memref<64x64xf16>
    %b = memref.alloc() : memref<64x64xf16>
    %expected = memref.alloc() : memref<64x64xf32>
    %a_any = memref.cast %a : memref<64x64xf16> to memref<*xf16>
    %b_any = memref.cast %b : memref<64x64xf16> to memref<*xf16>
    %expected_any = memref.cast %expected : memref<64x64xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%a_any, %low, %high, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%b_any, %low, %high, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    %c = call @multiply(%a, %b) : (memref<64x64xf16>, memref<64x64xf16>) -> memref<64x64xf32>
    %c_any = memref.cast %c : memref<64x64xf32> to memref<*xf32>
    call @gemmF16F16F32(%a_any, %b_any, %expected_any) : (memref<*xf16>, memref<*xf16>, memref<*xf32>) -> ()
    call @printAllcloseF32(%c_any, %expected_any) : (memref<*xf32>, memref<*xf32>) -> ()
    call @printMaxErrorF32(%c_any, %expected_any) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %a : memref<64x64xf16>
    memref.dealloc %b : memref<64x64xf16>
    memref.dealloc %expected : memref<64x64xf32>
    return
  }

  gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Kernel], []>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @gemm(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c_tile = xetile.init_tile %c[%c0, %c0] : memref<64x64xf32> -> !xetile.tile<64x64xf32, #c>
      %c_start = xetile.load_tile %c_tile : !xetile.tile<64x64xf32, #c> -> vector<64x64xf32>
      %a_first = xetile.init_tile %a[%c0, %c0] : memref<64x64xf16> -> !xetile.tile<64x32xf16, #a>
      %b_first = xetile.init_tile %b[%c0, %c0] : memref<64x64xf16> -> !xetile.tile<32x64xf16, #a>
      %result:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%a_tile = %a_first, %b_tile = %b_first, %sum = %c_start) -> (!xetile.tile<64x32xf16, #a>, !xetile.tile<32x64xf16, #a>, vector<64x64xf32>) {
        %a_value = xetile.load_tile %a_tile : !xetile.tile<64x32xf16, #a> -> vector<64x32xf16>
        %b_value = xetile.load_tile %b_tile : !xetile.tile<32x64xf16, #a> -> vector<32x64xf16>
        %next = xetile.tile_mma %a_value, %b_value, %sum {wg_map_a = #map, wg_map_b = #map, wg_map_c = #map} : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>
        %a_next = xetile.update_tile_offset %a_tile, [%c0, %c32] : !xetile.tile<64x32xf16, #a>
        %b_next = xetile.update_tile_offset %b_tile, [%c32, %c0] : !xetile.tile<32x64xf16, #a>
        scf.yield %a_next, %b_next, %next : !xetile.tile<64x32xf16, #a>, !xetile.tile<32x64xf16, #a>, vector<64x64xf32>
      }
      xetile.store_tile %result#2, %c_tile : vector<64x64xf32>, !xetile.tile<64x64xf32, #c>
      gpu.return
    }
  }
}
