// y[to[k]] = 2 * x[from[k]], where negative indices stand for "nowhere": what comes from nowhere is 1, what goes
// nowhere is dropped. Each work-item has one index, one address and one mask bit: vectors of one element.
#map = #xegpu.sg_map<wi_layout = [1, 8], wi_data = [1, 1]>
!elements = !xegpu.tensor_desc<8xf32, #xegpu.scatter_tdesc_attr<>, #map>
gpu.module @kernels {
  gpu.func @gather_scatter(%from: memref<8x64xi32>, %to: memref<8x64xi32>, %x: memref<700xf32>,
                           %y: memref<600xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
    %zero = arith.constant 0 : i32
    %two = arith.constant dense<2.0> : vector<1xf32>
    %half = arith.constant dense<0.5> : vector<1xf32>
    %i = gpu.block_id x
    %j = gpu.thread_id x
    %origin = memref.load %from[%i, %j] : memref<8x64xi32>
    %target = memref.load %to[%i, %j] : memref<8x64xi32>
    %comes = arith.cmpi sge, %origin, %zero : i32
    %goes = arith.cmpi sge, %target, %zero : i32
    %origin_index = arith.index_cast %origin : i32 to index
    %target_index = arith.index_cast %target : i32 to index
    %load_mask = vector.broadcast %comes : i1 to vector<1xi1>
    %store_mask = vector.broadcast %goes : i1 to vector<1xi1>
    %origins = vector.broadcast %origin_index : index to vector<1xindex>
    %targets = vector.broadcast %target_index : index to vector<1xindex>
    %tx = xegpu.create_tdesc %x, %origins : memref<700xf32>, vector<1xindex> -> !elements
    %loaded = xegpu.load %tx, %load_mask : !elements, vector<1xi1> -> vector<1xf32>
    %v = arith.select %load_mask, %loaded, %half : vector<1xi1>, vector<1xf32>
    %w = arith.mulf %v, %two : vector<1xf32>
    %ty = xegpu.create_tdesc %y, %targets : memref<600xf32>, vector<1xindex> -> !elements
    xegpu.store %w, %ty, %store_mask : vector<1xf32>, !elements, vector<1xi1>
    gpu.return
  }
}
