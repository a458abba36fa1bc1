// RUN: xegpu-opt %s -p xegpu-convert-layout-to-sg-map | filecheck %s
// RUN: xegpu-opt %s -p xegpu-convert-layout-to-sg-map,xegpu-convert-sg-map-to-layout | filecheck %s --check-prefix BACK
// RUN: xegpu-opt %s -p xegpu-convert-layout-to-sg-map,xegpu-convert-sg-map-to-layout,xegpu-convert-layout-to-sg-map | filecheck %s

#a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>
#b = #xegpu.layout<lane_data = [2, 1], lane_layout = [1, 16], order = [1, 0]>
!row = !xegpu.tensor_desc<32xf32, #xegpu.layout<lane_layout = [16], lane_data = [1]>>

// CHECK-NOT: layout<
// CHECK-NOT: layout_

// Operands, results and matrices; arguments of kernels.
// CHECK-LABEL: gpu.func @product(%tb: !xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>
// CHECK: create_nd_tdesc {{.*}} -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<boundary_check = false>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
// CHECK: xegpu.dpas %a, %b {sg_map_a = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>, sg_map_b = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>, sg_map_c = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>} :
// The default order is left out on the way back.
// BACK-LABEL: gpu.func @product(%tb: !xegpu.tensor_desc<16x16xf16, #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>>
// BACK: xegpu.dpas %a, %b {layout_a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, layout_b = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>, layout_cd = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>} :
gpu.module @kernels {
  gpu.func @product(%tb: !xegpu.tensor_desc<16x16xf16, #b>, %m: memref<8x16xf16>) kernel {
    %ta = xegpu.create_nd_tdesc %m[0, 0] : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<boundary_check = false>, #a>
    %a = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<boundary_check = false>, #a> -> vector<8x16xf16>
    %b = xegpu.load_nd %tb <{packed}> : !xegpu.tensor_desc<16x16xf16, #b> -> vector<8x16x2xf16>
    %c = xegpu.dpas %a, %b {layout_a = #a, layout_b = #b, layout_cd = #a} : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
    gpu.return
  }

// Block arguments, also of loops; descriptors of one dimension.
// CHECK-LABEL: func.func @loop(%t: !xegpu.tensor_desc<32xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
// CHECK-SAME: -> !xegpu.tensor_desc<32xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>
// CHECK: scf.for {{.*}} -> (!xegpu.tensor_desc<32xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>)
// CHECK: cf.br ^{{.*}}(%{{.*}} : !xegpu.tensor_desc<32xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>)
// CHECK: ^{{.*}}(%{{.*}}: !xegpu.tensor_desc<32xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>>):
// BACK-LABEL: func.func @loop(%t: !xegpu.tensor_desc<32xf32, #xegpu.layout<lane_layout = [16], lane_data = [1]>>
  func.func @loop(%t: !row, %n: index) -> !row {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %last = scf.for %i = %zero to %n step %one iter_args(%d = %t) -> (!row) {
      %next = xegpu.update_nd_offset %d, [32] : !row
      scf.yield %next : !row
    }
    cf.br ^end(%last : !row)
  ^end(%d: !row):
    return %d : !row
  }

// Inside other attributes.
// CHECK-LABEL: func.func private @nested
// CHECK-SAME: list = [{map = #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>}]
// CHECK-SAME: type = (!xegpu.tensor_desc<16x16xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>>) -> ()
  func.func private @nested() attributes {list = [{map = #b}], type = (!xegpu.tensor_desc<16x16xf16, #b>) -> ()}
}
