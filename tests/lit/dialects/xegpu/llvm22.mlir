// RUN: XEGPU_ROUNDTRIP
// RUN: XEGPU_GENERIC_ROUNDTRIP

// The operations, types and attributes of LLVM 22.

// CHECK-LABEL: func.func @create_nd_tdesc
func.func @create_nd_tdesc(%m: memref<64x64xf16>, %n: memref<2x64x64xf16>, %d: memref<?x?xf16>, %p: ui64, %h: index, %w: index) {
  // CHECK-NEXT: xegpu.create_nd_tdesc %m : memref<64x64xf16>
  %0 = xegpu.create_nd_tdesc %m : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %p, shape : [64, %w], strides : [%w, 1] {note} : ui64
  %1 = xegpu.create_nd_tdesc %p, shape : [64, %w], strides : [%w, 1] {note} : ui64 -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %p[%h, 8], shape : [%h, %w], strides : [%w, 1] : ui64
  %2 = xegpu.create_nd_tdesc %p[%h, 8], shape : [%h, %w], strides : [%w, 1] : ui64 -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %n : memref<2x64x64xf16> -> !xegpu.tensor_desc<2x8x16xf16>
  %3 = xegpu.create_nd_tdesc %n : memref<2x64x64xf16> -> !xegpu.tensor_desc<2x8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %d : memref<?x?xf16>
  %4 = xegpu.create_nd_tdesc %d : memref<?x?xf16> -> !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.create_nd_tdesc %m : memref<64x64xf16>
  %5 = "xegpu.create_nd_tdesc"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (memref<64x64xf16>) -> !xegpu.tensor_desc<8x16xf16>
  return
}

