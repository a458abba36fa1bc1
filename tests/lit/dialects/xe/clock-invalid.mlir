// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%header: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.clock' op a time in 4 bytes, expected 8}}
  %0 = xe.clock : !xe.grf<4, 4>
  xe.eot
}
