// y = 2 x by a work-group: the layout says which subgroup has which part, and in it which lane has which element.
#map = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32], inst_data = [8, 16], lane_layout = [1, 16], lane_data = [1, 1]>
gpu.module @kernels {
  gpu.func @twice(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel {
    %tx = xegpu.create_nd_tdesc %x : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #map>
    %value = xegpu.load_nd %tx[0, 0] : !xegpu.tensor_desc<64x64xf32, #map> -> vector<64x64xf32>
    %two = arith.addf %value, %value {layout_result_0 = #map} : vector<64x64xf32>
    %ty = xegpu.create_nd_tdesc %y : memref<64x64xf32> -> !xegpu.tensor_desc<64x64xf32, #map>
    xegpu.store_nd %two, %ty[0, 0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32, #map>
    gpu.return
  }
}
