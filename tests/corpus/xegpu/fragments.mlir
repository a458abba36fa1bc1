// The whole of a vector and the fragments that lanes have of it: the elements of a row in reverse order.
gpu.module @fragments {
  gpu.func @reversed(%in: memref<16x16xf32>, %out: memref<16x16xf32>) kernel {
    %from = xegpu.create_nd_tdesc %in[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<1x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    %to = xegpu.create_nd_tdesc %out[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<1x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    %own = xegpu.load_nd %from : !xegpu.tensor_desc<1x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>> -> vector<1x1xf32>
    %row = xegpu.collect %own {places = array<i32: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>} : vector<1x1xf32> -> vector<1x16xf32>
    %turned = xegpu.distribute %row {elements = array<i32: 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>} : vector<1x16xf32> -> vector<1x1xf32>
    xegpu.store_nd %turned, %to : vector<1x1xf32>, !xegpu.tensor_desc<1x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    gpu.return
  }
}
