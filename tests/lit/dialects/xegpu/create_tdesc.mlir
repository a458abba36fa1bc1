// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

#rows = #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>
#lanes = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>

// CHECK-LABEL: func.func @create
func.func @create(%m: memref<1024xf32>, %s: memref<1024xf16, 3>, %p: ui64, %off: vector<16xindex>, %one: vector<1xindex>) {
  // CHECK: xegpu.create_tdesc %m, %off : memref<1024xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  %0 = xegpu.create_tdesc %m, %off : memref<1024xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
  // Constant offsets, and an attribute of the user's.
  // CHECK: %[[CONST:.*]] = arith.constant dense<[0, 8, 16, 24]> : vector<4xindex>
  // CHECK: xegpu.create_tdesc %p, %[[CONST]] {note} : ui64, vector<4xindex> -> !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2 : i64>>
  %c = arith.constant dense<[0, 8, 16, 24]> : vector<4xindex>
  %1 = xegpu.create_tdesc %p, %c {note} : ui64, vector<4xindex> -> !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
  // CHECK: -> !xegpu.tensor_desc<16x2xf16, #xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 2 : i64>>
  %2 = xegpu.create_tdesc %s, %off : memref<1024xf16, 3>, vector<16xindex> -> !xegpu.tensor_desc<16x2xf16, #xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 2>>
  // 512 bytes are the most.
  // CHECK: -> !xegpu.tensor_desc<16x8xf32, #xegpu.scatter_tdesc_attr<chunk_size = 8 : i64>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>>
  %3 = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> !xegpu.tensor_desc<16x8xf32, #xegpu.scatter_tdesc_attr<chunk_size = 8>, #rows>
  // A lane gives its own offset.
  // CHECK: xegpu.create_tdesc %p, %one : ui64, vector<1xindex>
  %4 = xegpu.create_tdesc %p, %one : ui64, vector<1xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>, #lanes>
  return
}
