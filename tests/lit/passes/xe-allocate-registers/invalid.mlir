// RUN: xegpu-opt %s -p 'xe-allocate-registers{grf_count=64}' --verify-diagnostics

// expected-error@+1 {{'xe.kernel' op pvc has no mode of 64 registers: expected 128, 256}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}
