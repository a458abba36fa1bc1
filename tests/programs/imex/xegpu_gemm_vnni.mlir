// The XeGPU of LLVM 19, as early tests of IMEX have it: operands packed along both axes, descriptors in loops, copies by memref.copy.

// CHECK: [ALLCLOSE: TRUE]

module @gemm attributes {gpu.container_module} {
  func.func @test(%A: memref<32x64xf16>, %B: memref<64x32xf16>) -> memref<32x32xf32> attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %A_gpu = gpu.alloc host_shared () : memref<32x64xf16>
    memref.copy %A, %A_gpu : memref<32x64xf16> to memref<32x64xf16>
    %B_gpu = gpu.alloc host_shared () : memref<64x32xf16>
    memref.copy %B, %B_gpu : memref<64x32xf16> to memref<64x32xf16>
    %C_gpu = gpu.alloc host_shared () : memref<32x32xf32>
    gpu.launch_func @test_kernel::@test_kernel blocks in (%c4, %c2, %c1) threads in (%c1, %c1, %c1) args(%A_gpu : memref<32x64xf16>, %B_gpu : memref<64x32xf16>, %C_gpu : memref<32x32xf32>)
    gpu.dealloc %A_gpu : memref<32x64xf16>
    gpu.dealloc %B_gpu : memref<64x32xf16>
    return %C_gpu : memref<32x32xf32>
  }
  gpu.module @test_kernel attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Bfloat16ConversionINTEL, BFloat16TypeKHR, Float16Buffer, Int64, Int16, Int8, Kernel, Linkage, Vector16, GenericPointer, Groups, Float16, Float64, AtomicFloat32AddEXT, ExpectAssumeKHR, SubgroupDispatch, VectorComputeINTEL, VectorAnyINTEL], [SPV_EXT_shader_atomic_float_add, SPV_KHR_bfloat16, SPV_KHR_expect_assume, SPV_INTEL_bfloat16_conversion, SPV_INTEL_vector_compute]>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @test_kernel(%A: memref<32x64xf16>, %B: memref<64x32xf16>, %C: memref<32x32xf32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %x = gpu.block_id x
      %y = gpu.block_id y
      %m = arith.muli %x, %c8 : index
      %n = arith.muli %y, %c16 : index
      %ta0 = xegpu.create_nd_tdesc %A[%m, %c0] : memref<32x64xf16> -> !xegpu.tensor_desc<8x16xf16>
      %tb0 = xegpu.create_nd_tdesc %B[%c0, %n] : memref<64x32xf16> -> !xegpu.tensor_desc<16x16xf16>
      %tc = xegpu.create_nd_tdesc %C[%m, %n] : memref<32x32xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.tdesc_attr<memory_scope = global, boundary_check = true>>
      %zero = xegpu.load_nd %tc <{l1_hint = #xegpu.cache_hint<uncached>, l2_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<8x16xf32, #xegpu.tdesc_attr<memory_scope = global, boundary_check = true>> -> vector<8x16xf32>
      %r:3 = scf.for %k = %c0 to %c64 step %c16 iter_args(%ta = %ta0, %tb = %tb0, %acc = %zero) -> (!xegpu.tensor_desc<8x16xf16>, !xegpu.tensor_desc<16x16xf16>, vector<8x16xf32>) {
        xegpu.compile_hint
        %va = xegpu.load_nd %ta {vnni_axis = 1, l1_hint = #xegpu.cache_hint<cached>} : !xegpu.tensor_desc<8x16xf16> -> vector<8x8x2xf16>
        %vb = xegpu.load_nd %tb {vnni_axis = 0} : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
        xegpu.compile_hint
        %d = xegpu.dpas %va, %vb, %acc : vector<8x8x2xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
        %na = xegpu.update_nd_offset %ta, [%c0, %c16] : !xegpu.tensor_desc<8x16xf16>
        %nb = xegpu.update_nd_offset %tb, [%c16, %c0] : !xegpu.tensor_desc<16x16xf16>
        xegpu.prefetch_nd %na <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<8x16xf16>
        scf.yield %na, %nb, %d : !xegpu.tensor_desc<8x16xf16>, !xegpu.tensor_desc<16x16xf16>, vector<8x16xf32>
      }
      xegpu.store_nd %r#2, %tc <{l1_hint = #xegpu.cache_hint<write_back>, l2_hint = #xegpu.cache_hint<uncached>}> : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #xegpu.tdesc_attr<memory_scope = global, boundary_check = true>>
      gpu.return
    }
  }
  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %cf_0 = arith.constant 0.0 : f32
    %cf_lower = arith.constant -0.5 : f32
    %cf_upper = arith.constant 0.5 : f32
    %c_gen_int = arith.constant 0 : i1
    %A = memref.alloc() : memref<32x64xf16>
    %B = memref.alloc() : memref<64x32xf16>
    %ref = memref.alloc() : memref<32x32xf32>
    %A_random = memref.cast %A : memref<32x64xf16> to memref<*xf16>
    call @fillResource1DRandomF16(%A_random, %cf_lower, %cf_upper, %c_gen_int) : (memref<*xf16>, f32, f32, i1) -> ()
    // B is a row counter, whatever the column.
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %i16 = index.castu %i : index to i16
        %v = arith.uitofp %i16 : i16 to f16
        %small = arith.constant 0.01 : f16
        %w = arith.mulf %v, %small : f16
        memref.store %w, %B[%i, %j] : memref<64x32xf16>
      }
    }
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %cf_0) -> f32 {
          %a = memref.load %A[%i, %k] : memref<32x64xf16>
          %b = memref.load %B[%k, %j] : memref<64x32xf16>
          %a32 = arith.extf %a : f16 to f32
          %b32 = arith.extf %b : f16 to f32
          %p = arith.mulf %a32, %b32 : f32
          %s = arith.addf %p, %acc : f32
          scf.yield %s : f32
        }
        memref.store %sum, %ref[%i, %j] : memref<32x32xf32>
      }
    }
    %C = call @test(%A, %B) : (memref<32x64xf16>, memref<64x32xf16>) -> memref<32x32xf32>
    %C_cast = memref.cast %C : memref<32x32xf32> to memref<*xf32>
    %ref_cast = memref.cast %ref : memref<32x32xf32> to memref<*xf32>
    call @printAllcloseF32(%C_cast, %ref_cast) : (memref<*xf32>, memref<*xf32>) -> ()
    memref.dealloc %A : memref<32x64xf16>
    memref.dealloc %B : memref<64x32xf16>
    memref.dealloc %ref : memref<32x32xf32>
    gpu.dealloc %C : memref<32x32xf32>
    return
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
