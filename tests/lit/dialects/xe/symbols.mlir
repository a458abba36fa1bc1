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

// CHECK: xe.kernel @facts attributes {arguments = [#xe.argument<"p" : "i64", at 0, 8 bytes, address>]
// CHECK-SAME: indirect_accesses = 2 : i32
// CHECK-SAME: ordered_subgroups
// CHECK-SAME: required_subgroup_size = 16 : i32
xe.kernel @facts attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"p" : "i64", at 0, 8 bytes, address>], implicit_arguments = [], local_id_dimensions = 0 : i32, required_subgroup_size = 16 : i32, indirect_accesses = 2 : i32, ordered_subgroups} {
^bb0(%header: !xe.grf<64, 64 at 0>):
  xe.eot
}
