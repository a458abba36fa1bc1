// lane_shuffle pack
func.func @f(%v: vector<4xbf16>) -> vector<4xbf16> {
  %0 = xegpu.lane_shuffle %v pack : vector<4xbf16>
  return %0 : vector<4xbf16>
}
// -----
// lane_shuffle unpack f8
func.func @f(%v: vector<4xf8E5M2>) -> vector<4xf8E5M2> {
  %0 = xegpu.lane_shuffle %v unpack : vector<4xf8E5M2>
  return %0 : vector<4xf8E5M2>
}
// -----
// truncf to f8E5M2
func.func @f(%v: vector<8x16xf16>) -> vector<8x16xf8E5M2> {
  %0 = xegpu.truncf %v : vector<8x16xf16> -> vector<8x16xf8E5M2>
  return %0 : vector<8x16xf8E5M2>
}
// -----
// extf from f8
func.func @f(%v: vector<8x16xf8E5M2>) -> vector<8x16xf16> {
  %0 = xegpu.extf %v : vector<8x16xf8E5M2> -> vector<8x16xf16>
  return %0 : vector<8x16xf16>
}
// -----
// dpas_mx f8 with scales
func.func @f(%a: vector<8x32xf8E5M2>, %b: vector<32x16xf8E5M2>, %c: vector<8x16xf32>, %x: vector<8x1xf8E8M0FNU>, %y: vector<1x16xf8E8M0FNU>) -> vector<8x16xf32> {
  %0 = xegpu.dpas_mx %a, %b, %c scale_a = %x scale_b = %y : (vector<8x32xf8E5M2>, vector<32x16xf8E5M2>, vector<8x16xf32>, vector<8x1xf8E8M0FNU>, vector<1x16xf8E8M0FNU>) -> vector<8x16xf32>
  return %0 : vector<8x16xf32>
}
// -----
// dpas f8E4M3FN
func.func @f(%a: vector<8x32xf8E4M3FN>, %b: vector<32x16xf8E4M3FN>) -> vector<8x16xf32> {
  %0 = xegpu.dpas %a, %b : vector<8x32xf8E4M3FN>, vector<32x16xf8E4M3FN> -> vector<8x16xf32>
  return %0 : vector<8x16xf32>
}
// -----
// load_nd of f8
func.func @f(%m: memref<64x64xf8E5M2>) -> vector<8x32xf8E5M2> {
  %t = xegpu.create_nd_tdesc %m : memref<64x64xf8E5M2> -> !xegpu.tensor_desc<8x32xf8E5M2>
  %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x32xf8E5M2> -> vector<8x32xf8E5M2>
  return %v : vector<8x32xf8E5M2>
}
// -----
// load_nd of f4
func.func @f(%m: memref<64x64xf4E2M1FN>) -> vector<8x64xf4E2M1FN> {
  %t = xegpu.create_nd_tdesc %m : memref<64x64xf4E2M1FN> -> !xegpu.tensor_desc<8x64xf4E2M1FN>
  %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x64xf4E2M1FN> -> vector<8x64xf4E2M1FN>
  return %v : vector<8x64xf4E2M1FN>
}
// -----
// load_nd of i4
func.func @f(%m: memref<64x64xi4>) -> vector<8x64xi4> {
  %t = xegpu.create_nd_tdesc %m : memref<64x64xi4> -> !xegpu.tensor_desc<8x64xi4>
  %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<8x64xi4> -> vector<8x64xi4>
  return %v : vector<8x64xi4>
}
// -----
// dpas i4
func.func @f(%a: vector<8x64xi4>, %b: vector<64x16xi4>) -> vector<8x16xi32> {
  %0 = xegpu.dpas %a, %b : vector<8x64xi4>, vector<64x16xi4> -> vector<8x16xi32>
  return %0 : vector<8x16xi32>
}
// -----
// layout with order, nested slices
func.func @f(%v: vector<16xf32>) -> vector<16xf32> {
  %0 = xegpu.convert_layout %v <{input_layout = #xegpu.slice<#xegpu.slice<#xegpu.layout<sg_layout = [1, 2, 4], sg_data = [1, 8, 4], order = [2, 1, 0]>, dims = [0]>, dims = [1]>, target_layout = #xegpu.slice<#xegpu.layout<sg_layout = [2, 4], sg_data = [8, 4], order = [0, 1]>, dims = [1]>}> : vector<16xf32>
  return %0 : vector<16xf32>
}
// -----
// convert_layout of a scalar
func.func @f(%v: f32) -> f32 {
  %0 = xegpu.convert_layout %v <{input_layout = #xegpu.slice<#xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, dims = [0, 1]>, target_layout = #xegpu.slice<#xegpu.layout<lane_layout = [16], lane_data = [1]>, dims = [0]>}> : f32
  return %0 : f32
}
// -----
// convert_layout without input
func.func @f(%v: vector<16x16xf32>) -> vector<16x16xf32> {
  %0 = xegpu.convert_layout %v <{target_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>}> : vector<16x16xf32>
  return %0 : vector<16x16xf32>
}
// -----
// create_nd_tdesc of rank 4
func.func @f(%p: i64) {
  %t = xegpu.create_nd_tdesc %p, shape : [2, 3, 64, 64], strides : [12288, 4096, 64, 1] : i64 -> !xegpu.tensor_desc<1x1x8x16xf16>
  xegpu.prefetch_nd %t[0, 0, 0, 0] : !xegpu.tensor_desc<1x1x8x16xf16>
  return
}
// -----
// create_nd_tdesc of a part of a memref
func.func @f(%m: memref<?x64xf16>, %n: index) {
  %t = xegpu.create_nd_tdesc %m, shape : [%n, 64], strides : [64, 1] : memref<?x64xf16> -> !xegpu.tensor_desc<8x16xf16>
  xegpu.prefetch_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf16>
  return
}
// -----
// load_nd transposed
func.func @f(%m: memref<64x64xf32>) -> vector<8x16xf32> {
  %t = xegpu.create_nd_tdesc %m : memref<64x64xf32> -> !xegpu.tensor_desc<16x8xf32>
  %v = xegpu.load_nd %t[0, 0] <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
  return %v : vector<8x16xf32>
}
// -----
// load_nd array_length
func.func @f(%m: memref<64x64xf16>) -> vector<2x16x16xf16> {
  %t = xegpu.create_nd_tdesc %m : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2>>
  %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2>> -> vector<2x16x16xf16>
  return %v : vector<2x16x16xf16>
}
// -----
// load_nd array_length stacked
func.func @f(%m: memref<64x64xf16>) -> vector<32x16xf16> {
  %t = xegpu.create_nd_tdesc %m : memref<64x64xf16> -> !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2>>
  %v = xegpu.load_nd %t[0, 0] : !xegpu.tensor_desc<16x16xf16, #xegpu.block_tdesc_attr<array_length = 2>> -> vector<32x16xf16>
  return %v : vector<32x16xf16>
}
// -----
// boundary_check = false
func.func @f(%m: memref<64x64xf16>) {
  %t = xegpu.create_nd_tdesc %m : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<boundary_check = false>>
  xegpu.prefetch_nd %t[0, 0] : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<boundary_check = false>>
  return
}
// -----
// descriptor of shared memory
func.func @f(%m: memref<64xf32, 3>) -> vector<16xf32> {
  %t = xegpu.create_nd_tdesc %m : memref<64xf32, 3> -> !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>>
  %v = xegpu.load_nd %t[0] : !xegpu.tensor_desc<16xf32, #xegpu.block_tdesc_attr<memory_space = slm>> -> vector<16xf32>
  return %v : vector<16xf32>
}
// -----
// load with offset_align_byte
func.func @f(%m: i64, %o: vector<16xindex>, %k: vector<16xi1>) -> vector<16xf32> {
  %v = xegpu.load %m[%o], %k <{offset_align_byte = 4}> : i64, vector<16xindex>, vector<16xi1> -> vector<16xf32>
  return %v : vector<16xf32>
}
// -----
// load with contiguity
func.func @f(%m: i64, %o: vector<16xindex>, %k: vector<16xi1>) -> vector<16xf32> {
  %v = xegpu.load %m[%o], %k {contiguity = 4} : i64, vector<16xindex>, vector<16xi1> -> vector<16xf32>
  return %v : vector<16xf32>
}
// -----
// prefetch with offsets
func.func @f(%m: memref<256xf32>, %o: vector<16xindex>) {
  xegpu.prefetch %m[%o] : memref<256xf32>, vector<16xindex>
  return
}
// -----
// load of a scalar
func.func @f(%m: memref<256xf32>, %o: index, %k: i1) -> f32 {
  %v = xegpu.load %m[%o], %k : memref<256xf32>, index, i1 -> f32
  return %v : f32
}
// -----
// load from an address
func.func @f(%m: i64, %o: vector<1xindex>, %k: vector<1xi1>) -> vector<1xf32> {
  %v = xegpu.load %m[%o], %k : i64, vector<1xindex>, vector<1xi1> -> vector<1xf32>
  return %v : vector<1xf32>
}
// -----
// load_matrix of a scalar
func.func @f(%m: !xegpu.mem_desc<16x64xf16>) -> f16 {
  %v = xegpu.load_matrix %m[8, 16] : !xegpu.mem_desc<16x64xf16> -> f16
  return %v : f16
}
// -----
// load_matrix with subgroup_block_io
func.func @f(%m: !xegpu.mem_desc<32x32xf16, #xegpu.mem_layout<stride = [32, 1], block = [16, 16]>>) -> vector<8xf16> {
  %v = xegpu.load_matrix %m[0, 0] <{subgroup_block_io}> : !xegpu.mem_desc<32x32xf16, #xegpu.mem_layout<stride = [32, 1], block = [16, 16]>> -> vector<8xf16>
  return %v : vector<8xf16>
}
// -----
// mem_desc of rank 3
func.func @f(%m: memref<4096xi8, 3>) -> vector<8x16xf16> {
  %d = xegpu.create_mem_desc %m : memref<4096xi8, 3> -> !xegpu.mem_desc<2x16x64xf16>
  %v = xegpu.load_matrix %d[0, 0, 0] : !xegpu.mem_desc<2x16x64xf16> -> vector<1x8x16xf16>
  %w = vector.shape_cast %v : vector<1x8x16xf16> to vector<8x16xf16>
  return %w : vector<8x16xf16>
}
// -----
// fences
func.func @f() {
  xegpu.fence memory_kind = slm, fence_scope = workgroup
  xegpu.fence memory_kind = global, fence_scope = gpu
  return
}
// -----
// named barrier
func.func @f(%i: i8, %n: i32) {
  %b = xegpu.init_nbarrier %i, %i : i8, i8 -> !xegpu.nbarrier
  xegpu.nbarrier_arrive %b : !xegpu.nbarrier
  xegpu.nbarrier_wait %b : !xegpu.nbarrier
  return
}
// -----
// range of subgroups
func.func @f(%c: i1) {
  scf.if %c {
  } {sg_id_range = #xegpu.range<[2, 10]>}
  return
}
// -----
// all cache hints
func.func @f(%m: memref<64x64xf16>) {
  %t = xegpu.create_nd_tdesc %m : memref<64x64xf16> -> !xegpu.tensor_desc<8x16xf16>
  xegpu.prefetch_nd %t[0, 0] <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>, l3_hint = #xegpu.cache_hint<streaming>}> : !xegpu.tensor_desc<8x16xf16>
  return
}
// -----
// dpas with layouts
func.func @f(%a: vector<8x16xf16>, %b: vector<16x16xf16>) -> vector<8x16xf32> {
  %0 = xegpu.dpas %a, %b {layout_a = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, layout_b = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>, layout_cd = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>} : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
  return %0 : vector<8x16xf32>
}
// -----
// empty layout
func.func @f(%v: f32) -> f32 {
  %0 = arith.addf %v, %v {layout_result_0 = #xegpu.layout<>} : f32
  return %0 : f32
}
// -----
// layout of a reduction
func.func @f(%v: vector<16x16xf32>, %a: vector<16xf32>) -> vector<16xf32> {
  %0 = vector.multi_reduction <add>, %v, %a {layout_operand_0 = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>} [0] : vector<16x16xf32> to vector<16xf32>
  return %0 : vector<16xf32>
}
// -----
// xevm load by default
func.func @f(%p: !llvm.ptr<1>, %i: i32) -> vector<8xi16> {
  %0 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false, cache_control = #xevm.load_cache_control<Use_Default>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  return %0 : vector<8xi16>
}
// -----
// xevm store by default
func.func @f(%p: !llvm.ptr<1>, %i: i32, %v: vector<8xi16>) {
  xevm.blockstore2d %p, %i, %i, %i, %i, %i, %v <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, cache_control = #xevm.store_cache_control<Use_Default>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi16>)
  return
}
// -----
// xevm fence and prefetch
func.func @f(%p: !llvm.ptr<1>) {
  xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  xevm.prefetch %p <{cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>}> : (!llvm.ptr<1>)
  return
}
// -----
// xevm blocks of one dimension
func.func @f(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>) -> vector<4xi32> {
  %0 = xevm.blockload %p <{cache_control = #xevm.load_cache_control<L1c_L2uc_L3uc>}> : (!llvm.ptr<1>) -> vector<4xi32>
  %1 = xevm.blockload %q : (!llvm.ptr<3>) -> vector<4xi32>
  xevm.blockstore %p, %1 : (!llvm.ptr<1>, vector<4xi32>)
  return %0 : vector<4xi32>
}
// -----
// xevm ids
func.func @f() -> i32 {
  %0 = xevm.lane_id : i32
  %1 = xevm.subgroup_id : i32
  %2 = xevm.local_id.x : i32
  %3 = xevm.group_id.y : i32
  return %0 : i32
}
// -----
// xevm.mma_mx
func.func @f(%c: vector<8xf32>, %a: vector<16xi8>, %b: vector<32xi8>, %s: i8) -> vector<8xf32> {
  %0 = xevm.mma_mx %a, %b, %s, %s, %c <{shape = <m = 8, n = 16, k = 32>, types = <d = f32, a = e4m3, b = e4m3, c = f32>}> : (vector<16xi8>, vector<32xi8>, i8, i8, vector<8xf32>) -> vector<8xf32>
  return %0 : vector<8xf32>
}
// -----
// xevm.truncf
func.func @f(%v: vector<16xf16>) -> vector<16xi8> {
  %0 = xevm.truncf %v { src_etype = #xevm.truncf_src_etype<f16>, dst_etype = #xevm.truncf_dst_etype<e5m2> } : (vector<16xf16>) -> vector<16xi8>
  return %0 : vector<16xi8>
}
// -----
// xevm.extf
func.func @f(%v: vector<16xi8>) -> vector<16xf16> {
  %0 = xevm.extf %v { src_etype = #xevm.extf_src_etype<e5m2>, dst_etype = #xevm.extf_dst_etype<f16> } : (vector<16xi8>) -> vector<16xf16>
  return %0 : vector<16xf16>
}
// -----
// xevm.target with attributes
gpu.module @m [#xevm.target<O = 3, chip = "bmg", triple = "spirv64-unknown-unknown">] {
}
// -----
// kernel of the llvm dialect
gpu.module @m {
  llvm.func spir_funccc @_Z12get_group_idj(i32) -> i64 attributes {no_unwind, will_return}
  llvm.func spir_kernelcc @k(%p: !llvm.ptr<1>) attributes {gpu.kernel} {
    llvm.return
  }
}
// -----
// operations of the llvm dialect
llvm.func @f(%x: i64, %p: !llvm.ptr<1>, %v: vector<4xf32>) -> i1 {
  %0 = llvm.trunc %x : i64 to i32
  %1 = llvm.mlir.poison : vector<4xf32>
  %2 = llvm.mlir.constant(1 : i32) : i32
  %3 = llvm.add %0, %2 overflow<nsw> : i32
  %4 = llvm.bitcast %v : vector<4xf32> to vector<2xi64>
  %5 = llvm.shufflevector %v, %1 [0, 1] : vector<4xf32>
  %6 = llvm.getelementptr inbounds|nuw %p[%x] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %7 = llvm.icmp "slt" %3, %2 : i32
  %8 = llvm.fcmp "ugt" %v, %1 : vector<4xf32>
  %9 = llvm.select %8, %v, %1 : vector<4xi1>, vector<4xf32>
  llvm.return %7 : i1
}
// -----
// vector elements and masks
func.func @f(%v: vector<8xf32>, %i: index) -> f32 {
  %0 = vector.extract %v[%i] : f32 from vector<8xf32>
  %1:8 = vector.to_elements %v : vector<8xf32>
  %2 = vector.interleave %v, %v : vector<8xf32> -> vector<16xf32>
  %3 = vector.create_mask %i : vector<8xi1>
  %4 = vector.constant_mask [4] : vector<8xi1>
  return %0 : f32
}
// -----
// vector.contract
func.func @f(%a: vector<8x16xf16>, %b: vector<16x16xf16>, %c: vector<8x16xf32>) -> vector<8x16xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<8x16xf16>, vector<16x16xf16> into vector<8x16xf32>
  return %0 : vector<8x16xf32>
}
// -----
// vectors in memory
func.func @f(%m: memref<64x64xf32>, %i: index, %k: vector<16xi1>, %o: vector<16xindex>, %v: vector<16xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%i, %i], %z : memref<64x64xf32>, vector<8x16xf32>
  vector.transfer_write %0, %m[%i, %i] : vector<8x16xf32>, memref<64x64xf32>
  %1 = vector.gather %m[%i, %i] [%o], %k, %v : memref<64x64xf32>, vector<16xindex>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  vector.scatter %m[%i, %i] [%o], %k, %1 : memref<64x64xf32>, vector<16xindex>, vector<16xi1>, vector<16xf32>
  %2 = vector.maskedload %m[%i, %i], %k, %v : memref<64x64xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  vector.store %2, %m[%i, %i] : memref<64x64xf32>, vector<16xf32>
  return
}
// -----
// vector.scan and outerproduct
func.func @f(%v: vector<8xf32>, %m: vector<8x8xf32>) -> vector<8x8xf32> {
  %0 = vector.outerproduct %v, %v, %m {kind = #vector.kind<add>} : vector<8xf32>, vector<8xf32>
  %1:2 = vector.scan <add>, %m, %v {inclusive = true, reduction_dim = 0} : vector<8x8xf32>, vector<8xf32>
  return %0 : vector<8x8xf32>
}
// -----
// gpu operations across lanes
func.func @f(%v: f32, %i: i32) -> f32 {
  %0 = gpu.subgroup_reduce add %v : (f32) -> f32
  %1, %p = gpu.shuffle xor %v, %i, %i : f32
  %2, %q = gpu.rotate %v, 1, 16 : f32
  %3 = gpu.subgroup_broadcast %v, specific_lane %i : f32
  return %0 : f32
}
// -----
// gpu.barrier of memory
func.func @f() {
  gpu.barrier memfence [#gpu.address_space<workgroup>]
  return
}
// -----
// gpu.ballot
func.func @f(%c: i1) -> i32 {
  %0 = gpu.ballot %c : i32
  return %0 : i32
}
// -----
// 8-bit floats of arith
func.func @f(%v: vector<8xf8E5M2>, %s: vector<8xf8E8M0FNU>) -> vector<8xf32> {
  %0 = arith.extf %v : vector<8xf8E5M2> to vector<8xf32>
  %1 = arith.scaling_extf %v, %s : vector<8xf8E5M2>, vector<8xf8E8M0FNU> to vector<8xf32>
  %2 = arith.truncf %0 : vector<8xf32> to vector<8xf8E5M2>
  return %1 : vector<8xf32>
}
// -----
// affine operations
func.func @f(%i: index) -> index {
  %0 = affine.apply affine_map<(i) -> (i * 16)>(%i)
  %1 = affine.linearize_index [%0, %i] by (4, 16) : index
  %2:2 = affine.delinearize_index %1 into (4, 16) : index, index
  return %1 : index
}
// -----
// casts between index and i64
func.func @f(%i: index) -> index {
  %0 = builtin.unrealized_conversion_cast %i : index to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to index
  return %1 : index
}
// -----
// schedule that sets a layout of LLVM 23
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.structured.match ops{["xegpu.dpas"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.xegpu.set_anchor_layout %0 sg_layout = [8, 4] sg_data = [32, 64] : !transform.any_op
    transform.yield
  }
}
// -----
// linalg of buffers
func.func @f(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
// -----
// warp operation
gpu.module @m {
  gpu.func @k(%v: vector<8x16xf32>) {
    %lane = gpu.lane_id
    %0 = gpu.warp_execute_on_lane_0(%lane)[16] -> (vector<8x1xf32>) {
      gpu.yield %v : vector<8x16xf32>
    }
    gpu.return
  }
}
