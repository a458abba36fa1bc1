// A tile that is read by rows and written by columns: its elements change work-items in between.
#rows = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
#columns = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
gpu.module @kernels {
  gpu.func @turned(%from: memref<16x16xf32>, %to: memref<16x16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %source = xegpu.create_nd_tdesc %from[%c0, %c0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #rows>
    %v = xegpu.load_nd %source {sg_map_result_0 = #rows} : !xegpu.tensor_desc<16x16xf32, #rows> -> vector<16x16xf32>
    %w = xegpu.convert_layout %v <{input_layout = #rows, target_layout = #columns}> : vector<16x16xf32>
    %x = arith.addf %w, %w {sg_map_result_0 = #columns} : vector<16x16xf32>
    %y = xegpu.convert_layout %x <{input_layout = #columns, target_layout = #rows}> : vector<16x16xf32>
    %target = xegpu.create_nd_tdesc %to[%c0, %c0] : memref<16x16xf32> -> !xegpu.tensor_desc<16x16xf32, #rows>
    xegpu.store_nd %y, %target : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32, #rows>
    gpu.return
  }
}
