// B lies as N x K: its tile is loaded as it lies and transposed, and the consumer's map stands on the transpose.
#map_a = #xetile.wg_map<sg_layout = [4, 4], sg_data = [64, 32]>
#map_b = #xetile.wg_map<sg_layout = [4, 4], sg_data = [32, 64]>
#map_bt = #xetile.wg_map<sg_layout = [4, 4], sg_data = [64, 32]>
#map_c = #xetile.wg_map<sg_layout = [4, 4], sg_data = [64, 64]>
gpu.module @kernels {
  gpu.func @gemm_nt(%a: memref<512x256xbf16>, %b: memref<512x256xbf16>, %bias: memref<1x512xf32>, %c: memref<512x512xbf16>) kernel attributes {VectorComputeFunctionINTEL, gpu.known_block_size = array<i32: 4, 4, 1>, spirv.entry_point_abi = #spirv.entry_point_abi<>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant {map = #map_c} dense<0.000000e+00> : vector<256x256xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c256 : index
    %n = arith.muli %by, %c256 : index
    %a_first = xetile.init_tile %a[%m, %c0] : memref<512x256xbf16> -> !xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_a>>
    %b_first = xetile.init_tile %b[%n, %c0] : memref<512x256xbf16> -> !xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_bt>>
    %loop:3 = scf.for %k = %c0 to %c256 step %c32 iter_args(%a_tile = %a_first, %b_tile = %b_first, %sum = %zero) -> (!xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_a>>, !xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_bt>>, vector<256x256xf32>) {
      %a_value = xetile.load_tile %a_tile {padding = 0.000000e+00 : f32} : !xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_a>> -> vector<256x32xbf16>
      %b_value = xetile.load_tile %b_tile {padding = 0.000000e+00 : f32} : !xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_bt>> -> vector<256x32xbf16>
      %b_turned = vector.transpose %b_value, [1, 0] {map = #map_b} : vector<256x32xbf16> to vector<32x256xbf16>
      %next = xetile.tile_mma %a_value, %b_turned, %sum {wg_map_a = #map_a, wg_map_b = #map_b, wg_map_c = #map_c} : vector<256x32xbf16>, vector<32x256xbf16>, vector<256x256xf32> -> vector<256x256xf32>
      %a_next = xetile.update_tile_offset %a_tile, [%c0, %c32] : !xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_a>>
      %b_next = xetile.update_tile_offset %b_tile, [%c0, %c32] : !xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_bt>>
      scf.yield %a_next, %b_next, %next : !xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_a>>, !xetile.tile<256x32xbf16, #xetile.tile_attr<wg_map = #map_bt>>, vector<256x256xf32>
    }
    %bias_tile = xetile.init_tile %bias[%c0, %n] : memref<1x512xf32> -> !xetile.tile<1x256xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 4], sg_data = [1, 64]>>>
    %bias_row = xetile.load_tile %bias_tile : !xetile.tile<1x256xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 4], sg_data = [1, 64]>>> -> vector<1x256xf32>
    %bias_all = vector.broadcast %bias_row {map = #map_c} : vector<1x256xf32> to vector<256x256xf32>
    %biased = arith.addf %loop#2, %bias_all {map = #map_c} : vector<256x256xf32>
    %narrow = arith.truncf %biased {map = #map_c} : vector<256x256xf32> to vector<256x256xbf16>
    %c_tile = xetile.init_tile %c[%m, %n] : memref<512x512xbf16> -> !xetile.tile<256x256xbf16, #xetile.tile_attr<wg_map = #map_c>>
    xetile.store_tile %narrow, %c_tile : vector<256x256xbf16>, !xetile.tile<256x256xbf16, #xetile.tile_attr<wg_map = #map_c>>
    gpu.return
  }
}
