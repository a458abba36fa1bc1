// RUN: xegpu-opt %s -p xegpu-convert-layout-to-sg-map | filecheck %s
// RUN: xegpu-opt %s -p 'xegpu-verify-target{target=pvc}' | filecheck %s --check-prefix=HOST
// RUN: xegpu-opt %s -p 'xe-pipeline{target=pvc}' | filecheck %s --check-prefix=COMPILED
// COMPILED: xe.kernel @k

// Layouts of host code, where `xegpu-propagate-layout` of LLVM leaves them, stay as they are.
module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK: gpu.func @k
    gpu.func @k(%p: memref<16x16xf32>) kernel {
      // CHECK: #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>
      %t = xegpu.create_nd_tdesc %p[0, 0] : memref<16x16xf32> -> !xegpu.tensor_desc<8x16xf32, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>>
      gpu.return
    }
  }
  // HOST: func.func @main
  func.func @main() {
    // CHECK: arith.constant {layout_result_0 = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 8]>} 0 : index
    // HOST: arith.constant {layout_result_0 = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 8]>} 0 : index
    %a = arith.constant {layout_result_0 = #xegpu.layout<sg_layout = [2, 2], sg_data = [8, 8]>} 0 : index
    // CHECK: arith.constant {layout_result_0 = #xegpu.layout<lane_layout = [1, 8], lane_data = [1, 1]>} dense
    // HOST: arith.constant {layout_result_0 = #xegpu.layout<lane_layout = [1, 8], lane_data = [1, 1]>} dense
    %b = arith.constant {layout_result_0 = #xegpu.layout<lane_layout = [1, 8], lane_data = [1, 1]>} dense<2.0> : vector<8x16xf32>
    return
  }
}