// CHECK-LABEL: func.func @blocks
func.func @blocks(%t: !xegpu.tensor_desc<8x16xf16>, %a: !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>, %i: index) {
  // CHECK-NEXT: xegpu.load_nd %t[%i, 32] <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  %0 = xegpu.load_nd %t[%i, 32] <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  // CHECK-NEXT: xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  %1 = xegpu.load_nd %t : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
  // CHECK-NEXT: xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
  %2 = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
  // CHECK-NEXT: xegpu.load_nd %a[0, 0] : {{.*}} -> vector<16x16xf16>
  %3 = xegpu.load_nd %a[0, 0] : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2 : i64>> -> vector<16x16xf16>
  // CHECK-NEXT: xegpu.store_nd %{{.*}}, %t[0, %i] <{layout = #xegpu.layout<sg_layout = [1, 1], sg_data = [8, 16]>}>
  xegpu.store_nd %0, %t[0, %i] <{layout = #xegpu.layout<sg_layout = [1, 1], sg_data = [8, 16]>}> : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.store_nd %{{.*}}, %t[0, 0] : vector<8xf16>
  xegpu.store_nd %2, %t[0, 0] : vector<8xf16>, !xegpu.tensor_desc<8x16xf16>
  // CHECK-NEXT: xegpu.prefetch_nd %t[%i, %i] {note} : !xegpu.tensor_desc<8x16xf16>
  xegpu.prefetch_nd %t[%i, %i] {note} : !xegpu.tensor_desc<8x16xf16>
  return
}

// CHECK-LABEL: func.func @gathers
func.func @gathers(%l: memref<4096xf32>, %q: i64, %p: ui64, %o: vector<16xindex>, %o2: vector<4x16xindex>, %k: vector<16xi1>, %k2: vector<4x16xi1>, %i: index, %b: i1, %td: !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>) {
  // CHECK-NEXT: xegpu.load %l[%o], %k <{layout = #xegpu.layout<lane_layout = [16], lane_data = [1]>}> : memref<4096xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
  %0 = xegpu.load %l[%o], %k <{layout = #xegpu.layout<lane_layout = [16], lane_data = [1]>}> : memref<4096xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
  // CHECK-NEXT: xegpu.load %q[%o], %k <{chunk_size = 4 : i64}> : i64, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
  %1 = xegpu.load %q[%o], %k <{chunk_size = 4 : i64}> : i64, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
  // CHECK-NEXT: xegpu.load %l[%o2], %k2 : memref<4096xf32>, vector<4x16xindex>, vector<4x16xi1> -> vector<4x16xf32>
  %2 = xegpu.load %l[%o2], %k2 : memref<4096xf32>, vector<4x16xindex>, vector<4x16xi1> -> vector<4x16xf32>
  // CHECK-NEXT: xegpu.load %l[%i], %b : memref<4096xf32>, index, i1 -> f32
  %3 = xegpu.load %l[%i], %b : memref<4096xf32>, index, i1 -> f32
  // CHECK-NEXT: xegpu.load %q[%i], %b <{chunk_size = 2 : i64}> : i64, index, i1 -> vector<2xf32>
  %4 = xegpu.load %q[%i], %b <{chunk_size = 2 : i64}> : i64, index, i1 -> vector<2xf32>
  // CHECK-NEXT: xegpu.load %td, %k : {{.*}} -> vector<16x4xf32>
  %5 = xegpu.load %td, %k : !xegpu.tensor_desc<16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4 : i64>>, vector<16xi1> -> vector<16x4xf32>
  // CHECK-NEXT: xegpu.store %{{.*}}, %q[%o], %k <{chunk_size = 4 : i64}> : vector<16x4xf32>, i64, vector<16xindex>, vector<16xi1>
  xegpu.store %1, %q[%o], %k <{chunk_size = 4 : i64}> : vector<16x4xf32>, i64, vector<16xindex>, vector<16xi1>
  // CHECK-NEXT: xegpu.store %{{.*}}, %l[%i], %b : f32, memref<4096xf32>, index, i1
  xegpu.store %3, %l[%i], %b : f32, memref<4096xf32>, index, i1
  // CHECK-NEXT: xegpu.prefetch %p[%o] <{offset_align_byte = 4 : i64}> : ui64, vector<16xindex>
  xegpu.prefetch %p[%o] <{offset_align_byte = 4 : i64}> : ui64, vector<16xindex>
  // CHECK-NEXT: xegpu.prefetch %l[%o2] : memref<4096xf32>, vector<4x16xindex>
  xegpu.prefetch %l[%o2] : memref<4096xf32>, vector<4x16xindex>
  return
}

// Later versions leave the size of chunks to the type of the value.
// CHECK-LABEL: func.func @chunks_by_type
func.func @chunks_by_type(%q: i64, %o: vector<16xindex>, %k: vector<16xi1>) {
  // CHECK-NEXT: xegpu.load %q[%o], %k : i64, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
  %0 = xegpu.load %q[%o], %k : i64, vector<16xindex>, vector<16xi1> -> vector<16x4xf32>
  return
}

// CHECK-LABEL: func.func @matrices
func.func @matrices(%s: memref<8192xi8, 3>, %i: index) {
  // CHECK-NEXT: xegpu.create_mem_desc %s : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<block = [16, 16], stride = [1, 64]>>
  %0 = xegpu.create_mem_desc %s : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16, #xegpu.mem_layout<stride = [1, 64], block = [16, 16]>>
  // CHECK-NEXT: xegpu.create_mem_desc %s : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16>
  %1 = xegpu.create_mem_desc %s : memref<8192xi8, 3> -> !xegpu.mem_desc<64x64xf16>
  // CHECK-NEXT: xegpu.load_matrix %{{.*}}[%i, 16] : !xegpu.mem_desc<64x64xf16>, index -> vector<8x16xf16>
  %2 = xegpu.load_matrix %1[%i, 16] : !xegpu.mem_desc<64x64xf16>, index -> vector<8x16xf16>
  // CHECK-NEXT: xegpu.load_matrix %{{.*}}[%i, %i] <{subgroup_block_io}> {note} : !xegpu.mem_desc<64x64xf16>, index, index -> vector<4xf16>
  %3 = xegpu.load_matrix %1[%i, %i] <{subgroup_block_io}> {note} : !xegpu.mem_desc<64x64xf16>, index, index -> vector<4xf16>
  // CHECK-NEXT: xegpu.store_matrix %{{.*}}, %{{.*}}[0, 8] <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> : vector<8x16xf16>, !xegpu.mem_desc<64x64xf16>
  xegpu.store_matrix %2, %1[0, 8] <{layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> : vector<8x16xf16>, !xegpu.mem_desc<64x64xf16>
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%a: vector<32x32xf16>, %b: vector<32x32xf16>, %fa: vector<8xf16>, %fb: vector<16xf16>, %ba: vector<2x8x16xf16>, %bb: vector<2x16x16xf16>) {
  // CHECK-NEXT: xegpu.dpas %a, %b {layout_cd = #xegpu.layout<inst_data = [8, 16]>} : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
  %0 = xegpu.dpas %a, %b {layout_cd = #xegpu.layout<inst_data = [8, 16]>} : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
  // CHECK-NEXT: xegpu.dpas %a, %b {layout_a = #xegpu.layout<inst_data = [8, 16]>} : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
  %1 = xegpu.dpas %a, %b <{layout_a = #xegpu.layout<inst_data = [8, 16]>}> : vector<32x32xf16>, vector<32x32xf16> -> vector<32x32xf32>
  // CHECK-NEXT: xegpu.dpas %fa, %fb : vector<8xf16>, vector<16xf16> -> vector<8xf32>
  %2 = xegpu.dpas %fa, %fb : vector<8xf16>, vector<16xf16> -> vector<8xf32>
  // CHECK-NEXT: xegpu.dpas %ba, %bb : vector<2x8x16xf16>, vector<2x16x16xf16> -> vector<2x8x16xf32>
  %3 = xegpu.dpas %ba, %bb : vector<2x8x16xf16>, vector<2x16x16xf16> -> vector<2x8x16xf32>
  return
}

// CHECK-LABEL: func.func @layouts
func.func @layouts(%v: vector<64x64xf16>, %r: vector<64xf32>, %td: !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, %k: vector<16xi1>, %u: vector<16xf32>) {
  // CHECK-NEXT: xegpu.convert_layout %v <{input_layout = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32]>, target_layout = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16]>}> : vector<64x64xf16>
  %0 = xegpu.convert_layout %v <{input_layout = #xegpu.layout<sg_layout = [4, 2], sg_data = [16, 32]>, target_layout = #xegpu.layout<sg_layout = [2, 4], sg_data = [32, 16]>}> : vector<64x64xf16>
  // CHECK-NEXT: arith.addf %r, %r {layout_result_0 = #xegpu.slice<#xegpu.slice<#xegpu.layout<sg_layout = [2, 4, 8], sg_data = [16, 16, 8]>, dims = [2]>, dims = [1]>}
  %1 = arith.addf %r, %r {layout_result_0 = #xegpu.slice<#xegpu.slice<#xegpu.layout<sg_layout = [2, 4, 8], sg_data = [16, 16, 8]>, dims = [2]>, dims = [1]>} : vector<64xf32>
  // CHECK-NEXT: xegpu.atomic_rmw addf %td, %k, %u {layout = #xegpu.layout<lane_layout = [16], lane_data = [1]>}
  %2 = xegpu.atomic_rmw addf %td, %k, %u {layout = #xegpu.layout<lane_layout = [16], lane_data = [1]>} : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
  return
}

// CHECK: func.func private @attributes() attributes {a = #xegpu.range<[0 : i64, 4 : i64]>, b = #xegpu.mem_layout<other = 3 : i64, stride = [1 : i32, 2]>, c = #xegpu.layout<sg_layout = [2, 2, 4], sg_data = [8, 8, 16], inst_data = [1, 8, 16], lane_layout = [1, 1, 16], lane_data = [1, 1, 1], order = [0, 2, 1]>}
func.func private @attributes() attributes {a = #xegpu.range<[0, 4]>, b = #xegpu.mem_layout<stride = [1 : i32, 2], other = 3>, c = #xegpu.layout<order = [0, 2, 1], sg_layout = [2, 2, 4], sg_data = [8, 8, 16], inst_data = [1, 8, 16], lane_layout = [1, 1, 16], lane_data = [1, 1, 1]>}

// CHECK: func.func private @types(!xegpu.tensor_desc<2x8x16xf16>, !xegpu.tensor_desc<256x128xf16, #xegpu.layout<sg_layout = [8, 4], sg_data = [32, 32], order = [0, 1]>>, !xegpu.mem_desc<4x8x3xf16>)
func.func private @types(!xegpu.tensor_desc<2x8x16xf16>, !xegpu.tensor_desc<256x128xf16, #xegpu.layout<sg_layout = [8, 4], sg_data = [32, 32], order = [0, 1]>>, !xegpu.mem_desc<4x8x3xf16>)
