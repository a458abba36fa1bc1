// Blocks side by side in one load, prefetches, hints in plain dictionaries, fences and barriers, globals as inputs.

// CHECK: Unranked Memref base@ = {{(0x)?[-0-9a-fA-F]*}}
// CHECK-NEXT: [128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128]
// CHECK: [ALLCLOSE: TRUE]

module @stacked attributes {gpu.container_module} {
  memref.global "private" constant @ones : memref<16x32xf16> = dense<1.0>
  memref.global "private" @bias : memref<2x4xf32> = dense<[[1.0, 2.0, 3.0, 4.0], [-1.0, 0x7FC00000, 0.5, 1.0e+01]]>
  memref.global "private" constant @rows : memref<8xi32> = dense<[7, 6, 5, 4, 3, 2, 1, 0]>
  func.func @test(%A: memref<8x32xf16>, %B: memref<32x32xf16>) -> memref<8x16xf32> attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %dA = gpu.alloc host_shared () : memref<8x32xf16>
    memref.copy %A, %dA : memref<8x32xf16> to memref<8x32xf16>
    %dB = gpu.alloc host_shared () : memref<32x32xf16>
    memref.copy %B, %dB : memref<32x32xf16> to memref<32x32xf16>
    %dC = gpu.alloc host_shared () : memref<8x16xf32>
    gpu.launch_func @kernels::@stacked blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%dA : memref<8x32xf16>, %dB : memref<32x32xf16>, %dC : memref<8x16xf32>)
    gpu.dealloc %dA : memref<8x32xf16>
    gpu.dealloc %dB : memref<32x32xf16>
    return %dC : memref<8x16xf32>
  }
  gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Bfloat16ConversionINTEL, BFloat16TypeKHR, Float16Buffer, Int64, Int16, Int8, Kernel, Linkage, Vector16, GenericPointer, Groups, Float16, Float64, AtomicFloat32AddEXT, ExpectAssumeKHR, SubgroupDispatch, VectorComputeINTEL, VectorAnyINTEL], [SPV_EXT_shader_atomic_float_add, SPV_KHR_bfloat16, SPV_KHR_expect_assume, SPV_INTEL_bfloat16_conversion, SPV_INTEL_vector_compute]>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @stacked(%A: memref<8x32xf16>, %B: memref<32x32xf16>, %C: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %ta = xegpu.create_nd_tdesc %A[0, 0] : memref<8x32xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<memory_space = global, array_length = 2 : i64, boundary_check = true>>
      %tb = xegpu.create_nd_tdesc %B[%c0, %c0] : memref<32x32xf16> -> !xegpu.tensor_desc<32x16xf16, #xegpu.block_tdesc_attr<array_length = 2>>
      xegpu.prefetch_nd %ta {l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<cached>} : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<memory_space = global, array_length = 2 : i64, boundary_check = true>>
      %va = xegpu.load_nd %ta {l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>} : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<memory_space = global, array_length = 2 : i64, boundary_check = true>> -> vector<2x8x16xf16>
      %vb = xegpu.load_nd %tb {packed} : !xegpu.tensor_desc<32x16xf16, #xegpu.block_tdesc_attr<array_length = 2>> -> vector<2x16x16x2xf16>
      xegpu.fence memory_kind = global, fence_scope = workgroup
      gpu.barrier
      %a0 = vector.extract %va[0] : vector<8x16xf16> from vector<2x8x16xf16>
      %a1 = vector.extract %va[1] : vector<8x16xf16> from vector<2x8x16xf16>
      %b = vector.extract %vb[0] : vector<16x16x2xf16> from vector<2x16x16x2xf16>
      %flat = vector.shape_cast %b : vector<16x16x2xf16> to vector<512xf16>
      %low = vector.extract_strided_slice %flat {offsets = [0], sizes = [256], strides = [1]} : vector<512xf16> to vector<256xf16>
      %high = vector.extract_strided_slice %flat {offsets = [256], sizes = [256], strides = [1]} : vector<512xf16> to vector<256xf16>
      %b0 = vector.shape_cast %low : vector<256xf16> to vector<8x16x2xf16>
      %b1 = vector.shape_cast %high : vector<256xf16> to vector<8x16x2xf16>
      xegpu.compile_hint
      %d0 = xegpu.dpas %a0, %b0 : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
      %d1 = xegpu.dpas %a1, %b1, %d0 : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      %four = arith.constant dense<4.0> : vector<8x16xf32>
      %d = arith.mulf %d1, %four : vector<8x16xf32>
      %tc = xegpu.create_nd_tdesc %C[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      xegpu.store_nd %d, %tc {l1_hint = #xegpu.cache_hint<write_back>, l2_hint = #xegpu.cache_hint<uncached>} : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
  }
  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %ones = memref.get_global @ones : memref<16x32xf16>
    %A = memref.subview %ones[4, 0] [8, 32] [1, 1] : memref<16x32xf16> to memref<8x32xf16, strided<[32, 1], offset: 128>>
    %A0 = memref.alloc() : memref<8x32xf16>
    memref.copy %A, %A0 : memref<8x32xf16, strided<[32, 1], offset: 128>> to memref<8x32xf16>
    %B = memref.alloc() : memref<32x32xf16>
    %B_cast = memref.cast %B : memref<32x32xf16> to memref<*xf16>
    %one = arith.constant 1.0 : f32
    call @fillResource1DF16(%B_cast, %one) : (memref<*xf16>, f32) -> ()
    %C = call @test(%A0, %B) : (memref<8x32xf16>, memref<32x32xf16>) -> memref<8x16xf32>
    %row = memref.subview %C[3, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<16xf32, strided<[1], offset: 48>>
    %row_cast = memref.cast %row : memref<16xf32, strided<[1], offset: 48>> to memref<*xf32>
    call @printMemrefF32(%row_cast) : (memref<*xf32>) -> ()
    %expected = memref.alloc() : memref<8x16xf32>
    %expected_cast = memref.cast %expected : memref<8x16xf32> to memref<*xf32>
    %v = arith.constant 128.0 : f32
    call @fillResource1DF32(%expected_cast, %v) : (memref<*xf32>, f32) -> ()
    %C_cast = memref.cast %C : memref<8x16xf32> to memref<*xf32>
    call @printAllcloseF32(%C_cast, %expected_cast) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DF16(memref<*xf16>, f32) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DF32(memref<*xf32>, f32) attributes {llvm.emit_c_interface}
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
