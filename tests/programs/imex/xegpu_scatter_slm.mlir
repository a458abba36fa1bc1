// Gathers with chunks from global memory, scatters to shared local memory behind named barriers; offsets are constants.

// CHECK: [ALLCLOSE: TRUE]
// CHECK: Max absolute error 0 at idx=0
// CHECK-NEXT: Max relative error 0 at idx=0

module @scatter attributes {gpu.container_module} {
  func.func @test(%a: memref<4x32xf32>) -> memref<4x32xf32> attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %in = gpu.alloc host_shared () : memref<4x32xf32>
    memref.copy %a, %in : memref<4x32xf32> to memref<4x32xf32>
    %out = gpu.alloc host_shared () : memref<4x32xf32>
    gpu.launch_func @kernels::@turn blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%in : memref<4x32xf32>, %out : memref<4x32xf32>)
    gpu.dealloc %in : memref<4x32xf32>
    return %out : memref<4x32xf32>
  }
  gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Bfloat16ConversionINTEL, BFloat16TypeKHR, Float16Buffer, Int64, Int16, Int8, Kernel, Linkage, Vector16, GenericPointer, Groups, Float16, Float64, AtomicFloat32AddEXT, ExpectAssumeKHR, SubgroupDispatch, VectorComputeINTEL, VectorAnyINTEL], [SPV_EXT_shader_atomic_float_add, SPV_KHR_bfloat16, SPV_KHR_expect_assume, SPV_INTEL_bfloat16_conversion, SPV_INTEL_vector_compute]>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @turn(%in: memref<4x32xf32>, %out: memref<4x32xf32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %c32 = arith.constant 32 : index
      %c3 = arith.constant 3 : index
      %id_i8 = arith.constant 1 : i8
      %members = arith.constant 4 : i8
      xegpu.alloc_nbarrier 16
      %barrier = xegpu.init_nbarrier %id_i8, %members : i8, i8 -> !xegpu.nbarrier
      %id = gpu.thread_id x
      %start = arith.muli %id, %c32 : index
      %flat = memref.reinterpret_cast %in to offset: [0], sizes: [128], strides: [1] : memref<4x32xf32> to memref<128xf32>
      %lanes = arith.constant dense<[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]> : vector<16xindex>
      %starts = vector.splat %start : vector<16xindex>
      %where = arith.addi %starts, %lanes : vector<16xindex>
      %mask = arith.constant dense<true> : vector<16xi1>
      %t = xegpu.create_tdesc %flat, %where : memref<128xf32>, vector<16xindex> -> !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
      xegpu.prefetch %t {l1_hint = #xegpu.cache_hint<cached>} : !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
      %v = xegpu.load %t, %mask {transpose, l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>} : !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<16xi1> -> vector<2x16xf32>
      %slm = memref.alloc() : memref<128xf32, 3>
      %ts = xegpu.create_tdesc %slm, %where : memref<128xf32, 3>, vector<16xindex> -> !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 2>>
      xegpu.store %v, %ts, %mask <{transpose}> : vector<2x16xf32>, !xegpu.tensor_desc<16x2xf32, #xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 2>>, vector<16xi1>
      xegpu.fence memory_kind = slm, fence_scope = workgroup
      xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
      xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
      // Row 3 - i of the shared memory is row i of the result.
      %other = arith.subi %c3, %id : index
      %from = arith.muli %other, %c32 : index
      %block = xegpu.create_nd_tdesc %slm[%from] : memref<128xf32, 3> -> !xegpu.tensor_desc<32xf32, #xegpu.block_tdesc_attr<memory_space = slm, boundary_check = false>>
      %w = xegpu.load_nd %block : !xegpu.tensor_desc<32xf32, #xegpu.block_tdesc_attr<memory_space = slm, boundary_check = false>> -> vector<32xf32>
      %row = vector.shape_cast %w : vector<32xf32> to vector<1x32xf32>
      %to = xegpu.create_nd_tdesc %out[%id, 0] : memref<4x32xf32> -> !xegpu.tensor_desc<1x32xf32>
      %l = vector.extract_strided_slice %row {offsets = [0, 0], sizes = [1, 16], strides = [1, 1]} : vector<1x32xf32> to vector<1x16xf32>
      %r = vector.extract_strided_slice %row {offsets = [0, 16], sizes = [1, 16], strides = [1, 1]} : vector<1x32xf32> to vector<1x16xf32>
      %c16 = arith.constant 16 : index
      %c0 = arith.constant 0 : index
      %left = xegpu.create_nd_tdesc %out[%id, %c0] : memref<4x32xf32> -> !xegpu.tensor_desc<1x16xf32>
      %right = xegpu.create_nd_tdesc %out[%id, %c16] : memref<4x32xf32> -> !xegpu.tensor_desc<1x16xf32>
      xegpu.store_nd %l, %left : vector<1x16xf32>, !xegpu.tensor_desc<1x16xf32>
      xegpu.store_nd %r, %right : vector<1x16xf32>, !xegpu.tensor_desc<1x16xf32>
      gpu.return
    }
  }
  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c3 = arith.constant 3 : index
    %a = memref.alloc() : memref<4x32xf32>
    %r = memref.alloc() : memref<4x32xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %n = arith.muli %i, %c32 : index
        %k = arith.addi %n, %j : index
        %v = arith.index_cast %k : index to i32
        %f = arith.sitofp %v : i32 to f32
        memref.store %f, %a[%i, %j] : memref<4x32xf32>
        %o = arith.subi %c3, %i : index
        memref.store %f, %r[%o, %j] : memref<4x32xf32>
      }
    }
    %b = call @test(%a) : (memref<4x32xf32>) -> memref<4x32xf32>
    %b_cast = memref.cast %b : memref<4x32xf32> to memref<*xf32>
    %r_cast = memref.cast %r : memref<4x32xf32> to memref<*xf32>
    call @printAllcloseF32(%b_cast, %r_cast) : (memref<*xf32>, memref<*xf32>) -> ()
    call @printMaxErrorF32(%b_cast, %r_cast) : (memref<*xf32>, memref<*xf32>) -> ()
    return
  }
  func.func private @printAllcloseF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func private @printMaxErrorF32(memref<*xf32>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
