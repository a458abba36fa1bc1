// RUN: XEGPU_ROUNDTRIP

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%header: !xe.grf<64, 64 at 0>):
  // CHECK: %{{.*}} = xe.clock : !xe.grf<8, 8 at 128>
  %0 = xe.clock : !xe.grf<8, 8 at 128>
  // CHECK: %{{.*}} = xe.clock {name = "again"} : !xe.grf<8, 8 at 200>
  %1 = xe.clock {name = "again"} : !xe.grf<8, 8 at 200>
  xe.eot
}
