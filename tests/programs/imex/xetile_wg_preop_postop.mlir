// Tiles of work-groups: an operation before the product, a bias and a scale behind it; accumulators in f32, results in f16.

// CHECK: [ALLCLOSE: TRUE]

#wg_map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 32]>
#tile_attr_a = #xetile.tile_attr<wg_map = #wg_map_a>
#wg_map_b = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 16]>
#tile_attr_b = #xetile.tile_attr<wg_map = #wg_map_b>
#wg_map_c = #xetile.wg_map<sg_layout = [2, 2], sg_data = [16, 16]>
#tile_attr_c = #xetile.tile_attr<wg_map = #wg_map_c>
#wg_map_bias = #xetile.wg_map<sg_layout = [2, 2], sg_data = [1, 16]>
#tile_attr_bias = #xetile.tile_attr<wg_map = #wg_map_bias>
module @gemm attributes {gpu.container_module} {
  func.func @test(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %bias: memref<1x64xf32>) -> memref<64x64xf16> attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %A_gpu = gpu.alloc host_shared () : memref<64x64xf16>
    memref.copy %A, %A_gpu : memref<64x64xf16> to memref<64x64xf16>
    %B_gpu = gpu.alloc host_shared () : memref<64x64xf16>
    memref.copy %B, %B_gpu : memref<64x64xf16> to memref<64x64xf16>
    %bias_gpu = gpu.alloc host_shared () : memref<1x64xf32>
    memref.copy %bias, %bias_gpu : memref<1x64xf32> to memref<1x64xf32>
    %C_gpu = gpu.alloc host_shared () : memref<64x64xf16>
    gpu.launch_func @kernels::@gemm blocks in (%c2, %c2, %c1) threads in (%c2, %c2, %c1) args(%A_gpu : memref<64x64xf16>, %B_gpu : memref<64x64xf16>, %bias_gpu : memref<1x64xf32>, %C_gpu : memref<64x64xf16>)
    gpu.dealloc %A_gpu : memref<64x64xf16>
    gpu.dealloc %B_gpu : memref<64x64xf16>
    return %C_gpu : memref<64x64xf16>
  }
  gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Bfloat16ConversionINTEL, BFloat16TypeKHR, Float16Buffer, Int64, Int16, Int8, Kernel, Linkage, Vector16, GenericPointer, Groups, Float16, Float64, AtomicFloat32AddEXT, ExpectAssumeKHR, SubgroupDispatch, VectorComputeINTEL, VectorAnyINTEL], [SPV_EXT_shader_atomic_float_add, SPV_KHR_bfloat16, SPV_KHR_expect_assume, SPV_INTEL_bfloat16_conversion, SPV_INTEL_vector_compute]>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @gemm(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %bias: memref<1x64xf32>, %C: memref<64x64xf16>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %block_id_x = gpu.block_id x
      %block_id_y = gpu.block_id y
      %m = arith.muli %block_id_x, %c32 : index
      %n = arith.muli %block_id_y, %c32 : index
      %c_init = arith.constant {map = #wg_map_c} dense<0.0> : vector<32x32xf32>
      %half = arith.constant {map = #wg_map_a} dense<0.5> : vector<32x32xf16>
      %a_init = xetile.init_tile %A[%m, %c0] : memref<64x64xf16> -> !xetile.tile<32x32xf16, #tile_attr_a>
      %b_init = xetile.init_tile %B[%c0, %n] : memref<64x64xf16> -> !xetile.tile<32x32xf16, #tile_attr_b>
      %out:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%a_tile = %a_init, %b_tile = %b_init, %acc = %c_init) -> (!xetile.tile<32x32xf16, #tile_attr_a>, !xetile.tile<32x32xf16, #tile_attr_b>, vector<32x32xf32>) {
        %a = xetile.load_tile %a_tile : !xetile.tile<32x32xf16, #tile_attr_a> -> vector<32x32xf16>
        %b = xetile.load_tile %b_tile : !xetile.tile<32x32xf16, #tile_attr_b> -> vector<32x32xf16>
        %a_scaled = arith.mulf %a, %half {map = #wg_map_a} : vector<32x32xf16>
        %a_next = xetile.update_tile_offset %a_tile, [%c0, %c32] : !xetile.tile<32x32xf16, #tile_attr_a>
        %b_next = xetile.update_tile_offset %b_tile, [%c32, %c0] : !xetile.tile<32x32xf16, #tile_attr_b>
        xetile.prefetch_tile %a_next : !xetile.tile<32x32xf16, #tile_attr_a>
        %d = xetile.tile_mma %a_scaled, %b, %acc {wg_map_a = #wg_map_a, wg_map_b = #wg_map_b, wg_map_c = #wg_map_c} : vector<32x32xf16>, vector<32x32xf16>, vector<32x32xf32> -> vector<32x32xf32>
        scf.yield %a_next, %b_next, %d : !xetile.tile<32x32xf16, #tile_attr_a>, !xetile.tile<32x32xf16, #tile_attr_b>, vector<32x32xf32>
      }
      %bias_tile = xetile.init_tile %bias[%c0, %n] : memref<1x64xf32> -> !xetile.tile<1x32xf32, #tile_attr_bias>
      %row = xetile.load_tile %bias_tile : !xetile.tile<1x32xf32, #tile_attr_bias> -> vector<1x32xf32>
      %rows = xetile.broadcast %row [0] {map = #wg_map_c} : vector<1x32xf32> -> vector<32x32xf32>
      %sum = arith.addf %out#2, %rows {map = #wg_map_c} : vector<32x32xf32>
      %e = math.tanh %sum {map = #wg_map_c} : vector<32x32xf32>
      %narrow = arith.truncf %e {map = #wg_map_c} : vector<32x32xf32> to vector<32x32xf16>
      %c_tile = xetile.init_tile %C[%m, %n] : memref<64x64xf16> -> !xetile.tile<32x32xf16, #tile_attr_c>
      xetile.store_tile %narrow, %c_tile : vector<32x32xf16>, !xetile.tile<32x32xf16, #tile_attr_c>
      gpu.return
    }
  }
  func.func @main() attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %lower = arith.constant -0.5 : f32
    %upper = arith.constant 0.5 : f32
    %half = arith.constant 0.5 : f32
    %false = arith.constant 0 : i1
    %A = memref.alloc() : memref<64x64xf16>
    %B = memref.alloc() : memref<64x64xf16>
    %bias = memref.alloc() : memref<1x64xf32>
    %ref = memref.alloc() : memref<64x64xf32>
    %A_any = memref.cast %A : memref<64x64xf16> to memref<*xf16>
    %B_any = memref.cast %B : memref<64x64xf16> to memref<*xf16>
    %bias_any = memref.cast %bias : memref<1x64xf32> to memref<*xf32>
    call @fillResource1DRandomF16(%A_any, %lower, %upper, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF16(%B_any, %lower, %upper, %false) : (memref<*xf16>, f32, f32, i1) -> ()
    call @fillResource1DRandomF32(%bias_any, %lower, %upper, %false) : (memref<*xf32>, f32, f32, i1) -> ()
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %b0 = memref.load %bias[%c0, %j] : memref<1x64xf32>
        %s = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %b0) -> f32 {
          %a = memref.load %A[%i, %k] : memref<64x64xf16>
          %b = memref.load %B[%k, %j] : memref<64x64xf16>
          %a32 = arith.extf %a : f16 to f32
          %b32 = arith.extf %b : f16 to f32
          %ah = arith.mulf %a32, %half : f32
          %p = arith.mulf %ah, %b32 : f32
          %n = arith.addf %acc, %p : f32
          scf.yield %n : f32
        }
        %t = math.tanh %s : f32
        memref.store %t, %ref[%i, %j] : memref<64x64xf32>
      }
    }
    %C = call @test(%A, %B, %bias) : (memref<64x64xf16>, memref<64x64xf16>, memref<1x64xf32>) -> memref<64x64xf16>
    %C_any = memref.cast %C : memref<64x64xf16> to memref<*xf16>
    %ref_any = memref.cast %ref : memref<64x64xf32> to memref<*xf32>
    call @printAllcloseF16(%C_any, %ref_any) : (memref<*xf16>, memref<*xf32>) -> ()
    return
  }
  func.func private @fillResource1DRandomF16(memref<*xf16>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1) attributes {llvm.emit_c_interface}
  func.func private @printAllcloseF16(memref<*xf16>, memref<*xf32>) attributes {llvm.emit_c_interface}
}
