// RUN: XEGPU_INVALID

// expected-error@+1 {{'xe.kernel' op 1 : i64 should be of base attribute string}}
xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, printf_strings = [1], simd_size = 16 : i32, target = "pvc"} {
  xe.eot
}
