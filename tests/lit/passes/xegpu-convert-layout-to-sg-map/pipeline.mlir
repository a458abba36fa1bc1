// RUN: xegpu-opt %s -p xegpu-convert-layout-to-sg-map -t mlir > %t.sg_map
// RUN: xegpu-opt %t.sg_map -p xe-pipeline{target=pvc} -t xe-asm > %t.expected
// RUN: xegpu-opt %s -p xe-pipeline{target=pvc} -t xe-asm | diff %t.expected -
// RUN: filecheck %s --input-file %t.expected

// A kernel with layouts is compiled like one with sg_maps.
// CHECK: dpas
#a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#b = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>
gpu.module @kernels {
  gpu.func @product(%p: memref<8x16xf16>, %q: memref<16x16xf16>, %r: memref<8x16xf32>) kernel {
    %ta = xegpu.create_nd_tdesc %p[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #a>
    %tb = xegpu.create_nd_tdesc %q[0, 0] : memref<16x16xf16> -> !xegpu.tensor_desc<16x16xf16, #b>
    %tc = xegpu.create_nd_tdesc %r[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, #a>
    %a = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #a> -> vector<8x16xf16>
    %b = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xf16, #b> -> vector<8x16x2xf16>
    %c = xegpu.dpas %a, %b {layout_a = #a, layout_b = #b, layout_cd = #a} : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
    xegpu.store_nd %c, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32, #a>
    gpu.return
  }
}
