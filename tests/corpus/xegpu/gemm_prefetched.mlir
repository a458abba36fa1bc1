// Two blocks per load, descriptors carried round the loop, prefetches ahead of them, slices for each product.
gpu.module @kernels attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.4, [Addresses, Bfloat16ConversionINTEL, Kernel], [SPV_INTEL_bfloat16_conversion]>, api=OpenCL, #spirv.resource_limits<>>} {
  gpu.func @gemm(%a: memref<256x256xbf16>, %b: memref<256x256xbf16>, %c: memref<256x256xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %bx, %c16 : index
    %j = arith.muli %by, %c32 : index
    %zero = arith.constant dense<0.000000e+00> : vector<8x16xf32>
    %a0 = xegpu.create_nd_tdesc %a[%i, %c0] : memref<256x256xbf16> -> !xegpu.tensor_desc<16x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
    %b0 = xegpu.create_nd_tdesc %b[0, %j] : memref<256x256xbf16> -> !xegpu.tensor_desc<32x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64, boundary_check = false>>
    %ahead0 = xegpu.create_nd_tdesc %b[32, %j] : memref<256x256xbf16> -> !xegpu.tensor_desc<32x32xbf16>
    %r:5 = scf.for %k = %c0 to %c256 step %c32 iter_args(%at = %a0, %bt = %b0, %pt = %ahead0, %s0 = %zero, %s1 = %zero) -> (!xegpu.tensor_desc<16x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>, !xegpu.tensor_desc<32x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64, boundary_check = false>>, !xegpu.tensor_desc<32x32xbf16>, vector<8x16xf32>, vector<8x16xf32>) {
      xegpu.prefetch_nd %pt <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<32x32xbf16>
      %av = xegpu.load_nd %at <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<16x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>> -> vector<2x16x16xbf16>
      %bv = xegpu.load_nd %bt <{packed, l1_hint = #xegpu.cache_hint<streaming>}> : !xegpu.tensor_desc<32x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64, boundary_check = false>> -> vector<2x16x16x2xbf16>
      %a_left = vector.extract %av[0] : vector<16x16xbf16> from vector<2x16x16xbf16>
      %a_right = vector.extract %av[1] : vector<16x16xbf16> from vector<2x16x16xbf16>
      %a_00 = vector.extract_strided_slice %a_left {offsets = [0, 0], sizes = [8, 16], strides = [1, 1]} : vector<16x16xbf16> to vector<8x16xbf16>
      %a_10 = vector.extract_strided_slice %a_left {offsets = [8, 0], sizes = [8, 16], strides = [1, 1]} : vector<16x16xbf16> to vector<8x16xbf16>
      %a_01 = vector.extract_strided_slice %a_right {offsets = [0, 0], sizes = [8, 16], strides = [1, 1]} : vector<16x16xbf16> to vector<8x16xbf16>
      %b_left = vector.extract %bv[0] : vector<16x16x2xbf16> from vector<2x16x16x2xbf16>
      %b_0 = vector.extract_strided_slice %b_left {offsets = [0], sizes = [8], strides = [1]} : vector<16x16x2xbf16> to vector<8x16x2xbf16>
      %b_1 = vector.extract_strided_slice %b_left {offsets = [8], sizes = [8], strides = [1]} : vector<16x16x2xbf16> to vector<8x16x2xbf16>
      %p0 = xegpu.dpas %a_00, %b_0, %s0 : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      %p1 = xegpu.dpas %a_01, %b_1, %p0 : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      %p2 = xegpu.dpas %a_10, %b_0, %s1 : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      xegpu.compile_hint
      %at1 = xegpu.update_nd_offset %at, [0, 32] : !xegpu.tensor_desc<16x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
      %bt1 = xegpu.update_nd_offset %bt, [%c32, %c0] : !xegpu.tensor_desc<32x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64, boundary_check = false>>
      %pt1 = xegpu.update_nd_offset %pt, [%c32, 0] : !xegpu.tensor_desc<32x32xbf16>
      scf.yield %at1, %bt1, %pt1, %p1, %p2 : !xegpu.tensor_desc<16x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>, !xegpu.tensor_desc<32x16xbf16, #xegpu.block_tdesc_attr<array_length = 2 : i64, boundary_check = false>>, !xegpu.tensor_desc<32x32xbf16>, vector<8x16xf32>, vector<8x16xf32>
    }
    %c_top = xegpu.create_nd_tdesc %c[%i, %j] : memref<256x256xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %r#3, %c_top <{l1_hint = #xegpu.cache_hint<write_back>, l2_hint = #xegpu.cache_hint<uncached>}> : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    %c_bottom = xegpu.update_nd_offset %c_top, [8, 0] : !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %r#4, %c_bottom : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
