// Scattered access of a whole subgroup; the last lanes are masked off. RFC spellings of the operations occur as well.
!points = !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
!chunks = !xegpu.tensor_desc<16x8xf32, #xegpu.scatter_tdesc_attr<chunk_size = 8 : i64>>
gpu.module @kernels {
  gpu.func @permute(%x: memref<1024xf32>, %y: memref<1024xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %mask = arith.constant dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false]> : vector<16xi1>
    %all = vector.constant_mask [16] : vector<16xi1>
    %even = arith.constant dense<[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]> : vector<16xindex>
    %lanes = vector.step : vector<16xindex>
    %eight = arith.constant dense<8> : vector<16xindex>
    %rows = arith.muli %lanes, %eight : vector<16xindex>
    %far = arith.constant dense<128> : vector<16xindex>
    %from = xegpu.create_tdesc %x, %even : memref<1024xf32>, vector<16xindex> -> !points
    %to = xegpu.create_tdesc %y, %lanes : memref<1024xf32>, vector<16xindex> -> !points
    xegpu.prefetch %from <{l1_hint = #xegpu.cache_hint<cached>}> : !points
    %v = xegpu.load %from, %mask <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>}> : !points, vector<16xi1> -> vector<16xf32>
    xegpu.store %v, %to, %mask <{l1_hint = #xegpu.cache_hint<write_through>}> : vector<16xf32>, !points, vector<16xi1>
    %w = xegpu.load_gather %from, %all : !points, vector<16xi1> -> vector<16xf32>
    xegpu.store_scatter %w, %to, %all : vector<16xf32>, !points, vector<16xi1>
    %c_from = xegpu.create_tdesc %x, %rows : memref<1024xf32>, vector<16xindex> -> !chunks
    %c_next = xegpu.update_offset %c_from, %far : !chunks, vector<16xindex>
    %c = xegpu.load %c_next, %all <{transpose}> : !chunks, vector<16xi1> -> vector<8x16xf32>
    %c_to = xegpu.create_tdesc %y, %rows : memref<1024xf32>, vector<16xindex> -> !chunks
    xegpu.store %c, %c_to, %all <{transpose}> : vector<8x16xf32>, !chunks, vector<16xi1>
    gpu.return
  }
}
