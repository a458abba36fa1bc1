// RUN: xegpu-opt %s -p xegpu-convert-sg-map-to-layout | filecheck %s

// Attributes of host code stay as they are.
gpu.module @m {
  // CHECK: gpu.func @k(%t: !xegpu.tensor_desc<8x16xf32, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>>)
  gpu.func @k(%t: !xegpu.tensor_desc<8x16xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>) kernel {
    gpu.return
  }
}
// CHECK: func.func private @host() attributes {map = #xegpu.sg_map<wi_layout = [1, 4294967295], wi_data = [1, 1]>}
func.func private @host() attributes {map = #xegpu.sg_map<wi_layout = [1, 4294967295], wi_data = [1, 1]>}
