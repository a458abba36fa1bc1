// Every operation that MLIR calls elementwise works on parts, such as a conversion with a scale for each element.
// RUN: xegpu-opt %s -p xetile-wg-to-sg{target=pvc} | filecheck %s
#map = #xetile.wg_map<sg_layout = [2, 2], sg_data = [8, 16]>

gpu.module @kernels {
  // CHECK-LABEL: @scaled
  // CHECK: %[[A:.*]] = xetile.load_tile %{{.*}} : !xetile.tile<8x16xf16> -> vector<8x16xf16>
  // CHECK: %[[B:.*]] = xetile.load_tile %{{.*}} : !xetile.tile<8x16xf16> -> vector<8x16xf16>
  // CHECK: %[[W:.*]] = arith.scaling_extf %[[A]], %[[B]] : vector<8x16xf16>, vector<8x16xf16> to vector<8x16xf32>
  // CHECK: %[[S:.*]] = math.sqrt %[[W]] : vector<8x16xf32>
  // CHECK: %[[F:.*]] = vector.fma %[[S]], %[[W]], %[[W]] : vector<8x16xf32>
  // CHECK: xetile.store_tile %[[F]]
  gpu.func @scaled(%x: memref<16x32xf16>, %y: memref<16x32xf16>, %z: memref<16x32xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %tx = xetile.init_tile %x[0, 0] : memref<16x32xf16> -> !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #map>>
    %ty = xetile.init_tile %y[0, 0] : memref<16x32xf16> -> !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #map>>
    %tz = xetile.init_tile %z[0, 0] : memref<16x32xf32> -> !xetile.tile<16x32xf32, #xetile.tile_attr<wg_map = #map>>
    %a = xetile.load_tile %tx : !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #map>> -> vector<16x32xf16>
    %b = xetile.load_tile %ty : !xetile.tile<16x32xf16, #xetile.tile_attr<wg_map = #map>> -> vector<16x32xf16>
    %w = arith.scaling_extf %a, %b : vector<16x32xf16>, vector<16x32xf16> to vector<16x32xf32>
    %s = math.sqrt %w : vector<16x32xf32>
    %f = vector.fma %s, %w, %w : vector<16x32xf32>
    xetile.store_tile %f, %tz : vector<16x32xf32>, !xetile.tile<16x32xf32, #xetile.tile_attr<wg_map = #map>>
    gpu.return
  }
}
