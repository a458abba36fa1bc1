// RUN: xegpu-opt %s -p convert-xegpu-to-xe{target=pvc} --verify-diagnostics | filecheck %s

// Hints become the cache control of messages (by its load name); where no message has it, the nearest is taken and the user told.

// CHECK-LABEL: xe.kernel @hints
gpu.module @kernels {
  gpu.func @hints(%a: memref<64xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = xegpu.create_nd_tdesc %a[0] : memref<64xf32> -> !xegpu.tensor_desc<64xf32>
    // CHECK: xe.load{{.*}}cache = st_ca
    %0 = xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<streaming>, l2_hint = #xegpu.cache_hint<uncached>, l3_hint = #xegpu.cache_hint<cached>}>
        : !xegpu.tensor_desc<64xf32> -> vector<64xf32>
    // CHECK: xe.store{{.*}}cache = ca_uc
    xegpu.store_nd %0, %t <{l1_hint = #xegpu.cache_hint<write_through>, l3_hint = #xegpu.cache_hint<uncached>}>
        : vector<64xf32>, !xegpu.tensor_desc<64xf32>
    // expected-remark@+2 {{'xegpu.load_nd' op takes the cache control ri.ca, the nearest to l1_hint = read_invalidate, l3_hint = uncached}}
    // CHECK: xe.load{{.*}}cache = ri_ca
    %1 = xegpu.load_nd %t <{l1_hint = #xegpu.cache_hint<read_invalidate>, l3_hint = #xegpu.cache_hint<uncached>}>
        : !xegpu.tensor_desc<64xf32> -> vector<64xf32>
    // expected-remark@+2 {{'xegpu.store_nd' op takes the cache control wb.wb, the nearest to l1_hint = write_back}}
    // CHECK: xe.store{{.*}}cache = ri_ca
    xegpu.store_nd %1, %t <{l1_hint = #xegpu.cache_hint<write_back>}> : vector<64xf32>, !xegpu.tensor_desc<64xf32>
    // CHECK: xe.store
    // CHECK-NOT: cache
    xegpu.store_nd %1, %t : vector<64xf32>, !xegpu.tensor_desc<64xf32>
    // expected-remark@+2 {{'xegpu.prefetch_nd' op takes the cache control df.df, the nearest to l1_hint = uncached, l3_hint = uncached}}
    // CHECK: xe.prefetch
    xegpu.prefetch_nd %t <{l1_hint = #xegpu.cache_hint<uncached>, l3_hint = #xegpu.cache_hint<uncached>}>
        : !xegpu.tensor_desc<64xf32>
    // expected-remark@+2 {{'xegpu.prefetch_nd' op takes the cache control ca.ca, the nearest to l1_hint = read_invalidate, l3_hint = cached}}
    // CHECK: xe.prefetch{{.*}}cache = ca_ca
    xegpu.prefetch_nd %t <{l1_hint = #xegpu.cache_hint<read_invalidate>, l3_hint = #xegpu.cache_hint<cached>}>
        : !xegpu.tensor_desc<64xf32>
    gpu.return
  }
}
