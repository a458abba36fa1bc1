// RUN: XEGPU_INVALID

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.dpas' op repeat count 0, expected 1 to 8}}
  %1 = xe.dpas(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {repeat = 0 : i32, exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.dpas' op dpas describes C, B and A, got 4 reads}}
  %1 = xe.dpas(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {repeat = 1 : i32, exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf>, #xe.read<bf>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  %1 = xe.undef : !xe.grf<128, 64>
  // expected-error@+1 {{'xe.dpas' op the result of an instruction with `into` has the type of that operand}}
  %2 = xe.dpas into %1 : !xe.grf<128, 64> (%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {repeat = 1 : i32, exec_size = 16 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf>]} -> !xe.grf<64, 64>
  xe.eot
}

// -----

xe.kernel @k attributes {target = "pvc", simd_size = 16 : i32, arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32} {
^bb0(%0: !xe.grf<64, 64 at 0>):
  // expected-error@+1 {{'xe.dpas' op execution size 3}}
  %1 = xe.dpas(%0, %0 : !xe.grf<64, 64 at 0>, !xe.grf<64, 64 at 0>) {repeat = 1 : i32, exec_size = 3 : i32, write = #xe.write<f>, reads = [#xe.read<f>, #xe.read<bf>, #xe.read<bf>]} -> !xe.grf<64, 64>
  xe.eot
}
