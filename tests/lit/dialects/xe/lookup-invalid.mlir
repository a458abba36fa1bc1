// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.lookup' op execution size 32, expected a power of two up to 16}}
  %1 = xe.lookup %0[%0] {exec_size = 32 : i32, offsets_at = 0 : i32, write = #xe.write<ud>} : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0> -> !xe.grf<128, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.lookup' op the offsets cover bytes 48 to 80 of a register block of 64 bytes}}
  %1 = xe.lookup %0[%0] {exec_size = 16 : i32, offsets_at = 48 : i32, write = #xe.write<ud>} : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0> -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.lookup' op the result covers bytes 0 to 128 of a register block of 64 bytes}}
  %1 = xe.lookup %0[%0] {exec_size = 16 : i32, offsets_at = 0 : i32, write = #xe.write<uq>} : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0> -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.lookup' op the result of an instruction with `into` has the type of that operand}}
  %1 = xe.lookup into %0 : !xe.grf<64, 64 at 0> %0[%0] {exec_size = 8 : i32, offsets_at = 0 : i32, write = #xe.write<ud>} : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0> -> !xe.grf<32, 32>
  xe.eot
}
