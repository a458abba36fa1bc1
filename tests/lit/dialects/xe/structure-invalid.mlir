// RUN: XEGPU_INVALID

// expected-error@+1 {{'xe.kernel' op expected a body}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {}

// -----

// expected-error@+1 {{'xe.kernel' op what the thread starts with has a place, got !xe.flag}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.flag):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op an argument of 0 bytes at 16 has no place in the payload}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [#xe.implicit_argument<local_size, at 16, 0 bytes>], local_id_dimensions = 0 : i32} {
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op required_work_group_size 16, 1, expected three positive sizes}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, required_work_group_size = array<i32: 16, 1>} {
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op local_id_dimensions -1, expected 0 to 3}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = -1 : i32} {
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.br' op passes 1 values to a block of 0}}
  xe.br ^bb1(%0 : !xe.grf<64, 64 at 0>)
^bb1:
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.br' op a block argument changes its size: 64 to 128 bytes}}
  xe.br ^bb1(%0 : !xe.grf<64, 64 at 0>)
^bb1(%1: !xe.grf<128, 64>):
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.br' op a block argument is no register block: !xe.grf<64, 64 at 0> and !xe.flag}}
  xe.br ^bb1(%0 : !xe.grf<64, 64 at 0>)
^bb1(%1: !xe.flag):
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, condition = "lt", reads = [#xe.read<f>, #xe.imm<f, 0>]} flag !xe.flag
  // expected-error@+1 {{'xe.cond_br' op leads to a block with arguments, but passes none}}
  xe.cond_br %f, ^bb1, ^bb2 : !xe.flag
^bb1(%1: !xe.grf<128, 64>):
  xe.eot
^bb2:
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.fill' op slot -1 of the scratch space is negative}}
  %1 = xe.fill -1 : !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, condition = "lt", reads = [#xe.read<f>, #xe.imm<f, 0>]} flag !xe.flag
  // expected-error@+1 {{'xe.copy' op no instruction copies a flag to a flag}}
  %1 = xe.copy %f : !xe.flag -> !xe.flag
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.copy' op the copy changes its size: 64 to 4 bytes}}
  %1 = xe.copy %0 : !xe.grf<64, 64 at 0> -> !xe.flag
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op grf_count 77, expected one of 128, 256 on pvc}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, grf_count = 77 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op spill_size -5, expected at least 0}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32, spill_size = -5 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  xe.eot
}
