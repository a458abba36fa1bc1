// y = max(x * scale + bias, 0) on bf16, with a scale for each column and a bias for each row.
// Four subgroups have 32x64 elements. XeGPU of LLVM 22.
#map = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 32]>
gpu.module @kernels [#xevm.target<chip = "pvc">] {
  gpu.func @elementwise(%x: memref<64x128xbf16>, %scale: memref<1x128xf32>, %bias: memref<64x1xf32>,
                        %y: memref<64x128xbf16>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 2, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<32x64xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%by]
    %j = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%bx]
    %row = memref.collapse_shape %scale [[0, 1]] : memref<1x128xf32> into memref<128xf32>
    %column = memref.collapse_shape %bias [[0, 1]] : memref<64x1xf32> into memref<64xf32>
    %tx = xegpu.create_nd_tdesc %x : memref<64x128xbf16> -> !xegpu.tensor_desc<32x64xbf16>
    %ty = xegpu.create_nd_tdesc %y : memref<64x128xbf16> -> !xegpu.tensor_desc<32x64xbf16>
    %v = xegpu.load_nd %tx[%i, %j] <{layout = #map}> : !xegpu.tensor_desc<32x64xbf16> -> vector<32x64xbf16>
    %ts = xegpu.create_nd_tdesc %row : memref<128xf32> -> !xegpu.tensor_desc<64xf32>
    %s = xegpu.load_nd %ts[%j] <{layout = #xegpu.slice<#map, dims = [0]>}> : !xegpu.tensor_desc<64xf32> -> vector<64xf32>
    %tb = xegpu.create_nd_tdesc %column : memref<64xf32> -> !xegpu.tensor_desc<32xf32>
    %b = xegpu.load_nd %tb[%i] <{layout = #xegpu.slice<#map, dims = [1]>}> : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %wide = arith.extf %v : vector<32x64xbf16> to vector<32x64xf32>
    %scales = vector.broadcast %s : vector<64xf32> to vector<32x64xf32>
    %biases_column = vector.shape_cast %b : vector<32xf32> to vector<32x1xf32>
    %biases = vector.broadcast %biases_column : vector<32x1xf32> to vector<32x64xf32>
    %product = arith.mulf %wide, %scales : vector<32x64xf32>
    %sum = arith.addf %product, %biases : vector<32x64xf32>
    %cut = arith.maximumf %sum, %zero : vector<32x64xf32>
    %narrow = arith.truncf %cut : vector<32x64xf32> to vector<32x64xbf16>
    xegpu.store_nd %narrow, %ty[%i, %j] <{layout = #map}> : vector<32x64xbf16>, !xegpu.tensor_desc<32x64xbf16>
    gpu.return
  }
}
