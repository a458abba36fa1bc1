// RUN: xegpu-opt %s -p convert-xevm-to-xegpu | filecheck %s

gpu.module @m {
  // Sizes in bytes become elements; what is constant stays so.
  // CHECK-LABEL: gpu.func @blocks
  // CHECK:      %[[A:.*]] = llvm.ptrtoint %p : !llvm.ptr<1> to i64
  // CHECK:      xegpu.create_nd_tdesc %[[A]], shape : [8, 32], strides : [64, 1] : i64 -> !xegpu.tensor_desc<8x16xi16, #xegpu.block_tdesc_attr<array_length = 2 : i64>>
  // CHECK:      xegpu.load_nd %{{.*}}[%{{.*}}, 16] <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>, l3_hint = #xegpu.cache_hint<cached>}> : {{.*}} -> vector<16xi16>
  // CHECK:      xegpu.load_nd %{{.*}}[0, 0] <{transpose = array<i64: 1, 0>}> : {{.*}}<16x8xi32> -> vector<8xi32>
  // CHECK:      vector.bitcast %{{.*}} : vector<8xi32> to vector<8xf32>
  // CHECK:      xegpu.store_nd %{{.*}}, %{{.*}}[%{{.*}}, 16] : vector<8xi32>, !xegpu.tensor_desc<8x16xi32>
  gpu.func @blocks(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %y: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %c8 = arith.constant 8 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %v = xevm.blockload2d %p, %c64, %c8, %c128, %c16, %y <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 2 : i32, transpose = false, pack_register = false, cache_control = #xevm.load_cache_control<L1c_L2uc_L3c>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<16xi16>
    %t = xevm.blockload2d %q, %c64, %c16, %c64, %c0, %c0 <{elem_size_in_bits = 32 : i32, tile_width = 8 : i32, tile_height = 16 : i32, v_blocks = 1 : i32, transpose = true, pack_register = false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xf32>
    xevm.blockstore2d %p, %c64, %c16, %c128, %c16, %y, %t <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xf32>)
    gpu.return
  }

  // Products of matrices keep their form.
  // CHECK-LABEL: gpu.func @product
  // CHECK:      xevm.mma
  gpu.func @product(%a: vector<8xi16>, %b: vector<8xi32>) {
    %0 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 32>, types = <d = s32, a = s8, b = s8>} : (vector<8xi16>, vector<8xi32>) -> vector<8xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @lines
  // CHECK:      xegpu.load_nd %{{.*}}[0] : !xegpu.tensor_desc<16xi16> -> vector<1xi16>
  // CHECK:      vector.extract
  // CHECK:      xegpu.store_nd %{{.*}}, %{{.*}}[0] : vector<1xi16>, !xegpu.tensor_desc<16xi16>
  // CHECK:      xegpu.prefetch
  // CHECK:      xegpu.fence memory_kind = slm, fence_scope = workgroup
  // CHECK-NEXT: xegpu.fence memory_kind = global, fence_scope = gpu
  // CHECK:      gpu.lane_id
  // CHECK-NEXT: arith.index_cast
  // CHECK:      gpu.grid_dim y
  // CHECK-NEXT: arith.index_cast %{{.*}} : index to i64
  gpu.func @lines(%p: !llvm.ptr<1>) kernel {
    %v = xevm.blockload %p : (!llvm.ptr<1>) -> i16
    xevm.blockstore %p, %v : (!llvm.ptr<1>, i16)
    xevm.prefetch %p <{cache_control = #xevm.load_cache_control<L1s_L2uc_L3c>}> : (!llvm.ptr<1>)
    xevm.memfence <{scope = #xevm.mem_scope<device>}>
    %l = xevm.lane_id : i32
    %g = xevm.group_count.y : i64
    gpu.return
  }
}
