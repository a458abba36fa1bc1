// A batch of products: planes by reinterpret_cast, subviews on the host, asynchronous copies; integers of 8 bits and tf32.

// CHECK: 0
// CHECK: [ALLCLOSE: TRUE]
// CHECK-NEXT: Max absolute error 0 at idx=0

module @batch attributes {gpu.container_module} {
  gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Bfloat16ConversionINTEL, BFloat16TypeKHR, Float16Buffer, Int64, Int16, Int8, Kernel, Linkage, Vector16, GenericPointer, Groups, Float16, Float64, AtomicFloat32AddEXT, ExpectAssumeKHR, SubgroupDispatch, VectorComputeINTEL, VectorAnyINTEL], [SPV_EXT_shader_atomic_float_add, SPV_KHR_bfloat16, SPV_KHR_expect_assume, SPV_INTEL_bfloat16_conversion, SPV_INTEL_vector_compute]>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @integers(%A: memref<2x8x32xi8>, %B: memref<2x32x16xi8>, %C: memref<2x8x16xi32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %b = gpu.block_id x
      %c256 = arith.constant 256 : index
      %c512 = arith.constant 512 : index
      %c128 = arith.constant 128 : index
      %oa = arith.muli %b, %c256 : index
      %ob = arith.muli %b, %c512 : index
      %oc = arith.muli %b, %c128 : index
      %a2 = memref.reinterpret_cast %A to offset: [%oa], sizes: [8, 32], strides: [32, 1] : memref<2x8x32xi8> to memref<8x32xi8, strided<[32, 1], offset: ?>>
      %b2 = memref.reinterpret_cast %B to offset: [%ob], sizes: [32, 16], strides: [16, 1] : memref<2x32x16xi8> to memref<32x16xi8, strided<[16, 1], offset: ?>>
      %c2 = memref.reinterpret_cast %C to offset: [%oc], sizes: [8, 16], strides: [16, 1] : memref<2x8x16xi32> to memref<8x16xi32, strided<[16, 1], offset: ?>>
      %ta = xegpu.create_nd_tdesc %a2[0, 0] : memref<8x32xi8, strided<[32, 1], offset: ?>> -> !xegpu.tensor_desc<8x32xi8>
      %tb = xegpu.create_nd_tdesc %b2[0, 0] : memref<32x16xi8, strided<[16, 1], offset: ?>> -> !xegpu.tensor_desc<32x16xi8>
      %va = xegpu.load_nd %ta : !xegpu.tensor_desc<8x32xi8> -> vector<8x32xi8>
      %vb = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<32x16xi8> -> vector<8x16x4xi8>
      %d = xegpu.dpas %va, %vb : vector<8x32xi8>, vector<8x16x4xi8> -> vector<8x16xi32>
      %tc = xegpu.create_nd_tdesc %c2[0, 0] : memref<8x16xi32, strided<[16, 1], offset: ?>> -> !xegpu.tensor_desc<8x16xi32>
      xegpu.store_nd %d, %tc : vector<8x16xi32>, !xegpu.tensor_desc<8x16xi32>
      gpu.return
    }
    gpu.func @tf32(%A: memref<8x8xf32>, %B: memref<8x16xf32>, %C: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %pa = memref.extract_aligned_pointer_as_index %A : memref<8x8xf32> -> index
      %pb = memref.extract_aligned_pointer_as_index %B : memref<8x16xf32> -> index
      %ia = arith.index_cast %pa : index to i64
      %ib = arith.index_cast %pb : index to i64
      %ta = xegpu.create_nd_tdesc %ia[0, 0], [8, 8], [8, 1] : i64 -> !xegpu.tensor_desc<8x8xtf32>
      %tb = xegpu.create_nd_tdesc %ib[0, 0], [8, 16], [16, 1] : i64 -> !xegpu.tensor_desc<8x16xtf32>
      %tc = xegpu.create_nd_tdesc %C[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
      %a = xegpu.load_nd %ta : !xegpu.tensor_desc<8x8xtf32> -> vector<8x8xtf32>
      %b = xegpu.load_nd %tb : !xegpu.tensor_desc<8x16xtf32> -> vector<8x16xtf32>
      %d = xegpu.dpas %a, %b : vector<8x8xtf32>, vector<8x16xtf32> -> vector<8x16xf32>
      xegpu.store_nd %d, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
  }
  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %a = memref.alloc() : memref<2x8x32xi8>
    %b = memref.alloc() : memref<2x32x16xi8>
    %c = memref.alloc() : memref<2x8x16xi32>
    %expected = memref.alloc() : memref<2x8x16xi32>
    %low = arith.constant -100.0 : f32
    %high = arith.constant 100.0 : f32
    %true = arith.constant true
    %a_any = memref.cast %a : memref<2x8x32xi8> to memref<*xi8>
    %b_any = memref.cast %b : memref<2x32x16xi8> to memref<*xi8>
    call @fillResource1DRandomI8(%a_any, %low, %high, %true) : (memref<*xi8>, f32, f32, i1) -> ()
    call @fillResource1DRandomI8(%b_any, %low, %high, %true) : (memref<*xi8>, f32, f32, i1) -> ()
    scf.for %n = %c0 to %c2 step %c1 {
      scf.for %i = %c0 to %c8 step %c1 {
        scf.for %j = %c0 to %c16 step %c1 {
          %s = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %zero) -> i32 {
            %x = memref.load %a[%n, %i, %k] : memref<2x8x32xi8>
            %y = memref.load %b[%n, %k, %j] : memref<2x32x16xi8>
            %xw = arith.extsi %x : i8 to i32
            %yw = arith.extsi %y : i8 to i32
            %p = arith.muli %xw, %yw : i32
            %t = arith.addi %p, %acc : i32
            scf.yield %t : i32
          }
          memref.store %s, %expected[%n, %i, %j] : memref<2x8x16xi32>
        }
      }
    }
    %da, %t0 = gpu.alloc async () : memref<2x8x32xi8>
    %db, %t1 = gpu.alloc async () : memref<2x32x16xi8>
    %dc, %t2 = gpu.alloc async () : memref<2x8x16xi32>
    %t3 = gpu.memcpy async [%t0] %da, %a : memref<2x8x32xi8>, memref<2x8x32xi8>
    %t4 = gpu.memcpy async [%t1] %db, %b : memref<2x32x16xi8>, memref<2x32x16xi8>
    %t5 = gpu.wait async [%t2, %t3, %t4]
    %t6 = gpu.launch_func async [%t5] @kernels::@integers blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%da : memref<2x8x32xi8>, %db : memref<2x32x16xi8>, %dc : memref<2x8x16xi32>)
    %t7 = gpu.memcpy async [%t6] %c, %dc : memref<2x8x16xi32>, memref<2x8x16xi32>
    gpu.wait [%t7]
    %c_any = memref.cast %c : memref<2x8x16xi32> to memref<*xi32>
    %expected_any = memref.cast %expected : memref<2x8x16xi32> to memref<*xi32>
    %wrong = call @verifyMemRefI32(%c_any, %expected_any) : (memref<*xi32>, memref<*xi32>) -> i64
    call @printI64(%wrong) : (i64) -> ()
    call @printNewline() : () -> ()

    %ta = gpu.alloc host_shared () : memref<8x8xf32>
    %tb = gpu.alloc host_shared () : memref<8x16xf32>
    %tc = gpu.alloc host_shared () : memref<8x16xf32>
    %te = memref.alloc() : memref<8x16xf32>
    %small = arith.constant 3.0 : f32
    %nothing = arith.constant -3.0 : f32
    %ta_any = memref.cast %ta : memref<8x8xf32> to memref<*xf32>
    %tb_any = memref.cast %tb : memref<8x16xf32> to memref<*xf32>
    %tc_any = memref.cast %tc : memref<8x16xf32> to memref<*xf32>
    %te_any = memref.cast %te : memref<8x16xf32> to memref<*xf32>
    call @fillResource1DRandomF32(%ta_any, %nothing, %small, %true) : (memref<*xf32>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%tb_any, %nothing, %small, %true) : (memref<*xf32>, f32, f32, i1) -> ()
    gpu.launch_func @kernels::@tf32 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%ta : memref<8x8xf32>, %tb : memref<8x16xf32>, %tc : memref<8x16xf32>)
    call @gemmF32F32F32(%ta_any, %tb_any, %te_any) : (memref<*xf32>, memref<*xf32>, memref<*xf32>) -> ()
    call @_mlir_ciface_printAllcloseF32(%tc_any, %te_any) : (memref<*xf32>, memref<*xf32>) -> ()
    call @printMaxErrorF32(%tc_any, %te_any) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomI8(memref<*xi8>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @verifyMemRefI32(memref<*xi32>, memref<*xi32>) -> i64 attributes {llvm.emit_c_interface}
  func.func private @gemmF32F32F32(memref<*xf32>, memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @_mlir_ciface_printAllcloseF32(memref<*xf32>, memref<*xf32>)
  func.func private @printMaxErrorF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printI64(i64)
  func.func private @printNewline()
}
