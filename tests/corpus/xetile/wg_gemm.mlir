// A 1024 x 1024 product: a work group of 8 x 4 subgroups makes 256 x 256 elements, in steps of 32 along K.
#a = #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 32]>>
#b = #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 64]>>
#c = #xetile.tile_attr<wg_map = <sg_layout = [8, 4], sg_data = [32, 64]>>
#wg_a = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 32]>
#wg_b = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 64]>
#wg_c = #xetile.wg_map<sg_layout = [8, 4], sg_data = [32, 64]>
module @gemm attributes {gpu.container_module} {
  func.func @product(%a: memref<1024x1024xf16>, %b: memref<1024x1024xf16>, %c: memref<1024x1024xf32>) -> memref<1024x1024xf32> attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %a_gpu = gpu.alloc host_shared () : memref<1024x1024xf16>
    memref.copy %a, %a_gpu : memref<1024x1024xf16> to memref<1024x1024xf16>
    %b_gpu = gpu.alloc host_shared () : memref<1024x1024xf16>
    memref.copy %b, %b_gpu : memref<1024x1024xf16> to memref<1024x1024xf16>
    %c_gpu = gpu.alloc host_shared () : memref<1024x1024xf32>
    memref.copy %c, %c_gpu : memref<1024x1024xf32> to memref<1024x1024xf32>
    gpu.launch_func @kernels::@gemm blocks in (%c4, %c4, %c1) threads in (%c8, %c4, %c1) args(%a_gpu : memref<1024x1024xf16>, %b_gpu : memref<1024x1024xf16>, %c_gpu : memref<1024x1024xf32>)
    gpu.dealloc %a_gpu : memref<1024x1024xf16>
    gpu.dealloc %b_gpu : memref<1024x1024xf16>
    return %c_gpu : memref<1024x1024xf32>
  }
  gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Float16Buffer, Int64, Int16, Int8, Kernel, Linkage, Vector16, GenericPointer, Groups, Float16, Float64], [SPV_KHR_no_integer_wrap_decoration]>, api=OpenCL, #spirv.resource_limits<>>} {
    gpu.func @gemm(%a: memref<1024x1024xf16>, %b: memref<1024x1024xf16>, %c: memref<1024x1024xf32>) kernel attributes {VectorComputeFunctionINTEL, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c256 = arith.constant 256 : index
      %c1024 = arith.constant 1024 : index
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c256 : index
      %n = arith.muli %by, %c256 : index
      %c_tile = xetile.init_tile %c[%m, %n] : memref<1024x1024xf32> -> !xetile.tile<256x256xf32, #c>
      %c_start = xetile.load_tile %c_tile : !xetile.tile<256x256xf32, #c> -> vector<256x256xf32>
      %a_first = xetile.init_tile %a[%m, %c0] : memref<1024x1024xf16> -> !xetile.tile<256x32xf16, #a>
      %b_first = xetile.init_tile %b[%c0, %n] : memref<1024x1024xf16> -> !xetile.tile<32x256xf16, #b>
      %result:3 = scf.for %k = %c0 to %c1024 step %c32 iter_args(%a_tile = %a_first, %b_tile = %b_first, %sum = %c_start) -> (!xetile.tile<256x32xf16, #a>, !xetile.tile<32x256xf16, #b>, vector<256x256xf32>) {
        %a_value = xetile.load_tile %a_tile : !xetile.tile<256x32xf16, #a> -> vector<256x32xf16>
        %b_value = xetile.load_tile %b_tile : !xetile.tile<32x256xf16, #b> -> vector<32x256xf16>
        xegpu.compile_hint
        %next = xetile.tile_mma %a_value, %b_value, %sum {wg_map_a = #wg_a, wg_map_b = #wg_b, wg_map_c = #wg_c} : vector<256x32xf16>, vector<32x256xf16>, vector<256x256xf32> -> vector<256x256xf32>
        %a_next = xetile.update_tile_offset %a_tile, [%c0, %c32] : !xetile.tile<256x32xf16, #a>
        %b_next = xetile.update_tile_offset %b_tile, [%c32, %c0] : !xetile.tile<32x256xf16, #b>
        scf.yield %a_next, %b_next, %next : !xetile.tile<256x32xf16, #a>, !xetile.tile<32x256xf16, #b>, vector<256x256xf32>
      }
      xetile.store_tile %result#2, %c_tile : vector<256x256xf32>, !xetile.tile<256x256xf32, #c>
      gpu.return
    }
  }
}
