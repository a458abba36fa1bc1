// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"n" : "index", at 0, 8 bytes>], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, condition = "eq", reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  // expected-error@+1 {{'xe.cond_br' op trip_count of argument 1, the kernel has 1}}
  xe.cond_br %f, ^bb1, ^bb1 {trip_count = #xe.trip_count<argument = 1, scale = 1>} : !xe.flag
^bb1:
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"n" : "index", at 0, 8 bytes>], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, condition = "eq", reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  // expected-error@+1 {{an argument and its scale go together}}
  xe.cond_br %f, ^bb1, ^bb1 {trip_count = #xe.trip_count<argument = 0>} : !xe.flag
^bb1:
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"n" : "index", at 0, 8 bytes>], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, condition = "eq", reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  // expected-error@+1 {{an argument and its scale go together}}
  xe.cond_br %f, ^bb1, ^bb1 {trip_count = #xe.trip_count<scale = 2>} : !xe.flag
^bb1:
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"n" : "index", at 0, 8 bytes>], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, condition = "eq", reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  // expected-error@+1 {{step 0, expected at least 1}}
  xe.cond_br %f, ^bb1, ^bb1 {trip_count = #xe.trip_count<step = 0>} : !xe.flag
^bb1:
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"n" : "index", at 0, 8 bytes>], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, condition = "eq", reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  // expected-error@+1 {{argument -1, expected at least 0}}
  xe.cond_br %f, ^bb1, ^bb1 {trip_count = #xe.trip_count<argument = -1, scale = 1>} : !xe.flag
^bb1:
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"n" : "index", at 0, 8 bytes>], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 1 : i32, condition = "eq", reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
  // expected-error@+1 {{unknown field 'turns', expected one of argument, scale, offset, step}}
  xe.cond_br %f, ^bb1, ^bb1 {trip_count = #xe.trip_count<turns = 5>} : !xe.flag
^bb1:
  xe.eot
}
