// What a kernel starts with has places of its own; kernels have names of their own.

// RUN: XEGPU_INVALID

// expected-error@+1 {{'xe.kernel' op arguments 'a' and 'n' share bytes 4 to 7 of the payload}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"n" : "i32", at 4, 4 bytes>, #xe.argument<"a" : "i64", at 0, 8 bytes>], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op arguments local_size and 'a' share bytes 8 to 11 of the payload}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"a" : "i64", at 8, 8 bytes>], implicit_arguments = [#xe.implicit_argument<local_size, at 0, 12 bytes>], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op block arguments #1 and #2 share bytes 128 to 191 of the registers}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>, %1: !xe.grf<128, 64 at 64>, %2: !xe.grf<64, 64 at 128>):
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op channel offset 6 does not go with execution size 2}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 2 : i32, channel_offset = 6 : i32, write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op inverted without a predicate}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, inverted, write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

// expected-note@+1 {{see existing symbol definition here}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}
// expected-error@+1 {{redefinition of symbol named 'k'}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op barrier_count 33, expected 0 to 32 on pvc}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, barrier_count = 33 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op slm_size 131073, expected 0 to 131072 on pvc}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, slm_size = 131073 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op private_size -64, expected 0 to 262144 on pvc}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, private_size = -64 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op private_size 96, expected whole registers of 64 bytes}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, private_size = 96 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op walk_order 0, 1, 1, expected each of 0, 1, 2 once}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, walk_order = array<i32: 0, 1, 1>} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}
