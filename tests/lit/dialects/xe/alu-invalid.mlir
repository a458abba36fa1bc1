// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op combination 'any', expected one of any, all, with a predicate}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, combination = "any", write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, condition = "lt", reads = [#xe.read<f>, #xe.imm<f, 0>]} flag !xe.flag
  // expected-error@+1 {{'xe.mov' op combination 'some', expected one of any, all, with a predicate}}
  %1 = xe.mov if %f : !xe.flag(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, combination = "some", write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %f = xe.cmp(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, condition = "lt", reads = [#xe.read<f>, #xe.imm<f, 0>]} flag !xe.flag
  // expected-error@+1 {{'xe.mov' op combination '', expected one of any, all, with a predicate}}
  %1 = xe.mov if %f : !xe.flag(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, combination = "", write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.bfn' op bfn needs a truth table}}
  %1 = xe.bfn(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.read<ud>, #xe.read<ud>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.and' op and has no truth table}}
  %1 = xe.and(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, table = 8 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.read<ud>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.bfn' op truth table 256, expected 0 to 255}}
  %1 = xe.bfn(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, table = 256 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.read<ud>, #xe.read<ud>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.bfn' op truth table -1, expected 0 to 255}}
  %1 = xe.bfn(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, table = -1 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.read<ud>, #xe.read<ud>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.addc' op addc needs a carry}}
  %1 = xe.addc(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.read<ud>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.add' op add has no carry}}
  %1, %2 = xe.add(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.read<ud>]} -> !xe.grf<64, 64> carry !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.subb' op the carry covers bytes 0 to 64 of a register block of 32 bytes}}
  %1, %2 = xe.subb(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.read<ud>]} -> !xe.grf<64, 64> carry !xe.grf<32, 32>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.add' op add has 2 sources, got 3 and 3 registers}}
  %1 = xe.add(%0, %0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.read<f>, #xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.lrp' op lrp has 3 sources, got 2 and 2 registers}}
  %1 = xe.lrp(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.math.inv' op math.inv has 1 sources, got 2 and 2 registers}}
  %1 = xe.math.inv(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.addc' op addc has 2 sources, got 1 and 1 registers}}
  %1, %2 = xe.addc(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>]} -> !xe.grf<64, 64> carry !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.bfn' op bfn has 3 sources, got 2 and 2 registers}}
  %1 = xe.bfn(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, table = 8 : i32, write = #xe.write<ud>, reads = [#xe.read<ud>, #xe.read<ud>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.add' op add has 2 sources, got 2 and 2 registers}}
  %1 = xe.add(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.imm<f, 0>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op a result and `write` go together}}
  xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>]}
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %u = xe.undef : !xe.grf<64, 64>
  // expected-error@+1 {{'xe.cmp' op the result of an instruction with `into` has the type of that operand}}
  %1 = xe.cmp into %u : !xe.grf<64, 64>(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, condition = "lt", reads = [#xe.read<f>, #xe.imm<f, 0>]} flag !xe.flag
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op a source covers bytes -4 to 60 of a register block of 64 bytes}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f, -4>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op a source covers bytes 0 to 124 of a register block of 64 bytes}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f, [2, 1, 0]>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op the result covers bytes 0 to 122 of a register block of 64 bytes}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 16 : i32, write = #xe.write<w, 0, 4>, reads = [#xe.read<w>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op execution size 64, expected one of 1, 2, 4, 8, 16, 32}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 64 : i32, write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.mov' op execution size 0, expected one of 1, 2, 4, 8, 16, 32}}
  %1 = xe.mov(%0 : !xe.grf<64, 64 at 0>) {exec_size = 0 : i32, write = #xe.write<f>, reads = [#xe.read<f>]} -> !xe.grf<64, 64>
  xe.eot
}
