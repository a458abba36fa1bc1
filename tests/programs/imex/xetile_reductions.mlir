// Tiles of subgroups: reductions along both dimensions, a transpose through column-major order, masks, index operations.

// CHECK: Unranked Memref base@ = {{(0x)?[-0-9a-fA-F]*}} rank = 2 offset = 0 sizes = [16, 1] strides = [1, 1] data =
// CHECK-NEXT: {{\[\[}}496],
// CHECK-NEXT: [1520],
// CHECK: [15856]]
// CHECK: rank = 2 offset = 0 sizes = [1, 32] strides = [32, 1] data =
// CHECK-NEXT: {{\[\[}}3840,   3856,
// CHECK: rank = 2 offset = 0 sizes = [32, 16] strides = [16, 1] data =
// CHECK-NEXT: {{\[\[}}0,   32,   64,   96,
// CHECK-NEXT: [1,   33,

module @reductions attributes {gpu.container_module} {
  gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Bfloat16ConversionINTEL, BFloat16TypeKHR, Float16Buffer, Int64, Int16, Int8, Kernel, Linkage, Vector16, GenericPointer, Groups, Float16, Float64, AtomicFloat32AddEXT, ExpectAssumeKHR, SubgroupDispatch, VectorComputeINTEL, VectorAnyINTEL], [SPV_EXT_shader_atomic_float_add, SPV_KHR_bfloat16, SPV_KHR_expect_assume, SPV_INTEL_bfloat16_conversion, SPV_INTEL_vector_compute]>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @reduce(%x: memref<16x32xf32>, %rows: memref<16x1xf32>, %columns: memref<1x32xf32>, %turned: memref<32x16xf32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %c0 = arith.constant 0 : index
      %t = xetile.init_tile %x[%c0, %c0] : memref<16x32xf32> -> !xetile.tile<16x32xf32>
      %v = xetile.load_tile %t {padding = 0.0 : f32} : !xetile.tile<16x32xf32> -> vector<16x32xf32>
      %r = xetile.reduction <add>, %v [1] : vector<16x32xf32> -> vector<16x1xf32>
      %c = xetile.reduction <add>, %v [0] : vector<16x32xf32> -> vector<1x32xf32>
      %tr = xetile.init_tile %rows[0, 0] : memref<16x1xf32> -> !xetile.tile<16x1xf32>
      xetile.store_tile %r, %tr : vector<16x1xf32>, !xetile.tile<16x1xf32>
      %tc = xetile.init_tile %columns[0, 0] : memref<1x32xf32> -> !xetile.tile<1x32xf32>
      xetile.store_tile %c, %tc : vector<1x32xf32>, !xetile.tile<1x32xf32>
      %view = memref.transpose %x (i, j) -> (j, i) : memref<16x32xf32> to memref<32x16xf32, strided<[1, 32], offset:0>>
      %tt = xetile.init_tile %view[%c0, %c0] : memref<32x16xf32, strided<[1, 32], offset:0>> -> !xetile.tile<32x16xf32, #xetile.tile_attr<order = [0, 1]>>
      %w = xetile.load_tile %tt : !xetile.tile<32x16xf32, #xetile.tile_attr<order = [0, 1]>> -> vector<32x16xf32>
      %out = xetile.init_tile %turned[0, 0] : memref<32x16xf32> -> !xetile.tile<32x16xf32>
      xetile.store_tile %w, %out : vector<32x16xf32>, !xetile.tile<32x16xf32>
      gpu.return
    }
  }
  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %x = gpu.alloc host_shared () : memref<16x32xf32>
    %rows = gpu.alloc host_shared () : memref<16x1xf32>
    %columns = gpu.alloc host_shared () : memref<1x32xf32>
    %turned = gpu.alloc host_shared () : memref<32x16xf32>
    scf.for %i = %c0 to %c16 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %p = index.mul %i, %c32
        %q = index.add %p, %j
        %n = index.castu %q : index to i32
        %f = arith.uitofp %n : i32 to f32
        memref.store %f, %x[%i, %j] : memref<16x32xf32>
      }
    }
    gpu.launch_func @kernels::@reduce blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<16x32xf32>, %rows : memref<16x1xf32>, %columns : memref<1x32xf32>, %turned : memref<32x16xf32>)
    %a = memref.cast %rows : memref<16x1xf32> to memref<*xf32>
    %b = memref.cast %columns : memref<1x32xf32> to memref<*xf32>
    %c = memref.cast %turned : memref<32x16xf32> to memref<*xf32>
    func.call @printMemrefF32(%a) : (memref<*xf32>) -> ()
    func.call @printMemrefF32(%b) : (memref<*xf32>) -> ()
    func.call @printMemrefF32(%c) : (memref<*xf32>) -> ()
    return
  }
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
}
