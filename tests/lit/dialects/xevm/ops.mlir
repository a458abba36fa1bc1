// RUN: XEGPU_CANONICAL
// RUN: %if mlir-opt-22 %{ mlir-opt-22 %s | xegpu-opt | filecheck %s %}
// CHECK-COUNT-28: xevm.{{[a-z]}}
module {
  func.func @messages(%p: !llvm.ptr<1>, %i: i32, %v: vector<8xi32>, %s: i16) {
    %0 = xevm.blockload %p <{cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>}> : (!llvm.ptr<1>) -> vector<2xi32>
    xevm.blockstore %p, %s : (!llvm.ptr<1>, i16)
    xevm.prefetch %p <{addrspace = #xevm.addr_space<global>, cache_control = #xevm.load_cache_control<L1c_L2uc_L3c>}> : (!llvm.ptr<1>)
    xevm.blockprefetch2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 8 : i32, tile_height = 8 : i32, tile_width = 32 : i32, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
    %1 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{elem_size_in_bits = 16 : i32, pack_register = false, tile_height = 8 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
    xevm.blockstore2d %p, %i, %i, %i, %i, %i, %v <{cache_control = #xevm.store_cache_control<L1wb_L2uc_L3wb>, elem_size_in_bits = 32 : i32, tile_height = 8 : i32, tile_width = 16 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi32>)
    %2 = xevm.blockload2d %p, %i, %i, %i, %i, %i <{cache_control = #xevm.load_cache_control<ir>, elem_size_in_bits = 8 : i32, pack_register = true, tile_height = 32 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 4 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<32xi32>
    xevm.memfence <{addrspace = #xevm.addr_space<shared>, scope = #xevm.mem_scope<workgroup>}>
    return
  }
  func.func @products(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
    %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
    %1 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = bf16, b = bf16>} : (vector<8xi16>, vector<8xi32>) -> vector<8xf32>
    %2 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 64>, types = <d = s32, a = u4, b = s4>} : (vector<8xi16>, vector<8xi32>) -> vector<8xi32>
    return
  }
  func.func @ids() {
    %0 = xevm.lane_id : i32
    %1 = xevm.subgroup_id : i32
    %2 = xevm.subgroup_size : i64
    %3 = xevm.local_id.x : i32
    %4 = xevm.local_id.y : i64
    %5 = xevm.local_id.z : i32
    %6 = xevm.local_size.x : i32
    %7 = xevm.local_size.y : i64
    %8 = xevm.local_size.z : i32
    %9 = xevm.group_id.x : i32
    %10 = xevm.group_id.y : i64
    %11 = xevm.group_id.z : i32
    %12 = xevm.group_count.x : i32
    %13 = xevm.group_count.y : i64
    %14 = xevm.group_count.z : i32
    return
  }
}

