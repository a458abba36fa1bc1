// Gathers and scatters of single elements and of chunks, seen by one work-item.
#points = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
#halves = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>
#scatter = #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>
gpu.module @kernels {
  gpu.func @move(%x: memref<1024xf32>, %h: memref<1024xf16>, %off: vector<16xindex>, %mask: vector<16xi1>) kernel {
    %one = xegpu.create_tdesc %x, %off : memref<1024xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
    %e = xegpu.load %one, %mask : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>, vector<16xi1> -> vector<1xf32>
    xegpu.store %e, %one, %mask : vector<1xf32>, !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>, vector<16xi1>
    %four = xegpu.create_tdesc %x, %off : memref<1024xf32>, vector<16xindex> -> !xegpu.tensor_desc<16x4xf32, #scatter, #points>
    %c = xegpu.load %four, %mask <{l1_hint = #xegpu.cache_hint<cached>, transpose}> : !xegpu.tensor_desc<16x4xf32, #scatter, #points>, vector<16xi1> -> vector<4x1xf32>
    %next = xegpu.update_offset %four, %off : !xegpu.tensor_desc<16x4xf32, #scatter, #points>, vector<16xindex>
    xegpu.store %c, %next, %mask <{transpose}> : vector<4x1xf32>, !xegpu.tensor_desc<16x4xf32, #scatter, #points>, vector<16xi1>
    %eight = xegpu.create_tdesc %h, %off : memref<1024xf16>, vector<16xindex> -> !xegpu.tensor_desc<16x8xf16, #xegpu.scatter_tdesc_attr<chunk_size = 8 : i64>, #halves>
    %hv = xegpu.load %eight, %mask <{transpose}> : !xegpu.tensor_desc<16x8xf16, #xegpu.scatter_tdesc_attr<chunk_size = 8 : i64>, #halves>, vector<16xi1> -> vector<4x2xf16>
    xegpu.store %hv, %eight, %mask <{transpose}> : vector<4x2xf16>, !xegpu.tensor_desc<16x8xf16, #xegpu.scatter_tdesc_attr<chunk_size = 8 : i64>, #halves>, vector<16xi1>
    gpu.return
  }
}
