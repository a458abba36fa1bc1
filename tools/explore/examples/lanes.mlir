// y = 2 x, work-item by work-item: the map says which lane has which element of a tile.
#map = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
gpu.module @kernels {
  gpu.func @lanes(%x: memref<32x16xf32>, %y: memref<32x16xf32>) kernel {
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c8 : index
    %tx = xegpu.create_nd_tdesc %x[%row, %c0] : memref<32x16xf32> -> !xegpu.tensor_desc<8x16xf32, #map>
    %value = xegpu.load_nd %tx : !xegpu.tensor_desc<8x16xf32, #map> -> vector<8x1xf32>
    %two = arith.addf %value, %value : vector<8x1xf32>
    %ty = xegpu.create_nd_tdesc %y[%row, %c0] : memref<32x16xf32> -> !xegpu.tensor_desc<8x16xf32, #map>
    xegpu.store_nd %two, %ty : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, #map>
    gpu.return
  }
}
