// RUN: XEGPU_ROUNDTRIP

gpu.module @m {
  memref.global "private" constant @table : memref<4xf32> = dense<1.0>
  xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
  ^bb0(%header: !xe.grf<64, 64 at 0>):
    // CHECK: %{{.*}} = xe.symbol_address @table : !xe.grf<8, 8>
    %0 = xe.symbol_address @table : !xe.grf<8, 8>
    // CHECK: %{{.*}} = xe.symbol_address @table : !xe.grf<8, 8 at 128>
    %1 = xe.symbol_address @table : !xe.grf<8, 8 at 128>
    xe.eot
  }
}
