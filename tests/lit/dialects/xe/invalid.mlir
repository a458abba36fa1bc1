// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op execution size 3, expected one of 1, 2, 4, 8, 16, 32}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 3 : i32, write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op a source covers bytes 0 to 128 of a register block of 64 bytes}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 32 : i32, write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<128, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op the result covers bytes 64 to 128 of a register block of 64 bytes}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f, 64>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.add' op add has 2 sources, got 1 and 1 registers}}
  %1 = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.cmp' op unknown condition 'almost', expected one of eq, ne, gt, ge, lt, le, un}}
  %1 = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, condition = "almost", reads = [#xe.read<f>, #xe.imm<f, 0>]} flag !xe.flag
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op a result and `write` go together}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %1 = xe.undef : !xe.grf<128, 64>
  // expected-error@+1 {{'xe.mov' op the result of an instruction with `into` has the type of that operand}}
  %2 = xe.mov into %1 : !xe.grf<128, 64>(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.dpas' op repeat count 9, expected 1 to 8}}
  %1 = xe.dpas(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {repeat = 9 : i32, exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.dpas' op dpas describes C, B and A, got 2 reads}}
  %1 = xe.dpas(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {repeat = 8 : i32, exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.read<bf>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.store' op store needs data}}
  xe.store[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, vector = 16, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.load' op load needs a result}}
  xe.load[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, vector = 16, transposed>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.copy' op the copy changes its size: 64 to 128 bytes}}
  %1 = xe.copy %0 : !xe.grf<64, 64 at 0> -> !xe.grf<128, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.spill' op slot -8 of the scratch space is negative}}
  xe.spill %0 to -8 : !xe.grf<64, 64 at 0>
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op what the thread starts with has a place, got !xe.grf<64, 64>}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64>):
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op simd_size 5, expected one of 1, 8, 16, 32}}
xe.kernel @k attributes {target = "pvc", simd_size = 5 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op local_id_dimensions 4, expected 0 to 3}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 4 : i32} {
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op required_work_group_size 16, 0, 1, expected three positive sizes}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 3 : i32, required_work_group_size = array<i32: 16, 0, 1>} {
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op work_group_size_hint 16, 0, 1, expected three positive sizes}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 3 : i32, work_group_size_hint = array<i32: 16, 0, 1>} {
  xe.eot
}

// -----

// expected-error@+1 {{'xe.kernel' op an argument of 4 bytes at -8 has no place in the payload}}
xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [#xe.argument<"s" : "f32", at -8, 4 bytes>], implicit_arguments = [], local_id_dimensions = 0 : i32} {
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{unknown element type 'nonsense', expected one of ud, d, uw, w, ub, b, df, f, v, vf, uq, uv, q, hf, bf, tf32, u4, s4, u2, s2}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<nonsense>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{stride 3: expected one of 1, 2, 4}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f, 0, 3>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{unknown source modifier 'near', expected neg or abs}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f, near>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{a region has three numbers up to 32: vertical stride, width (from 1), horizontal stride}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f, [1, 0, 64]>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{65536 does not fit 16 bits}}
  %1 = xe.add(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<w>, reads = [#xe.read<w>, #xe.imm<w, 65536>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{unknown unit 'moon', expected one of smpl, gtwy, tgm, slm, ugm}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = moon, size = d32>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{a message names its unit and its data size}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm>, exec_size = 1 : i32, no_mask}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{unknown message field 'colour'}}
  xe.prefetch[%0 : !xe.grf<64, 64 at 0>] {message = #xe.message<unit = ugm, size = d32, colour = red>, exec_size = 1 : i32, no_mask}
  xe.eot
}
